// Clauses: what changes probabilities and costs; the first one that holds counts.

import { quoted } from "../conditions";
import { Button, Issues, Row, Text } from "../fields";
import { at, entries, events, items, probabilityText, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Part, Path } from "../types";
import { Amounts } from "./amounts";
import { MoveUp, OtherIssues, usePut } from "./card";
import { ConditionEditor } from "./condition";
import { Outcomes } from "./outcomes";

interface Props {
  path: Path;
  given: Part | undefined;
  outcomes: Part | undefined;
  whose: string;
  outline: Part | null;
  /** Of an action, which has more to say than a hidden fact. */
  isAction?: boolean;
}

/** The probabilities of outcomes, without what follows from them. */
export function plainShares(outcomes: Part | undefined): Record<string, string> {
  return Object.fromEntries(entries(outcomes).map(([label, each]) => [label, probabilityText(each) || "rest"]));
}

export function Clauses({ path, given, outcomes, whose, outline, isAction }: Props) {
  const studio = useStudio();
  const clauses = items(given);
  const add = () => {
    const known = events(outline, true);
    known.delete(whose);
    const [first, labels] = [...known][0] ?? [whose, []];
    const when = labels.length ? `${quoted(first)}=${quoted(labels[0]!)}` : quoted(first);
    const put = { when, outcomes: plainShares(outcomes) };
    void studio.editPart([...path, "given"], (here, there) => [{ path: [...here, items(there).length], put }], `a clause of ${whose}`);
  };
  return (
    <Row name="Given" tall hint="What changes the probabilities: the first clause that holds counts">
      <div class="clauses">
        {clauses.map((clause, number) => (
          <Clause
            key={number}
            path={[...path, "given", number]}
            clause={clause}
            number={number}
            labels={entries(outcomes).map(([label]) => label)}
            usual={plainShares(outcomes)}
            whose={whose}
            outline={outline}
            isAction={!!isAction}
          />
        ))}
        <Button kind="quiet" label={`Add a clause of ${whose}`} onPress={add}>
          + clause
        </Button>
      </div>
    </Row>
  );
}

interface ClauseProps {
  path: Path;
  clause: Part;
  number: number;
  labels: string[];
  usual: Record<string, string>;
  whose: string;
  outline: Part | null;
  isAction: boolean;
}

function Clause({ path, clause, number, labels, usual, whose, outline, isAction }: ClauseProps) {
  const studio = useStudio();
  const put = usePut();
  const name = `${whose} in clause ${number + 1}`;
  const outcomes = at(clause, "outcomes");
  const remove = (where: Path, what: string) => void studio.edit([{ path: where, remove: true }], what);
  return (
    <fieldset class="clause">
      <legend>Clause {number + 1}</legend>
      <ConditionEditor
        name={`Clause ${number + 1} of ${whose}`}
        path={[...path, "when"]}
        part={at(clause, "when")}
        events={events(outline, true)}
        what="when a clause counts"
        onRemove={() => remove(path, "a clause")}
      />
      <Issues of={[...path, "when"]} />
      {outcomes === undefined ? (
        <Button kind="quiet" label={`Other probabilities of ${name}`} onPress={() => void studio.edit([{ path: [...path, "outcomes"], put: usual }], "the probabilities of a clause")}>
          + other probabilities
        </Button>
      ) : (
        <Outcomes path={[...path, "outcomes"]} outcomes={outcomes} whose={name} labels={labels} />
      )}
      {isAction && (
        <>
          <Row name="Cost">
            <Amounts path={[...path, "cost"]} amounts={at(clause, "cost")} name={`Cost of ${name}`} usual="as before" what="the cost in a clause" />
          </Row>
          <Issues of={[...path, "cost"]} />
          <details class="more" open={at(clause, "distance") !== undefined || at(clause, "sample_size") !== undefined}>
            <summary>How sure these probabilities are</summary>
            <Row name="Distance" hint="How far these probabilities may be off together">
              <Text label={`Distance of ${name}`} value={textOf(at(clause, "distance"))} onCommit={(to) => put([...path, "distance"], to, "the distance of a clause")} />
            </Row>
            <Row name="Sample size" hint="How many trials these probabilities rest on">
              <Text label={`Sample size of ${name}`} value={textOf(at(clause, "sample_size"))} onCommit={(to) => put([...path, "sample_size"], to, "the sample size of a clause")} />
            </Row>
          </details>
        </>
      )}
      <OtherIssues path={path} known={["when", "outcomes", "cost"]} />
      <div class="card-foot">
        {isAction && outcomes !== undefined && (
          <Button kind="quiet" label={`No other probabilities of ${name}`} onPress={() => remove([...path, "outcomes"], "the probabilities of a clause")}>
            No other probabilities
          </Button>
        )}
        <MoveUp path={path} number={number} what={`clause ${number + 1} of ${whose}`}>
          Move up
        </MoveUp>
        <Button kind="quiet" label={`Remove clause ${number + 1} of ${whose}`} onPress={() => remove(path, "a clause")}>
          Remove clause
        </Button>
      </div>
    </fieldset>
  );
}
