// Actions: what can be done, what it needs, and what comes of it.

import { Button, Issues, Row, Text } from "../fields";
import { added, at, entries, events, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Part, Path, Value } from "../types";
import { Amounts, resourcesOf } from "./amounts";
import { Card, Group, OtherIssues, usePut, type Has } from "./card";
import { Clauses } from "./clauses";
import { ConditionEditor } from "./condition";
import { Effects } from "./effects";
import { Outcomes } from "./outcomes";

/** What a new action says. */
export function newAction(outline: Part | null): Value {
  const resources = resourcesOf(outline);
  const outcomes = { fail: "0.5", ok: "0.5" };
  return resources.length > 1 ? { cost: { [resources[0]!]: "1" }, outcomes } : { outcomes };
}

export function Actions({ outline }: Has) {
  const studio = useStudio();
  const actions = entries(at(outline, "actions"));
  const add = () => void studio.editPart(["actions"], (here, there) => added(here, there, "a", newAction(outline)), "an action");
  return (
    <Group title="Actions" count={actions.length} add="action" onAdd={add}>
      <Issues of={["actions"]} exactly />
      {actions.map(([name, action], number) => (
        <ActionCard key={number} number={number} name={name} action={action} outline={outline} />
      ))}
    </Group>
  );
}

interface Props extends Has {
  name: string;
  number: number;
  action: Part;
}

function ActionCard({ name, number, action, outline }: Props) {
  const studio = useStudio();
  const put = usePut();
  const path: Path = ["actions", name];
  const text = (key: string) => textOf(at(action, key));
  const outcomes = entries(at(action, "outcomes")).map(([label]) => label);
  if (typeof action === "object" && "alias" in action) {
    return <p class="issue">{name} stands for more than can be shown again; edit it in the tab YAML.</p>;
  }
  const condition = (key: string, what: string) => (
    <ConditionEditor name={`${what} of ${name}`} path={[...path, key]} part={at(action, key)} events={events(outline, false)} what={`what ${name} ${what}`} />
  );
  return (
    <Card title={name} short={outcomes.join(" · ")} what="action" path={path} number={number}>
      <Row name="Name">
        <Text label={`Name of action ${name}`} wide value={name} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${name}`)} />
      </Row>
      <Row name="Cost">
        <Amounts path={[...path, "cost"]} amounts={at(action, "cost")} name={`Cost of ${name}`} usual="1" what={`the cost of ${name}`} />
      </Row>
      <Issues of={[...path, "cost"]} />
      <Row name="Attempts">
        <Text label={`Attempts of ${name}`} value={text("attempts")} placeholder="1" onCommit={(to) => put([...path, "attempts"], to, `the attempts of ${name}`)} />
        {text("attempts") !== "unlimited" && (
          <Button kind="quiet" label={`Unlimited attempts of ${name}`} onPress={() => put([...path, "attempts"], "unlimited", `the attempts of ${name}`)}>
            unlimited
          </Button>
        )}
      </Row>
      <Issues of={[...path, "attempts"]} />
      <Row name="Needs">{condition("requires", "needs")}</Row>
      <Issues of={[...path, "requires"]} />
      <Row name="Ruled out by">{condition("precluded_by", "is ruled out by")}</Row>
      <Issues of={[...path, "precluded_by"]} />
      <Row name="Outcomes" tall>
        <Outcomes path={[...path, "outcomes"]} outcomes={at(action, "outcomes")} whose={name} hasMore />
      </Row>
      <Row name="Effects" hint="How counters change whatever comes of it">
        <Effects path={[...path, "effects"]} effects={at(action, "effects")} name={name} />
      </Row>
      <Clauses path={path} given={at(action, "given")} outcomes={at(action, "outcomes")} whose={name} outline={outline} isAction />
      <details class="more" open={at(action, "distance") !== undefined || at(action, "sample_size") !== undefined}>
        <summary>How sure the probabilities are</summary>
        <Row name="Distance" hint="How far all probabilities may be off together">
          <Text label={`Distance of ${name}`} value={text("distance")} onCommit={(to) => put([...path, "distance"], to, `the distance of ${name}`)} />
        </Row>
        <Row name="Sample size" hint="How many trials the probabilities rest on">
          <Text label={`Sample size of ${name}`} value={text("sample_size")} onCommit={(to) => put([...path, "sample_size"], to, `the sample size of ${name}`)} />
        </Row>
      </details>
      <OtherIssues path={path} known={["cost", "attempts", "requires", "precluded_by", "outcomes", "effects", "given"]} />
    </Card>
  );
}
