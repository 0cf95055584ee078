// Rewards: what is worth reaching.

import { quoted } from "../conditions";
import { Button, Issues, Pick, Row } from "../fields";
import { at, entries, events, items, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Part, Path } from "../types";
import { Group, MoveUp, type Has } from "./card";
import { ConditionEditor } from "./condition";
import { NumberField } from "./number";

/** The outcome that a new reward is paid for: the last of the last action. */
export function lastEvent(outline: Part | null): string {
  const [action, labels] = [...events(outline, false)].at(-1) ?? ["a1", ["ok"]];
  return `${quoted(action)}=${quoted(labels[0] ?? "ok")}`;
}

export function Rewards({ outline }: Has) {
  const studio = useStudio();
  const rewards = items(at(outline, "rewards"));
  const put = () => ({ when: lastEvent(outline), value: "10" });
  const add = () => void studio.editPart(["rewards"], (here, there) => [{ path: [...here, items(there).length], put: put() }], "a reward");
  return (
    <Group title="Rewards" count={rewards.length} add="reward" onAdd={add}>
      <Issues of={["rewards"]} exactly />
      {rewards.map((reward, number) => (
        <Reward key={number} reward={reward} number={number} outline={outline} />
      ))}
    </Group>
  );
}

function Reward({ reward, number, outline }: { reward: Part; number: number; outline: Part | null }) {
  const studio = useStudio();
  const path: Path = ["rewards", number];
  const name = `Reward ${number + 1}`;
  const per = textOf(at(reward, "per"));
  const counters = entries(at(outline, "counters")).map(([each]) => each);
  const pay = (to: string) => {
    const put = to === "" ? { path: [...path, "when"], put: lastEvent(outline) } : { path: [...path, "per"], put: to };
    const gone = { path: [...path, to === "" ? "per" : "when"], remove: true as const };
    const isThere = at(reward, String(gone.path[2])) !== undefined;
    void studio.edit(isThere ? [put, gone] : [put], "what a reward is paid for");
  };
  return (
    <section class="card open" aria-label={name}>
      <Row name="Value">
        <NumberField path={[...path, "value"]} part={at(reward, "value")} label={`Value of reward ${number + 1}`} what="the value of a reward" emptied="0" />
        {(counters.length > 0 || per) && (
          <Pick
            label={`What reward ${number + 1} is paid for`}
            value={per}
            options={[["", "once"], ...counters.map((each): [string, string] => [each, `for each of ${each}`])]}
            onPick={pay}
          />
        )}
        <MoveUp path={path} number={number} what={`reward ${number + 1}`} />
        <Button kind="icon" label={`Remove reward ${number + 1}`} onPress={() => studio.edit([{ path, remove: true }], "a reward")}>
          ×
        </Button>
      </Row>
      {!per && (
        <Row name="When">
          <ConditionEditor name={`${name}: when`} path={[...path, "when"]} part={at(reward, "when")} events={events(outline, true)} what="when a reward is paid" />
        </Row>
      )}
      <Issues of={path} />
    </section>
  );
}
