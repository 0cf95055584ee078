// The problem as a whole: its name, its budget and what counts.

import { Button, Issues, Pick, Row, Text } from "../fields";
import { at, entries, events, freshName, isMap, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Edit, Part } from "../types";
import { Amounts, countedIn, resourcesOf } from "./amounts";
import { MoveUp, usePut, type Has } from "./card";
import { ConditionEditor } from "./condition";

const MORE = ["cost_weight", "finish", "objective", "unfinished"];

export function Whole({ outline }: Has) {
  const put = usePut();
  const text = (key: string) => textOf(at(outline, key));
  return (
    <section class="card" aria-label="The problem">
      <Row name="Name">
        <Text label="Name of the problem" wide value={text("name")} onCommit={(to) => put(["name"], to, "the name")} />
      </Row>
      <Issues of={["name"]} />
      <Budget outline={outline} />
      <Row name="Rewards" hint="How the rewards that hold add up">
        <Pick
          label="How rewards combine"
          value={text("combine") || "max"}
          options={[
            ["max", "the highest one counts"],
            ["sum", "all are added up"],
          ]}
          onPick={(to) => put(["combine"], to === "max" ? "" : to, "how rewards combine")}
        />
      </Row>
      <Issues of={["combine"]} />
      <details class="more" open={MORE.some((key) => at(outline, key) !== undefined)}>
        <summary>What counts</summary>
        <Row name="Cost weight" hint="How much of the reward one unit of cost counts">
          <Amounts path={["cost_weight"]} amounts={at(outline, "cost_weight")} name="Cost weight" usual="0" what="the cost weight" />
        </Row>
        <Issues of={["cost_weight"]} />
        <Row name="Objective">
          <Pick
            label="Objective"
            value={text("objective") || "most-reward"}
            options={[
              ["most-reward", "most reward"],
              ["least-cost", "least cost of finishing"],
            ]}
            onPick={(to) => put(["objective"], to === "most-reward" ? "" : to, "the objective")}
          />
        </Row>
        <Issues of={["objective"]} />
        <Row name="Must finish" hint="One may stop only where this holds, or nothing can be done">
          <ConditionEditor name="Must finish" path={["finish"]} part={at(outline, "finish")} events={events(outline, false)} what="what must be finished" />
        </Row>
        <Issues of={["finish"]} />
        <Row name="Unfinished counts" hint="What being stuck unfinished counts, as a cost">
          <Text label="What being unfinished counts" value={text("unfinished")} onCommit={(to) => put(["unfinished"], to, "what being unfinished counts")} />
        </Row>
        <Issues of={["unfinished"]} />
      </details>
    </section>
  );
}

/** The edits that name one more resource. */
function withResource(outline: Part | null): Edit[] {
  const budget = at(outline, "budget");
  const resources = resourcesOf(outline);
  if (!isMap(budget)) return [{ path: ["budget"], put: { money: textOf(budget) || "unlimited" } }];
  const name = freshName("resource ", resources);
  // With several resources, what a plain number counts would not be clear any more.
  const counted = resources.length === 1 ? countedIn(resources[0]!, outline) : [];
  return [{ path: ["budget", name], put: "1" }, ...counted];
}

function Budget({ outline }: Has) {
  const studio = useStudio();
  const put = usePut();
  const budget = at(outline, "budget");
  const add = () => void studio.editPart([], (_, now) => withResource(now ?? null), "a resource");
  return (
    <>
      <Row name="Budget">
        {isMap(budget) ? (
          entries(budget).map(([resource, limit], number) => (
            <div class="leaf" key={number}>
              <Text label={`Name of resource ${resource}`} value={resource} onCommit={(to) => studio.edit([{ path: ["budget", resource], rename: to }], "a resource")} />
              <Text label={`Budget of ${resource}`} value={textOf(limit)} placeholder="unlimited" onCommit={(to) => put(["budget", resource], to || "unlimited", "the budget")} />
              <MoveUp path={["budget", resource]} number={number} what={`resource ${resource}`} />
              <Button kind="icon" label={`Remove resource ${resource}`} onPress={() => studio.edit([{ path: ["budget", resource], remove: true }], "a resource")}>
                ×
              </Button>
            </div>
          ))
        ) : (
          <Text label="Budget" value={textOf(budget)} placeholder="unlimited" onCommit={(to) => put(["budget"], to, "the budget")} />
        )}
        <Button kind="quiet" label="Name one more resource" onPress={add}>
          {isMap(budget) ? "+ resource" : "name resources"}
        </Button>
      </Row>
      <Issues of={["budget"]} />
    </>
  );
}
