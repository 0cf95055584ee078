// Defenses: what an opponent may do beforehand.

import { Button, Issues, Pick, Row, Text } from "../fields";
import { added, at, entries, items, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Part, Path, Value } from "../types";
import { Amounts, resourcesOf } from "./amounts";
import { Card, Group, OtherIssues, usePut, type Has } from "./card";
import { plainShares } from "./clauses";
import { Outcomes } from "./outcomes";

export function Defenses({ outline }: Has) {
  const studio = useStudio();
  const putText = usePut();
  const defenses = entries(at(outline, "defenses"));
  const names = defenses.map(([name]) => name);
  const actions = entries(at(outline, "actions")).map(([name]) => name);
  const put = { cost: "1", forbids: [actions[0] ?? "a1"] };
  const add = () => void studio.editPart(["defenses"], (here, there) => added(here, there, "defense", put), "a defense");
  return (
    <Group title="Defenses" count={defenses.length} add="defense" onAdd={add}>
      {(defenses.length > 0 || at(outline, "defense_budget") !== undefined) && (
        <Row name="Defender's budget">
          <Text label="Budget of the defender" value={textOf(at(outline, "defense_budget"))} placeholder="unlimited" onCommit={(to) => putText(["defense_budget"], to, "the defender's budget")} />
        </Row>
      )}
      <Issues of={["defense_budget"]} />
      {defenses.map(([name, defense], number) => (
        <DefenseCard key={number} name={name} defense={defense} number={number} names={names} outline={outline} />
      ))}
    </Group>
  );
}

interface Props extends Has {
  name: string;
  defense: Part;
  number: number;
  names: string[];
}

function DefenseCard({ name, defense, number, names, outline }: Props) {
  const studio = useStudio();
  const put = usePut();
  const path: Path = ["defenses", name];
  const actions = entries(at(outline, "actions")).map(([each]) => each);
  const does = ["forbids", "raises", "changes", "scales"].filter((key) => at(defense, key) !== undefined);
  return (
    <Card title={name} short={does.join(" · ")} what="defense" path={path} number={number}>
      <Row name="Name">
        <Text label={`Name of defense ${name}`} wide value={name} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${name}`)} />
      </Row>
      <Row name="Cost">
        <Text label={`Cost of defense ${name}`} value={textOf(at(defense, "cost"))} placeholder="1" onCommit={(to) => put([...path, "cost"], to, "the cost of a defense")} />
      </Row>
      <Issues of={[...path, "cost"]} />
      <Row name="Not with" hint="Defenses that cannot be chosen together with it">
        <Names path={[...path, "excludes"]} part={at(defense, "excludes")} known={names.filter((each) => each !== name)} label={`${name}: not with`} />
      </Row>
      <Row name="Forbids" hint="Actions that can no longer be taken">
        <Names path={[...path, "forbids"]} part={at(defense, "forbids")} known={actions} label={`${name}: forbids`} />
      </Row>
      <ByAction path={path} defense={defense} title="Raises" hint="What is added to the cost of actions" outline={outline} begun={() => raiseOf(outline)}>
        {(where, part, action) => <Amounts path={where} amounts={part} name={`What ${name} adds to the cost of ${action}`} usual="0" what="what a defense adds" />}
      </ByAction>
      <ByAction path={path} defense={defense} title="Changes" hint="Probabilities that replace those of actions" outline={outline} begun={(action) => plainShares(at(outline, "actions", action, "outcomes"))}>
        {(where, part, action) => <Outcomes path={where} outcomes={part} whose={`${action} under ${name}`} labels={labelsOf(outline, action)} />}
      </ByAction>
      <ByAction path={path} defense={defense} title="Scales" hint="The share that is left of the probability of outcomes" outline={outline} begun={(action) => ({ [labelsOf(outline, action)[0] ?? ""]: "0.5" })}>
        {(where, part, action) => <Shares path={where} part={part} labels={labelsOf(outline, action)} label={`What ${name} leaves of ${action}`} />}
      </ByAction>
      <OtherIssues path={path} known={["cost"]} />
    </Card>
  );
}

function labelsOf(outline: Part | null, action: string): string[] {
  return entries(at(outline, "actions", action, "outcomes")).map(([label]) => label);
}

function raiseOf(outline: Part | null): Value {
  const [resource] = resourcesOf(outline);
  return resource === undefined ? "1" : { [resource]: "1" };
}

/** A list of names, which may be written as one name. */
function Names({ path, part, known, label }: { path: Path; part: Part | undefined; known: string[]; label: string }) {
  const studio = useStudio();
  const one = textOf(part);
  const names = one ? [one] : items(part).map(textOf);
  const free = known.filter((each) => !names.includes(each));
  const put = (changed: string[]) => void studio.edit([changed.length ? { path, put: changed } : { path, remove: true }], "a defense");
  return (
    <>
      {names.map((each, number) => (
        <span class="leaf" key={number}>
          <Pick label={`${label} ${number + 1}`} value={each} options={[each, ...free]} onPick={(to) => put(names.map((other, n) => (n === number ? to : other)))} />
          <Button kind="icon" label={`${label}: remove ${each}`} onPress={() => put(names.filter((_, n) => n !== number))}>
            ×
          </Button>
        </span>
      ))}
      {free.length > 0 && (
        <Button kind="quiet" label={`${label}: one more`} onPress={() => put([...names, free[0]!])}>
          + add
        </Button>
      )}
    </>
  );
}

interface ByActionProps extends Has {
  path: Path;
  defense: Part;
  title: string;
  hint: string;
  begun: (action: string) => Value;
  children: (path: Path, part: Part, action: string) => preact.ComponentChildren;
}

/** What a defense does to each of some actions. */
function ByAction({ path, defense, title, hint, outline, begun, children }: ByActionProps) {
  const studio = useStudio();
  const key = title.toLowerCase();
  const here: Path = [...path, key];
  const known = entries(at(defense, key));
  const name = String(path.at(-1));
  const free = entries(at(outline, "actions")).map(([each]) => each).filter((each) => !known.some(([action]) => action === each));
  const add = (action: string) => void studio.edit([{ path: [...here, action], put: begun(action) }], "a defense");
  return (
    <Row name={title} hint={hint} tall={known.length > 0}>
      {known.map(([action, part]) => (
        <fieldset class="clause" key={action}>
          <legend>{action}</legend>
          {children([...here, action], part, action)}
          <Button
            kind="quiet"
            label={`${name}: ${key} nothing of ${action}`}
            onPress={() => studio.edit([{ path: known.length === 1 ? here : [...here, action], remove: true }], "a defense")}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      {free.length > 0 && <Pick label={`${name}: ${key} another action`} value="" options={[["", "an action …"], ...free.map((each): [string, string] => [each, each])]} onPick={add} />}
    </Row>
  );
}

/** Shares of outcomes; those that are not named stay whole. */
function Shares({ path, part, labels, label }: { path: Path; part: Part; labels: string[]; label: string }) {
  const studio = useStudio();
  const all = [...new Set([...labels, ...entries(part).map(([each]) => each)])];
  return (
    <>
      {all.map((each) => (
        <label class="amount" key={each}>
          <Text
            label={`${label}=${each}`}
            value={textOf(at(part, each))}
            placeholder="all"
            onCommit={(to) => studio.edit([to === "" ? { path: [...path, each], remove: true } : { path: [...path, each], put: to }], "a share")}
          />
          of {each}
        </label>
      ))}
      <Issues of={path} exactly />
    </>
  );
}
