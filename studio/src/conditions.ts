// Conditions: taken apart, put together as text, and changed where they stand.

import { entries, isMap, items } from "./parts";
import type { Condition, Edit, Part, Path, Value } from "./types";

/** The condition of a part; null where there is none or only its text. */
export function conditionOf(part: Part | undefined): Condition | null {
  if (part === undefined || part === "") return null;
  if (typeof part === "string") return part ? { text: part } : null;
  if ("text" in part) return part.condition ?? { text: part.text };
  if ("map" in part) {
    const [key, value] = part.map[0] ?? ["", ""];
    if (key === "all" || key === "any") {
      const inside = items(value).flatMap((each) => conditionOf(each) ?? []);
      return key === "all" ? { all: inside } : { any: inside };
    }
    if (key === "not") {
      const inside = conditionOf(value);
      return inside && { not: inside };
    }
    if (key === "at_least") {
      const [number, list] = entries(value)[0] ?? ["1", ""];
      const of = items(list as Part).flatMap((each) => conditionOf(each) ?? []);
      return { at_least: Number(number), of };
    }
  }
  return null;
}

const BARE = /^[^\s()=,"'&|!<>]+$/;
const KEYWORDS = new Set(["and", "or", "not", "always", "never"]);

/** A name as conditions write it. */
export function quoted(name: string): string {
  return BARE.test(name) && !KEYWORDS.has(name.toLowerCase()) ? name : JSON.stringify(name);
}

/** A condition as text. */
export function conditionText(condition: Condition, inside: "" | "all" | "any" | "not" = ""): string {
  if ("action" in condition) {
    const name = quoted(condition.action);
    return condition.outcome === undefined ? name : `${name}=${quoted(condition.outcome)}`;
  }
  if ("text" in condition) return condition.text;
  if ("not" in condition) return `not ${conditionText(condition.not, "not")}`;
  if ("at_least" in condition) {
    return `at least ${condition.at_least} of (${condition.of.map((each) => conditionText(each)).join(", ")})`;
  }
  const kind = "all" in condition ? "all" : "any";
  const parts = "all" in condition ? condition.all : condition.any;
  if (parts.length === 1) return conditionText(parts[0]!, inside);
  const text = parts.map((each) => conditionText(each, kind)).join(kind === "all" ? " and " : " or ");
  const isLoose = inside === "" || inside === kind || (inside === "any" && kind === "all");
  return isLoose ? text : `(${text})`;
}

/** The condition that holds where both do; or either. */
export function joined(kind: "all" | "any", first: Condition | null, second: Condition): Condition {
  if (first === null) return second;
  if (kind === "all") return { all: [...("all" in first ? first.all : [first]), second] };
  return { any: [...("any" in first ? first.any : [first]), second] };
}


/** A condition as a map of lists, in which only what is no group is text. */
function conditionValue(condition: Condition): Value {
  if ("all" in condition) return { all: condition.all.map(conditionValue) };
  if ("any" in condition) return { any: condition.any.map(conditionValue) };
  if ("at_least" in condition) return { at_least: { [condition.at_least]: condition.of.map(conditionValue) } };
  const isGroup = "not" in condition && !("action" in condition.not || "text" in condition.not);
  return isGroup ? { not: conditionValue(condition.not) } : conditionText(condition);
}

/** The edits after which a condition is another one: text stays text, and a map a map. */
export function conditionEdits(path: Path, part: Part | undefined, wanted: Condition): Edit[] {
  if (!isMap(part)) {
    const text = conditionText(wanted);
    return part !== undefined && conditionOf(part) !== null && text === conditionText(conditionOf(part)!) ? [] : [{ path, put: text }];
  }
  return mapEdits(path, part!, wanted) ?? [{ path, put: conditionValue(wanted) }];
}

/** The same within a map; null where it is better written anew. */
function mapEdits(path: Path, part: Part, wanted: Condition): Edit[] | null {
  const [[key, value] = ["", ""], ...more] = entries(part);
  if (more.length || conditionOf(part) === null) return null;
  if (key === "not") return "not" in wanted ? conditionEdits([...path, key], value, wanted.not) : null;
  if ("at_least" in wanted && key === "at_least") {
    const [[count, list] = ["", ""]] = entries(value);
    const number = String(wanted.at_least);
    const inside = listEdits([...path, key, number], items(list), wanted.of);
    return inside && [...(count === number ? [] : [{ path: [...path, key, count], rename: number }]), ...inside];
  }
  const kind = "all" in wanted ? "all" : "any" in wanted ? "any" : null;
  if (kind === null || key === "at_least") return null;
  const inside = listEdits([...path, kind], items(value), "all" in wanted ? wanted.all : (wanted as { any: Condition[] }).any);
  return inside && [...(key === kind ? [] : [{ path: [...path, key], rename: kind }]), ...inside];
}

function listEdits(path: Path, list: Part[], wanted: Condition[]): Edit[] | null {
  const known = list.map((each) => conditionOf(each));
  const isSame = (n: number, other: number) => !!known[n] && conditionText(known[n]) === conditionText(wanted[other]!);
  if (known.some((each) => each === null)) return null;
  if (wanted.length === list.length) return wanted.flatMap((each, n) => conditionEdits([...path, n], list[n], each));
  if (wanted.length === list.length + 1 && list.every((_, n) => isSame(n, n))) {
    return [{ path: [...path, list.length], put: conditionValue(wanted.at(-1)!) }];
  }
  const gone = list.findIndex((_, n) => n >= wanted.length || !isSame(n, n));
  const isOne = wanted.length === list.length - 1 && wanted.every((_, n) => n < gone || isSame(n + 1, n));
  return isOne ? [{ path: [...path, gone], remove: true }] : null;
}
