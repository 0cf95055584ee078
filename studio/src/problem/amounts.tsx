// Amounts: a number, or one for each resource of the budget.

import { at, entries, isMap, isMeasure, textOf } from "../parts";
import { useStudio } from "../studio";
import type { Edit, Part, Path } from "../types";
import { NumberField } from "./number";

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
  const isOne = isMeasure(amounts) || (!isMap(amounts) && textOf(amounts) !== "");
  const named = isOne ? [] : entries(amounts).map(([each]) => each);
  const resources = [...new Set([...resourcesOf(studio.state.document?.outline), ...named])];
  if (!resources.length || isOne) {
    return <NumberField path={path} part={amounts} label={name} placeholder={usual} what={what} />;
  }
  return (
    <>
      {resources.map((resource) => (
        <label class="amount" key={resource}>
          <NumberField
            path={[...path, resource]}
            removed={named.length === 1 ? path : undefined}
            part={at(amounts, resource)}
            label={`${name}: ${resource}`}
            placeholder="0"
            what={what}
          />
          {resource}
        </label>
      ))}
    </>
  );
}

/** The edits that count every plain cost in a resource, once there are several. */
export function countedIn(resource: string, outline: Part | null): Edit[] {
  const edits: Edit[] = [];
  const count = (path: Path, cost: Part | undefined, usual: string) => {
    const isOne = isMeasure(cost) || (!isMap(cost) && textOf(cost) !== "");
    const value = isMeasure(cost) ? Object.fromEntries(entries(cost).map(([key, each]) => [key, textOf(each)])) : textOf(cost) || usual;
    if (isOne || (cost === undefined && usual)) edits.push({ path, put: { [resource]: value } });
  };
  for (const [name, action] of entries(at(outline, "actions"))) {
    const path: Path = ["actions", name];
    count([...path, "cost"], at(action, "cost"), "1");
    for (const [label, outcome] of entries(at(action, "outcomes"))) count([...path, "outcomes", label, "cost"], at(outcome, "cost"), "");
    const clauses = at(action, "given");
    const list = clauses && typeof clauses === "object" && "list" in clauses ? clauses.list : [];
    list.forEach((clause, number) => count([...path, "given", number, "cost"], at(clause, "cost"), ""));
  }
  return edits;
}
