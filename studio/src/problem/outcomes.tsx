// Outcomes: labels, and probabilities that always sum to one.

import { useEffect, useState } from "preact/hooks";
import { Button, Issues, Pick, Text } from "../fields";
import { added, at, entries, measureEdits, measureOf, numberOf, probabilities, probabilityText, textOf, written, type Measure } from "../parts";
import { useStudio } from "../studio";
import type { Edit, Part, Path } from "../types";
import { Amounts } from "./amounts";
import { MoveUp } from "./card";
import { Effects } from "./effects";

interface Props {
  path: Path;
  outcomes: Part | undefined;
  whose: string;
  /** Whether more may follow from an outcome: costs, effects, an end. */
  hasMore?: boolean;
  /** Of probabilities that replace others, the outcomes that there can be. */
  labels?: string[];
}

export function Outcomes({ path, outcomes, whose, hasMore, labels }: Props) {
  const studio = useStudio();
  const rows = entries(outcomes);
  const shares = probabilities(rows);
  const add = () => void studio.editPart(path, (here, there) => added(here, there, "outcome ", entries(there).length ? "0" : "1"), `an outcome of ${whose}`);
  return (
    <div class="outcomes">
      {rows.map(([label, part], number) => (
        <Outcome
          key={number}
          path={[...path, label]}
          label={label}
          part={part}
          share={shares[number] ?? null}
          whose={whose}
          number={number}
          isFixed={labels !== undefined}
          isBare={!hasMore}
          onShare={(share) => void studio.edit(moved(path, rows, shares, number, share), `the probability of ${label}`)}
        />
      ))}
      <Issues of={path} exactly />
      {labels === undefined && (
        <Button kind="quiet" label={`Add an outcome of ${whose}`} onPress={add}>
          + outcome
        </Button>
      )}
      {labels
        ?.filter((label) => at(outcomes, label) === undefined)
        .map((label) => (
          <Button key={label} kind="quiet" label={`Let ${whose} come out ${label}`} onPress={() => void studio.edit([{ path: [...path, label], put: "0" }], `an outcome of ${whose}`)}>
            + {label}
          </Button>
        ))}
    </div>
  );
}

/**
 * The edits after which one outcome has a probability and all still sum to one: what is
 * written `rest` gives way by itself, or else the others do, each by its share.
 */
export function moved(path: Path, rows: [string, Part][], shares: (number | null)[], number: number, wanted: number): Edit[] {
  const texts = rows.map(([, part]) => probabilityText(part).trim().toLowerCase());
  const rest = texts.indexOf("rest");
  const to = (n: number, number: string): Edit[] => {
    const [label, part] = rows[n]!;
    return measureEdits([...path, label], part, "probability", { ...measureOf(part, "probability"), number });
  };
  if (rest >= 0 && rest !== number) {
    const others = shares.reduce<number>((sum, each, n) => sum + (n === rest || n === number ? 0 : (each ?? 0)), 0);
    return to(number, written(Math.min(wanted, 1 - others)));
  }
  const places = shares.map((each, n) => (n !== number && each !== null ? n : -1)).filter((n) => n >= 0);
  const sum = places.reduce((total, n) => total + shares[n]!, 0);
  const edits: Edit[] = rest === number ? [] : to(number, written(wanted));
  let left = Number((1 - Number(written(wanted))).toFixed(4));
  places.forEach((n, place) => {
    const isLast = place === places.length - 1;
    const share = sum > 0 ? shares[n]! / sum : 1 / places.length;
    const given = isLast ? left : Number(((1 - wanted) * share).toFixed(4));
    left = Number((left - given).toFixed(4));
    edits.push(...to(n, written(Math.max(0, given))));
  });
  return edits;
}

interface OutcomeProps {
  path: Path;
  label: string;
  part: Part;
  share: number | null;
  number: number;
  whose: string;
  isFixed: boolean;
  isBare: boolean;
  onShare: (share: number) => void;
}

function Outcome({ path, label, part, share, number, whose, isFixed, isBare, onShare }: OutcomeProps) {
  const studio = useStudio();
  const [dragged, setDragged] = useState<number | null>(null);
  const text = probabilityText(part);
  useEffect(() => setDragged(null), [text, share]);
  const name = `${whose}=${label}`;
  const measure = measureOf(part, "probability");
  const put = (change: Partial<Measure>) =>
    void studio.editPart(path, (here, there) => measureEdits(here, there, "probability", { ...measureOf(there, "probability"), ...change }), `the probability of ${label}`);
  const isComputed = text.trim().toLowerCase() !== "rest" && numberOf(text) === null;
  return (
    <div class="outcome">
      <div class="outcome-line">
        {isFixed ? (
          <span class="outcome-name">{label}</span>
        ) : (
          <Text label={`Name of outcome ${name}`} value={label} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${label}`)} />
        )}
        <input
          type="range"
          min="0"
          max="1"
          step="0.01"
          aria-label={`Probability of ${name}`}
          disabled={share === null || isComputed}
          value={dragged ?? share ?? 0}
          onInput={(event) => setDragged(Number(event.currentTarget.value))}
          onChange={(event) => onShare(Number(event.currentTarget.value))}
        />
        <Text
          label={`Probability of ${name} as written`}
          value={dragged === null ? text : written(dragged)}
          placeholder="0.5 or rest"
          onCommit={(to) => put({ number: to || "0" })}
        />
        <span class="share">{share === null ? "" : `${written((dragged ?? share) * 100, 1)} %`}</span>
        <MoveUp path={path} number={number} what={`outcome ${name}`} />
        <Button kind="icon" label={`Remove outcome ${name}`} onPress={() => studio.edit([{ path, remove: true }], `outcome ${label}`)}>
          ×
        </Button>
      </div>
      <Issues of={path} />
      <More path={path} part={part} name={name} measure={measure} isBare={isBare} put={put} />
    </div>
  );
}

interface MoreProps {
  path: Path;
  part: Part;
  name: string;
  measure: Measure;
  isBare: boolean;
  put: (change: Partial<Measure>) => void;
}

/** What else may be said of an outcome: an interval, and what follows from it. */
function More({ path, part, name, measure, isBare, put }: MoreProps) {
  const hasMore = ["ends", "cost", "effects"].some((key) => at(part, key) !== undefined);
  return (
    <details class="more" open={hasMore || measure.low !== "" || measure.high !== ""}>
      <summary>More of {name}</summary>
      <div class="more-fields">
        <div>
          Between
          <Text label={`Probability of ${name}: at least`} value={measure.low} placeholder={measure.number} onCommit={(low) => put({ low })} />
          and
          <Text label={`Probability of ${name}: at most`} value={measure.high} placeholder={measure.number} onCommit={(high) => put({ high })} />
        </div>
        {!isBare && <Consequences path={path} part={part} name={name} />}
      </div>
    </details>
  );
}

/** What follows from an outcome: a cost, effects, and whether it ends everything. */
function Consequences({ path, part, name }: { path: Path; part: Part; name: string }) {
  const studio = useStudio();
  const ends = textOf(at(part, "ends"));
  const cost = at(part, "cost");
  const put = (key: string, value: string, what: string) =>
    studio.edit([value === "" ? { path: [...path, key], remove: true } : { path: [...path, key], put: value }], what);
  return (
    <>
      <div>
        Costs besides
        <Amounts path={[...path, "cost"]} amounts={cost} name={`Cost of outcome ${name}`} usual="0" what="the cost of an outcome" />
      </div>
      <label>
        Ends
        <Pick
          label={`What ends with outcome ${name}`}
          value={ends}
          options={[
            ["", "nothing"],
            ["keep", "everything; rewards are kept"],
            ["lose", "everything; rewards are lost"],
          ]}
          onPick={(to) => put("ends", to, "how an outcome ends")}
        />
      </label>
      <Effects path={[...path, "effects"]} effects={at(part, "effects")} name={name} />
    </>
  );
}
