// The actions as a table: a row for each, with all that is mostly changed.

import { useEffect, useState } from "preact/hooks";
import { Button, Issues, Text } from "../fields";
import { conditionOf, conditionText } from "../conditions";
import { added, at, entries, isMap, measureEdits, measureOf, probabilityText, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Part, Path } from "../types";
import { newAction } from "./actions";
import { Amounts } from "./amounts";
import { MoveUp } from "./card";

export function Table() {
  const studio = useStudio();
  const outline = studio.state.document?.outline ?? null;
  const actions = entries(at(outline, "actions"));
  const add = () => void studio.editPart(["actions"], (here, there) => added(here, there, "a", newAction(outline)), "an action");
  const shown = useGrowing(actions.length);
  const put = (path: Path, value: string, what: string) =>
    studio.edit([value === "" ? { path, remove: true } : { path, put: value }], what);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table of actions">
      <table class="actions-table">
        <thead>
          <tr>
            {["Action", "Attempts", "Cost", "Needs", "Ruled out by", "Outcomes"].map((each) => (
              <th scope="col" key={each}>
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {actions.slice(0, shown).map(([name, action], number) => {
            const path: Path = ["actions", name];
            return (
              <tr key={number}>
                <th scope="row">
                  <Text label={`Name of action ${name}`} value={name} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${name}`)} />
                  <span class="row-tools">
                    <MoveUp path={path} number={number} what={`action ${name}`} />
                    <Button kind="icon" label={`Remove action ${name}`} onPress={() => studio.edit([{ path, remove: true }], `action ${name}`)}>
                      ×
                    </Button>
                  </span>
                </th>
                <td class="narrow-cell">
                  <Text label={`Attempts of ${name}`} value={textOf(at(action, "attempts"))} placeholder="1" onCommit={(to) => put([...path, "attempts"], to, `the attempts of ${name}`)} />
                </td>
                <td class="narrow-cell">
                  <Amounts path={[...path, "cost"]} amounts={at(action, "cost")} name={`Cost of ${name}`} usual="1" what={`the cost of ${name}`} />
                </td>
                {(["requires", "precluded_by"] as const).map((key) => (
                  <td key={key}>
                    <Condition path={[...path, key]} part={at(action, key)} label={`${key === "requires" ? "Needs" : "Ruled out by"}: ${name}`} />
                  </td>
                ))}
                <td>
                  {entries(at(action, "outcomes")).map(([label, part]) => (
                    <label class="cell-outcome" key={label}>
                      <span>{label}</span>
                      <Text
                        label={`Probability of ${name}=${label}`}
                        value={probabilityText(part)}
                        onCommit={(number) =>
                          void studio.editPart(
                            [...path, "outcomes", label],
                            (here, there) => measureEdits(here, there, "probability", { ...measureOf(there, "probability"), number: number || "0" }),
                            `the probability of ${label}`,
                          )
                        }
                      />
                    </label>
                  ))}
                  <Issues of={path} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div class="table-foot">
        <Button onPress={add}>+ action</Button>
      </div>
    </div>
  );
}

const ROWS_AT_ONCE = 20;

/** How many rows are shown so far: a few at a time, so that the page stays responsive. */
function useGrowing(all: number): number {
  const [shown, setShown] = useState(ROWS_AT_ONCE);
  useEffect(() => {
    if (shown >= all) return;
    const timer = setTimeout(() => setShown(shown + ROWS_AT_ONCE));
    return () => clearTimeout(timer);
  }, [shown, all]);
  return Math.min(shown, all);
}

function Condition({ path, part, label }: { path: Path; part: Part | undefined; label: string }) {
  const studio = useStudio();
  const condition = conditionOf(part);
  return (
    <Text
      label={label}
      wide
      value={isMap(part) && condition ? conditionText(condition) : textOf(part)}
      onCommit={(to) => studio.edit([to === "" ? { path, remove: true } : { path, put: to }], "a condition")}
    />
  );
}
