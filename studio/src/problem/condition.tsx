// Conditions: groups of pick lists, nested as deep as one likes.

import { useReducer, useRef } from "preact/hooks";
import { Button, Pick, Text } from "../fields";
import { conditionEdits, conditionOf } from "../conditions";
import { freshName } from "../parts";
import { useStudio } from "../studio";
import type { Condition, Part, Path } from "../types";

interface Props {
  name: string;
  path: Path;
  part: Part | undefined;
  events: Map<string, string[]>;
  what: string;
  onRemove?: () => void;
}

/** The editor of a condition, which is kept as text or as a map. */
export function ConditionEditor({ name, path, part, events, what, onRemove }: Props) {
  // What was picked last is shown, and changed further, before the server has said yes.
  const studio = useStudio();
  let condition = conditionOf(part);
  const draft = useRef<{ condition: Condition | null } | null>(null);
  if (studio.pending === 0) draft.current = null;
  if (draft.current) condition = draft.current.condition;
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const change = (changed: Condition | null) => {
    draft.current = { condition: changed };
    if (changed !== null) void studio.editPart(path, (here, there) => conditionEdits(here, there, changed), what);
    else if (onRemove) onRemove();
    else void studio.edit([{ path, remove: true }], what);
    redraw(0);
  };
  if (condition === null) {
    return (
      <Button kind="quiet" label={`Add ${name}`} onPress={() => change(firstOf(events))}>
        + add
      </Button>
    );
  }
  return <Group name={name} condition={condition} events={events} onChange={change} isRoot />;
}

function firstOf(events: Map<string, string[]>): Condition {
  const [action, outcomes] = [...events][0] ?? [freshName("a", []), []];
  return outcomes.length ? { action, outcome: outcomes[0]! } : { action };
}

interface GroupProps {
  name: string;
  condition: Condition;
  events: Map<string, string[]>;
  onChange: (condition: Condition | null) => void;
  isRoot?: boolean;
}

function Group({ name, condition, events, onChange, isRoot }: GroupProps) {
  const parts = partsOf(condition);
  if (parts === null) {
    return (
      <div class="condition">
        <Leaf name={name} condition={condition} events={events} onChange={onChange} />
        {isRoot && (
          <div class="condition-more">
            <Button kind="quiet" label={`${name}: and another`} onPress={() => onChange({ all: [condition, firstOf(events)] })}>
              and …
            </Button>
            <Button kind="quiet" label={`${name}: or another`} onPress={() => onChange({ any: [condition, firstOf(events)] })}>
              or …
            </Button>
          </div>
        )}
      </div>
    );
  }
  const kind = "all" in condition ? "all" : "any" in condition ? "any" : "at_least";
  const rebuilt = (changed: Condition[], as = kind) => {
    if (changed.length === 0) return onChange(null);
    if (changed.length === 1 && as !== "at_least") return onChange(changed[0]!);
    const count = "at_least" in condition ? condition.at_least : 2;
    if (as === "at_least") return onChange({ at_least: Math.min(count, changed.length), of: changed });
    onChange(as === "all" ? { all: changed } : { any: changed });
  };
  const kinds: [string, string][] = [
    ["all", "all of"],
    ["any", "any of"],
    ["at_least", "at least so many of"],
  ];
  return (
    <div class="condition group">
      <div class="condition-head">
        <Pick label={`${name}: how many must hold`} value={kind} options={kinds} onPick={(as) => rebuilt(parts, as as typeof kind)} />
        {"at_least" in condition && (
          <Text
            label={`${name}: so many`}
            value={String(condition.at_least)}
            onCommit={(text) => /^\d+$/.test(text) && onChange({ ...condition, at_least: Number(text) })}
          />
        )}
      </div>
      {parts.map((part, number) => (
        <Group
          key={number}
          name={name}
          condition={part}
          events={events}
          onChange={(changed) =>
            rebuilt(changed === null ? parts.filter((_, n) => n !== number) : parts.map((each, n) => (n === number ? changed : each)))
          }
        />
      ))}
      <div class="condition-more">
        <Button kind="quiet" label={`${name}: one more in this group`} onPress={() => rebuilt([...parts, firstOf(events)])}>
          + one more
        </Button>
        <Button
          kind="quiet"
          label={`${name}: a group inside`}
          onPress={() => {
            const inside = [firstOf(events), firstOf(events)];
            rebuilt([...parts, kind === "all" ? { any: inside } : { all: inside }]);
          }}
        >
          + group
        </Button>
      </div>
    </div>
  );
}

function partsOf(condition: Condition): Condition[] | null {
  if ("all" in condition) return condition.all;
  if ("any" in condition) return condition.any;
  return "at_least" in condition ? condition.of : null;
}

const ANY = "\u0000any";
const TEXT = "\u0000text";

function Leaf({ name, condition, events, onChange }: Omit<GroupProps, "isRoot">) {
  const isNot = "not" in condition;
  const inner = isNot ? condition.not : condition;
  const put = (changed: Condition) => onChange(isNot ? { not: changed } : changed);
  const names = [...events.keys()].map((each): [string, string] => [each, each]);
  const isEvent = "action" in inner;
  const pick = (action: string) => {
    if (action === TEXT) return put({ text: "always" });
    const outcomes = events.get(action) ?? [];
    put(outcomes.length ? { action, outcome: outcomes[0]! } : { action });
  };
  return (
    <div class="leaf">
      <Pick
        label={`${name}: whether it holds`}
        value={isNot ? "not" : "is"}
        options={[
          ["is", "is"],
          ["not", "not"],
        ]}
        onPick={(as) => onChange(as === "not" ? { not: inner } : inner)}
      />
      {"all" in inner || "any" in inner || "at_least" in inner ? (
        <Group name={name} condition={inner} events={events} onChange={(changed) => (changed === null ? onChange(null) : put(changed))} />
      ) : (
        <>
          <Pick label={`${name}: what`} value={isEvent ? inner.action : TEXT} options={[...names, [TEXT, "comparison …"]]} onPick={pick} />
          {isEvent ? (
            <Pick
              label={`${name}: outcome`}
              value={inner.outcome ?? ANY}
              options={[[ANY, "tried, however it ends"], ...(events.get(inner.action) ?? []).map((each): [string, string] => [each, each])]}
              onPick={(outcome) => put(outcome === ANY ? { action: inner.action } : { action: inner.action, outcome })}
            />
          ) : (
            <Text label={`${name}: comparison, such as doses >= 1`} wide value={"text" in inner ? inner.text : ""} onCommit={(text) => put({ text })} />
          )}
        </>
      )}
      <Button kind="icon" label={`${name}: remove this condition`} onPress={() => onChange(null)}>
        ×
      </Button>
    </div>
  );
}
