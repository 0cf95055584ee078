// Counters and parameters: numbers with a name.

import { Button, Issues, Text } from "../fields";
import { added, at, entries, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Path } from "../types";
import { Group, MoveUp, usePut, type Has } from "./card";
import { NumberField } from "./number";

export function Counters({ outline }: Has) {
  const studio = useStudio();
  const put = usePut();
  const counters = entries(at(outline, "counters"));
  const add = () => void studio.editPart(["counters"], (here, there) => added(here, there, "counter", { range: "0..3" }), "a counter");
  return (
    <Group title="Counters" count={counters.length} add="counter" onAdd={add}>
      {counters.map(([name, counter], number) => {
        const path: Path = ["counters", name];
        return (
          <section class="card open" key={number} aria-label={`Counter ${name}`}>
            <div class="leaf">
              <Text label={`Name of counter ${name}`} value={name} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${name}`)} />
              <MoveUp path={path} number={number} what={`counter ${name}`} />
              <Button kind="icon" label={`Remove counter ${name}`} onPress={() => studio.edit([{ path, remove: true }], `counter ${name}`)}>
                ×
              </Button>
            </div>
            <div class="leaf">
              <label class="amount">
                range
                <Text label={`Range of ${name}`} value={textOf(at(counter, "range"))} placeholder="0..3" onCommit={(to) => put([...path, "range"], to, "the range of a counter")} />
              </label>
              <label class="amount">
                start
                <Text label={`Start of ${name}`} value={textOf(at(counter, "start"))} placeholder="at 0" onCommit={(to) => put([...path, "start"], to, "the start of a counter")} />
              </label>
            </div>
            <Issues of={path} />
          </section>
        );
      })}
    </Group>
  );
}

export function Parameters({ outline }: Has) {
  const studio = useStudio();
  const parameters = entries(at(outline, "parameters"));
  const add = () => void studio.editPart(["parameters"], (here, there) => added(here, there, "p", "0.5"), "a parameter");
  return (
    <Group title="Parameters" count={parameters.length} add="parameter" onAdd={add}>
      {parameters.map(([name, value], number) => {
        const path: Path = ["parameters", name];
        return (
          <div class="leaf" key={number}>
            <Text label={`Name of parameter ${name}`} value={name} onCommit={(to) => studio.edit([{ path, rename: to }], `the name of ${name}`)} />
            <NumberField path={path} part={value} label={`Value of parameter ${name}`} what={`parameter ${name}`} emptied="0" />
            <MoveUp path={path} number={number} what={`parameter ${name}`} />
            <Button kind="icon" label={`Remove parameter ${name}`} onPress={() => studio.edit([{ path, remove: true }], `parameter ${name}`)}>
              ×
            </Button>
          </div>
        );
      })}
      <Issues of={["parameters"]} />
    </Group>
  );
}
