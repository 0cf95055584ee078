// Effects: by how much counters change.

import { Button, Issues, Pick, Text } from "../fields";
import { at, entries, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Part, Path } from "../types";

export function Effects({ path, effects, name }: { path: Path; effects: Part | undefined; name: string }) {
  const studio = useStudio();
  const counters = entries(at(studio.state.document?.outline, "counters")).map(([each]) => each);
  const known = entries(effects);
  const free = counters.filter((each) => !known.some(([counter]) => counter === each));
  if (!counters.length && !known.length) return null;
  return (
    <div class="effects">
      {known.map(([counter, change]) => (
        <div class="leaf" key={counter}>
          <Pick
            label={`Counter that ${name} changes`}
            value={counter}
            options={[counter, ...free]}
            onPick={(to) => studio.edit([{ path: [...path, counter], rename: to }], "an effect")}
          />
          <Text label={`By how much ${name} changes ${counter}`} value={textOf(change)} onCommit={(to) => studio.edit([{ path: [...path, counter], put: to }], "an effect")} />
          <Button kind="icon" label={`Remove the effect on ${counter}`} onPress={() => studio.edit([{ path: [...path, counter], remove: true }], "an effect")}>
            ×
          </Button>
        </div>
      ))}
      <Issues of={path} />
      {free.length > 0 && (
        <Button kind="quiet" label={`Add an effect of ${name}`} onPress={() => studio.edit([{ path: [...path, free[0]!], put: "+1" }], "an effect")}>
          + effect
        </Button>
      )}
    </div>
  );
}
