// Hidden facts: what is so from the start and never seen, and what tests tell of it.

import { conditionOf, conditionText, quoted } from "../conditions";
import { Button, Issues, Pick, Row, Text } from "../fields";
import { added, at, entries, items, numberOf, probabilityText, valueOf, written } from "../parts";
import { useStudio } from "../studio";
import type { Edit, Part, Path } from "../types";
import { Card, Group, OtherIssues, type Has } from "./card";
import { Clauses } from "./clauses";
import { Outcomes } from "./outcomes";

export function Facts({ outline }: Has) {
  const studio = useStudio();
  const facts = entries(at(outline, "hidden"));
  const add = () => void studio.editPart(["hidden"], (here, there) => added(here, there, "fact", { yes: "0.5", no: "rest" }), "a hidden fact");
  return (
    <Group title="Hidden facts" count={facts.length} add="hidden fact" onAdd={add}>
      {facts.map(([name, fact], number) => (
        <Fact key={number} name={name} fact={fact} number={number} outline={outline} />
      ))}
      <Issues of={["hidden"]} exactly />
    </Group>
  );
}

function Fact({ name, fact, number, outline }: { name: string; fact: Part; number: number; outline: Part | null }) {
  const studio = useStudio();
  const path: Path = ["hidden", name];
  const isLong = at(fact, "outcomes") !== undefined;
  const outcomes = isLong ? at(fact, "outcomes") : fact;
  const labels = entries(outcomes).map(([label]) => label);
  return (
    <Card title={name} short={labels.join(" · ")} what="hidden fact" path={path} number={number}>
      <Row name="Name">
        <Text label={`Name of hidden fact ${name}`} wide value={name} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${name}`)} />
      </Row>
      <Row name="It may be" tall>
        <Outcomes path={isLong ? [...path, "outcomes"] : path} outcomes={outcomes} whose={name} />
      </Row>
      {isLong ? (
        <Clauses path={path} given={at(fact, "given")} outcomes={outcomes} whose={name} outline={outline} />
      ) : (
        number > 0 && (
          <Button kind="quiet" onPress={() => studio.edit([{ path, put: { outcomes: valueOf(fact) } }], "a hidden fact")}>
            let it depend on facts above
          </Button>
        )
      )}
      <Tests fact={name} outcomes={labels} outline={outline} />
      <OtherIssues path={path} known={["outcomes", "given", ...labels]} />
    </Card>
  );
}

/** Which actions tell something of a hidden fact: how often they are right. */
function Tests({ fact, outcomes, outline }: { fact: string; outcomes: string[]; outline: Part | null }) {
  const studio = useStudio();
  const [present] = outcomes;
  const when = `${quoted(fact)}=${quoted(present ?? "")}`;
  const actions = entries(at(outline, "actions")).filter(([, action]) => entries(at(action, "outcomes")).length === 2);
  const clauseOf = (action: Part) =>
    items(at(action, "given")).findIndex((clause) => {
      const condition = conditionOf(at(clause, "when"));
      return condition !== null && conditionText(condition) === when && at(clause, "outcomes") !== undefined;
    });
  const tests = actions.filter(([, action]) => clauseOf(action) >= 0);
  const others = actions.filter(([, action]) => clauseOf(action) < 0).map(([name]): [string, string] => [name, name]);
  if (outcomes.length !== 2 || !actions.length) return null;
  const add = (name: string) => {
    const action = at(outline, "actions", name)!;
    const [positive, negative] = labelsOf(action);
    const put = { when, outcomes: { [positive]: "0.9", [negative]: "rest" } };
    const clause: Edit = { path: ["actions", name, "given", items(at(action, "given")).length], put };
    void studio.edit([...specificity(name, action, "0.9"), clause], `a test of ${fact}`);
  };
  return (
    <Row name="Tests" hint={`Sensitivity: how often a test comes out first where ${when}; specificity: how often it does not elsewhere`}>
      {tests.map(([name, action]) => (
        <Test key={name} name={name} action={action} clause={clauseOf(action)} fact={fact} />
      ))}
      {others.length > 0 && <Pick label={`An action that tests ${fact}`} value="" options={[["", "let an action test it …"], ...others]} onPick={add} />}
    </Row>
  );
}

function Test({ name, action, clause, fact }: { name: string; action: Part; clause: number; fact: string }) {
  const studio = useStudio();
  const [positive, negative] = labelsOf(action);
  const found: Path = ["actions", name, "given", clause, "outcomes"];
  const sensitive = shareOf(at(action, "given", clause, "outcomes"), positive, negative);
  const specific = shareOf(at(action, "outcomes"), negative, positive);
  const setSensitivity = (to: string) => {
    const edits: Edit[] = [
      { path: [...found, positive], put: to },
      { path: [...found, negative], put: "rest" },
    ];
    void studio.edit(edits, `the sensitivity of ${name}`);
  };
  return (
    <div class="leaf test">
      <strong>{name}</strong>
      <label class="amount">
        sensitivity
        <Text label={`Sensitivity of ${name} for ${fact}`} value={sensitive} onCommit={setSensitivity} />
      </label>
      <label class="amount">
        specificity
        <Text
          label={`Specificity of ${name} for ${fact}`}
          value={specific}
          onCommit={(to) => studio.edit(specificity(name, action, to), `the specificity of ${name}`)}
        />
      </label>
    </div>
  );
}

function labelsOf(action: Part): [string, string] {
  const [positive, negative] = entries(at(action, "outcomes")).map(([label]) => label);
  return [positive!, negative!];
}

/** What one of two outcomes is written as; or, if it is what is left, what that is. */
function shareOf(outcomes: Part | undefined, label: string, other: string): string {
  const text = probabilityText(at(outcomes, label) ?? "0");
  if (text.trim().toLowerCase() !== "rest") return text;
  const of = probabilityText(at(outcomes, other) ?? "");
  const left = numberOf(of);
  // What is left of `1 - specificity` is the specificity.
  const rest = /^\s*1\s*-\s*([\w.]+|"[^"]*")\s*$/.exec(of);
  return left === null ? (rest?.[1] ?? `1 - (${of})`) : written(1 - left);
}

function specificity(name: string, action: Part, to: string): Edit[] {
  const [positive, negative] = labelsOf(action);
  const path: Path = ["actions", name, "outcomes"];
  const where = (label: string): Path => {
    const isLong = at(action, "outcomes", label, "probability") !== undefined;
    return isLong ? [...path, label, "probability"] : [...path, label];
  };
  return [
    { path: where(negative), put: to },
    { path: where(positive), put: "rest" },
  ];
}
