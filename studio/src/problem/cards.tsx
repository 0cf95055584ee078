// The problem as cards: every word of the format, without a line of YAML.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button, Issues, Pick, Row, Text } from "../fields";
import { at, conditionOf, entries, events, freshName, isMap, items, textOf, valueOf } from "../parts";
import { useStudio } from "../studio";
import type { Part, Path } from "../types";
import { Amounts, resourcesOf } from "./amounts";
import { ConditionEditor } from "./condition";
import { Effects } from "./effects";
import { Outcomes } from "./outcomes";

export function Cards() {
  const outline = useStudio().state.document?.outline ?? null;
  return (
    <div class="cards">
      <Whole outline={outline} />
      <Actions outline={outline} />
      <Rewards outline={outline} />
      <Facts outline={outline} />
      <Counters outline={outline} />
      <Parameters outline={outline} />
      <Defenses outline={outline} />
    </div>
  );
}

interface Has {
  outline: Part | null;
}

/** Set a part to a text; nothing removes it. */
function usePut() {
  const studio = useStudio();
  return (path: Path, value: string, what: string) =>
    void studio.edit([value === "" ? { path, remove: true } : { path, put: value }], what);
}

function Group({ title, count, add, onAdd, children }: { title: string; count: number; add: string; onAdd: () => void; children: ComponentChildren }) {
  return (
    <section class="cards-group" aria-label={title}>
      <h2>
        {title} <small>{count || ""}</small>
      </h2>
      {children}
      <Button onPress={onAdd}>+ {add}</Button>
    </section>
  );
}

function Whole({ outline }: Has) {
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
      <details class="more" open={["cost_weight", "finish", "objective", "unfinished"].some((key) => at(outline, key) !== undefined)}>
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
          <ConditionEditor name="Must finish" condition={conditionOf(at(outline, "finish"))} events={events(outline, false)} onChange={(to) => put(["finish"], to ?? "", "what must be finished")} />
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

function Budget({ outline }: Has) {
  const studio = useStudio();
  const put = usePut();
  const budget = at(outline, "budget");
  const resources = resourcesOf(outline);
  const add = () => {
    const name = freshName("resource ", resources);
    const value = isMap(budget) ? { ...(valueOf(budget!) as object), [name]: "1" } : { money: textOf(budget) || "unlimited" };
    void studio.edit([{ path: ["budget"], put: value }], "a resource");
  };
  return (
    <>
      <Row name="Budget">
        {isMap(budget) ? (
          entries(budget).map(([resource, limit]) => (
            <div class="leaf" key={resource}>
              <Text label={`Name of resource ${resource}`} value={resource} onCommit={(to) => studio.edit([{ path: ["budget", resource], rename: to }], "a resource")} />
              <Text label={`Budget of ${resource}`} value={textOf(limit)} placeholder="unlimited" onCommit={(to) => put(["budget", resource], to || "unlimited", "the budget")} />
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

function Actions({ outline }: Has) {
  const studio = useStudio();
  const actions = entries(at(outline, "actions"));
  const add = () => {
    const name = freshName("a", actions.map(([each]) => each));
    void studio.edit([{ path: ["actions", name], put: { outcomes: { fail: "0.5", ok: "0.5" } } }], "an action");
  };
  return (
    <Group title="Actions" count={actions.length} add="action" onAdd={add}>
      <Issues of={["actions"]} exactly />
      {actions.map(([name, action], number) => (
        <ActionCard key={number} name={name} action={action} outline={outline} />
      ))}
    </Group>
  );
}

/** A card that opens; closed, it says in a line what is in it. */
function Card({ title, short, children, what, path }: { title: string; short: string; children: ComponentChildren; what: string; path: Path }) {
  const studio = useStudio();
  const hasIssue = studio.state.document?.issues.some((issue) => path.every((step, n) => issue.path[n] === step) && issue.severity === "error");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (hasIssue) setOpen(true);
  }, [hasIssue]);
  return (
    <details class={`card ${hasIssue ? "wrong" : ""}`} open={isOpen} onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{title}</strong>
        <span class="short">{short}</span>
      </summary>
      {children}
      <div class="card-foot">
        <Button kind="quiet" label={`Remove ${what} ${title}`} onPress={() => studio.edit([{ path, remove: true }], `${what} ${title}`)}>
          Remove {what}
        </Button>
      </div>
    </details>
  );
}

function ActionCard({ name, action, outline }: { name: string; action: Part; outline: Part | null }) {
  const studio = useStudio();
  const put = usePut();
  const path: Path = ["actions", name];
  const text = (key: string) => textOf(at(action, key));
  const outcomes = entries(at(action, "outcomes")).map(([label]) => label);
  if (typeof action === "object" && "alias" in action) {
    return <p class="issue">{name} is written as an alias; edit it in the tab YAML.</p>;
  }
  const condition = (key: string, what: string) => (
    <>
      <ConditionEditor
        name={`${what} of ${name}`}
        condition={conditionOf(at(action, key))}
        events={events(outline, false)}
        onChange={(to) => put([...path, key], to ?? "", `what ${name} ${what}`)}
      />
    </>
  );
  return (
    <Card title={name} short={outcomes.join(" · ")} what="action" path={path}>
      <Row name="Name">
        <Text label={`Name of action ${name}`} wide value={name} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${name}`)} />
      </Row>
      <Row name="Cost">
        <Amounts path={[...path, "cost"]} amounts={at(action, "cost")} name={`Cost of ${name}`} usual="1" what={`the cost of ${name}`} />
      </Row>
      <Issues of={[...path, "cost"]} />
      <Row name="Attempts">
        <Text label={`Attempts of ${name}`} value={text("attempts")} placeholder="1" onCommit={(to) => put([...path, "attempts"], to, `the attempts of ${name}`)} />
      </Row>
      <Issues of={[...path, "attempts"]} />
      <Row name="Needs">{condition("requires", "needs")}</Row>
      <Issues of={[...path, "requires"]} />
      <Row name="Ruled out by">{condition("precluded_by", "is ruled out by")}</Row>
      <Issues of={[...path, "precluded_by"]} />
      <Row name="Outcomes" tall>
        <Outcomes path={[...path, "outcomes"]} outcomes={at(action, "outcomes")} whose={name} />
      </Row>
      <Row name="Effects" hint="How counters change whatever comes of it">
        <Effects path={[...path, "effects"]} effects={at(action, "effects")} name={name} />
      </Row>
      <Clauses path={path} given={at(action, "given")} outcomes={at(action, "outcomes")} whose={name} outline={outline} hasCost />
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

function OtherIssues({ path, known }: { path: Path; known: string[] }) {
  const issues = useStudio().state.document?.issues ?? [];
  const others = issues.filter(
    (issue) => path.every((step, n) => issue.path[n] === step) && issue.path.length > path.length && !known.includes(String(issue.path[path.length])),
  );
  return (
    <>
      <Issues of={path} exactly />
      {others.map((issue, number) => (
        <Issues key={number} of={issue.path} exactly />
      ))}
    </>
  );
}

interface ClausesProps {
  path: Path;
  given: Part | undefined;
  outcomes: Part | undefined;
  whose: string;
  outline: Part | null;
  hasCost?: boolean;
}

/** What changes the probabilities: the first clause that holds counts. */
function Clauses({ path, given, outcomes, whose, outline, hasCost }: ClausesProps) {
  const studio = useStudio();
  const put = usePut();
  const clauses = items(given);
  const add = () => {
    const known = events(outline, true);
    known.delete(whose);
    const [first, labels] = [...known][0] ?? [whose, []];
    const when = labels.length ? `${JSON.stringify(first)}=${JSON.stringify(labels[0])}` : JSON.stringify(first);
    const value = { when, outcomes: valueOf(outcomes ?? { map: [] }) };
    void studio.edit([{ path: [...path, "given", clauses.length], put: bare(value) }], `a clause of ${whose}`);
  };
  return (
    <Row name="Given" tall hint="What changes the probabilities: the first clause that holds counts">
      <div class="clauses">
        {clauses.map((clause, number) => {
          const here: Path = [...path, "given", number];
          return (
            <fieldset class="clause" key={number}>
              <legend>Clause {number + 1}</legend>
              <ConditionEditor
                name={`Clause ${number + 1} of ${whose}`}
                condition={conditionOf(at(clause, "when"))}
                events={events(outline, true)}
                onChange={(to) => (to === null ? void studio.edit([{ path: here, remove: true }], "a clause") : put([...here, "when"], to, "when a clause counts"))}
              />
              <Issues of={[...here, "when"]} />
              <Outcomes path={[...here, "outcomes"]} outcomes={at(clause, "outcomes")} whose={`${whose} in clause ${number + 1}`} isClause />
              {hasCost && (
                <label class="amount">
                  costs
                  <Amounts path={[...here, "cost"]} amounts={at(clause, "cost")} name={`Cost of ${whose} in clause ${number + 1}`} usual="as before" what="the cost in a clause" />
                </label>
              )}
              <Button kind="quiet" label={`Remove clause ${number + 1} of ${whose}`} onPress={() => studio.edit([{ path: here, remove: true }], "a clause")}>
                Remove clause
              </Button>
            </fieldset>
          );
        })}
        <Button kind="quiet" label={`Add a clause of ${whose}`} onPress={add}>
          + clause
        </Button>
      </div>
    </Row>
  );
}

/** Quotes that a condition does not need are left out; outcomes say probabilities only. */
function bare(value: { when: string; outcomes: unknown }) {
  const outcomes = Object.fromEntries(
    Object.entries(value.outcomes as Record<string, unknown>).map(([label, each]) => [
      label,
      typeof each === "string" ? each : String((each as Record<string, unknown>)["probability"] ?? "rest"),
    ]),
  );
  return { when: value.when.replace(/"([\w-]+)"/g, "$1"), outcomes };
}

function Rewards({ outline }: Has) {
  const studio = useStudio();
  const put = usePut();
  const rewards = items(at(outline, "rewards"));
  const counters = entries(at(outline, "counters")).map(([name]) => name);
  const add = () => {
    const [action, labels] = [...events(outline, false)].at(-1) ?? ["a1", ["ok"]];
    const when = bare({ when: `${JSON.stringify(action)}=${JSON.stringify(labels[0] ?? "ok")}`, outcomes: {} }).when;
    void studio.edit([{ path: ["rewards", rewards.length], put: { when, value: "10" } }], "a reward");
  };
  return (
    <Group title="Rewards" count={rewards.length} add="reward" onAdd={add}>
      <Issues of={["rewards"]} exactly />
      {rewards.map((reward, number) => {
        const path: Path = ["rewards", number];
        const name = `Reward ${number + 1}`;
        const per = at(reward, "per");
        return (
          <section class="card open" key={number} aria-label={name}>
            <Row name="Value">
              <Text label={`Value of reward ${number + 1}`} value={textOf(at(reward, "value"))} onCommit={(to) => put([...path, "value"], to || "0", "the value of a reward")} />
              {counters.length > 0 && (
                <Pick
                  label={`What reward ${number + 1} is paid for`}
                  value={textOf(per)}
                  options={[["", "once"], ...counters.map((each): [string, string] => [each, `for each of ${each}`])]}
                  onPick={(to) =>
                    studio.edit(
                      [{ path, put: to === "" ? { when: "always", value: textOf(at(reward, "value")) } : { per: to, value: textOf(at(reward, "value")) } }],
                      "what a reward is paid for",
                    )
                  }
                />
              )}
              <Button kind="icon" label={`Remove reward ${number + 1}`} onPress={() => studio.edit([{ path, remove: true }], "a reward")}>
                ×
              </Button>
            </Row>
            {per === undefined && (
              <Row name="When">
                <ConditionEditor
                  name={`${name}: when`}
                  condition={conditionOf(at(reward, "when"))}
                  events={events(outline, true)}
                  onChange={(to) => put([...path, "when"], to ?? "always", "when a reward is paid")}
                />
              </Row>
            )}
            <Issues of={path} />
          </section>
        );
      })}
    </Group>
  );
}

function Facts({ outline }: Has) {
  const studio = useStudio();
  const facts = entries(at(outline, "hidden"));
  const add = () => {
    const name = freshName("fact", facts.map(([each]) => each));
    void studio.edit([{ path: ["hidden", name], put: { yes: "0.5", no: "rest" } }], "a hidden fact");
  };
  return (
    <Group title="Hidden facts" count={facts.length} add="hidden fact" onAdd={add}>
      {facts.map(([name, fact], number) => {
        const path: Path = ["hidden", name];
        const isLong = at(fact, "outcomes") !== undefined;
        const outcomes = isLong ? at(fact, "outcomes") : fact;
        return (
          <Card key={number} title={name} short={entries(outcomes).map(([label]) => label).join(" · ")} what="hidden fact" path={path}>
            <Row name="Name">
              <Text label={`Name of hidden fact ${name}`} wide value={name} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${name}`)} />
            </Row>
            <Row name="It may be" tall>
              <Outcomes path={isLong ? [...path, "outcomes"] : path} outcomes={outcomes} whose={name} isFact />
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
            <Tells fact={name} outcomes={entries(outcomes).map(([label]) => label)} outline={outline} />
          </Card>
        );
      })}
      <Issues of={["hidden"]} exactly />
    </Group>
  );
}

/** Which tests tell something of a hidden fact: how often they are right. */
function Tells({ fact, outcomes, outline }: { fact: string; outcomes: string[]; outline: Part | null }) {
  const studio = useStudio();
  const tests = entries(at(outline, "actions")).filter(([, action]) => entries(at(action, "outcomes")).length === 2);
  const add = (test: string) => {
    const [positive, negative] = entries(at(outline, "actions", test, "outcomes")).map(([label]) => label);
    const where: Path = ["actions", test];
    const number = items(at(outline, "actions", test, "given")).length;
    const when = bare({ when: `${JSON.stringify(fact)}=${JSON.stringify(outcomes[0])}`, outcomes: {} }).when;
    void studio.edit(
      [
        { path: [...where, "outcomes", positive!], put: "0.1" },
        { path: [...where, "outcomes", negative!], put: "rest" },
        { path: [...where, "given", number], put: { when, outcomes: { [positive!]: "0.9", [negative!]: "rest" } } },
      ],
      `a test of ${fact}`,
    );
  };
  if (outcomes.length !== 2 || !tests.length) return null;
  return (
    <Row name="Test" hint="Sensitivity 0.9 and specificity 0.9, to be changed in the action">
      <Pick label={`An action that tests ${fact}`} value="" options={[["", "let an action test it …"], ...tests.map(([name]): [string, string] => [name, name])]} onPick={add} />
    </Row>
  );
}

function Counters({ outline }: Has) {
  const studio = useStudio();
  const put = usePut();
  const counters = entries(at(outline, "counters"));
  const add = () => {
    const name = freshName("counter", counters.map(([each]) => each));
    void studio.edit([{ path: ["counters", name], put: { range: "0..3" } }], "a counter");
  };
  return (
    <Group title="Counters" count={counters.length} add="counter" onAdd={add}>
      {counters.map(([name, counter], number) => (
        <section class="card open" key={number} aria-label={`Counter ${name}`}>
          <div class="leaf">
            <Text label={`Name of counter ${name}`} value={name} onCommit={(to) => studio.edit([{ path: ["counters", name], rename: to }], `the name of ${name}`)} />
            <Text label={`Range of ${name}`} value={textOf(at(counter, "range"))} placeholder="0..3" onCommit={(to) => put(["counters", name, "range"], to, "the range of a counter")} />
            <Text label={`Start of ${name}`} value={textOf(at(counter, "start"))} placeholder="starts at 0" onCommit={(to) => put(["counters", name, "start"], to, "the start of a counter")} />
            <Button kind="icon" label={`Remove counter ${name}`} onPress={() => studio.edit([{ path: ["counters", name], remove: true }], `counter ${name}`)}>
              ×
            </Button>
          </div>
          <Issues of={["counters", name]} />
        </section>
      ))}
    </Group>
  );
}

function Parameters({ outline }: Has) {
  const studio = useStudio();
  const put = usePut();
  const parameters = entries(at(outline, "parameters"));
  const add = () => {
    const name = freshName("p", parameters.map(([each]) => each));
    void studio.edit([{ path: ["parameters", name], put: "0.5" }], "a parameter");
  };
  return (
    <Group title="Parameters" count={parameters.length} add="parameter" onAdd={add}>
      {parameters.map(([name, value], number) => (
        <div class="leaf" key={number}>
          <Text label={`Name of parameter ${name}`} value={name} onCommit={(to) => studio.edit([{ path: ["parameters", name], rename: to }], `the name of ${name}`)} />
          <Text label={`Value of parameter ${name}`} value={textOf(value)} onCommit={(to) => put(["parameters", name], to || "0", `parameter ${name}`)} />
          <Button kind="icon" label={`Remove parameter ${name}`} onPress={() => studio.edit([{ path: ["parameters", name], remove: true }], `parameter ${name}`)}>
            ×
          </Button>
        </div>
      ))}
      <Issues of={["parameters"]} />
    </Group>
  );
}

function Defenses({ outline }: Has) {
  const studio = useStudio();
  const put = usePut();
  const defenses = entries(at(outline, "defenses"));
  const actions = entries(at(outline, "actions")).map(([name]) => name);
  const add = () => {
    const name = freshName("defense", defenses.map(([each]) => each));
    void studio.edit([{ path: ["defenses", name], put: { cost: "1", forbids: [actions[0] ?? "a1"] } }], "a defense");
  };
  return (
    <Group title="Defenses" count={defenses.length} add="defense" onAdd={add}>
      {defenses.length > 0 && (
        <Row name="Defender's budget">
          <Text label="Budget of the defender" value={textOf(at(outline, "defense_budget"))} placeholder="unlimited" onCommit={(to) => put(["defense_budget"], to, "the defender's budget")} />
        </Row>
      )}
      {defenses.map(([name, defense], number) => {
        const path: Path = ["defenses", name];
        const forbidden = items(at(defense, "forbids")).map(textOf);
        return (
          <section class="card open" key={number} aria-label={`Defense ${name}`}>
            <div class="leaf">
              <Text label={`Name of defense ${name}`} value={name} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${name}`)} />
              <Text label={`Cost of defense ${name}`} value={textOf(at(defense, "cost"))} placeholder="1" onCommit={(to) => put([...path, "cost"], to, "the cost of a defense")} />
              <Button kind="icon" label={`Remove defense ${name}`} onPress={() => studio.edit([{ path, remove: true }], `defense ${name}`)}>
                ×
              </Button>
            </div>
            <Row name="Forbids">
              {forbidden.map((each, n) => (
                <Pick key={n} label={`Action ${n + 1} that ${name} forbids`} value={each} options={actions} onPick={(to) => studio.edit([{ path: [...path, "forbids", n], put: to }], "what a defense forbids")} />
              ))}
              <Button kind="quiet" label={`One more action that ${name} forbids`} onPress={() => studio.edit([{ path: [...path, "forbids", forbidden.length], put: actions[0] ?? "" }], "what a defense forbids")}>
                + action
              </Button>
            </Row>
            <Issues of={path} />
          </section>
        );
      })}
    </Group>
  );
}
