// Amounts: a number, or one for each resource of the budget.

import { Text } from "../fields";
import { at, entries, isMap, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Part, Path } from "../types";

interface Props {
  path: Path;
  amounts: Part | undefined;
  name: string;
  usual: string;
  what: string;
}

/** The resources that the budget names; none where it is a number. */
export function resourcesOf(outline: Part | null | undefined): string[] {
  return entries(at(outline, "budget")).map(([name]) => name);
}

export function Amounts({ path, amounts, name, usual, what }: Props) {
  const studio = useStudio();
  const resources = [...new Set([...resourcesOf(studio.state.document?.outline), ...entries(amounts).map(([each]) => each)])];
  const put = (where: Path, value: string) =>
    studio.edit([value === "" ? { path: where, remove: true } : { path: where, put: value }], what);
  if (!resources.length || (!isMap(amounts) && textOf(amounts))) {
    return <Text label={name} value={textOf(amounts)} placeholder={usual} onCommit={(to) => put(path, to)} />;
  }
  return (
    <>
      {resources.map((resource) => {
        const known = at(amounts, resource);
        return (
          <label class="amount" key={resource}>
            <Text
              label={`${name}: ${resource}`}
              value={textOf(known)}
              placeholder="0"
              onCommit={(to) => (to === "" && entries(amounts).length === 1 ? put(path, "") : put([...path, resource], to))}
            />
            {resource}
          </label>
        );
      })}
    </>
  );
}
