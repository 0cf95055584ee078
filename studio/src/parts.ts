// Looking into parts of a document, and writing conditions and numbers.

import type { Condition, Part, Path, Value } from "./types";

/** The entries of a map; nothing where it is none. */
export function entries(part: Part | undefined | null): [string, Part][] {
  return part && typeof part === "object" && "map" in part ? part.map : [];
}

export function items(part: Part | undefined | null): Part[] {
  return part && typeof part === "object" && "list" in part ? part.list : [];
}

/** The part at a path; undefined where there is none. */
export function at(part: Part | undefined | null, ...path: Path): Part | undefined {
  let found: Part | undefined | null = part;
  for (const step of path) {
    found =
      typeof step === "number"
        ? items(found)[step]
        : entries(found).find(([key]) => key === step)?.[1];
    if (found === undefined) return undefined;
  }
  return found ?? undefined;
}

/** The text of a part; empty where it is none. */
export function textOf(part: Part | undefined | null): string {
  if (typeof part === "string") return part;
  return part && "text" in part ? part.text : "";
}

export function isMap(part: Part | undefined | null): boolean {
  return !!part && typeof part === "object" && "map" in part;
}

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

/** A number as the format writes it; null where it is computed, or none. */
export function numberOf(text: string): number | null {
  const plain = text.replace(/\s*\[.*\]\s*$/, "").trim();
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(?:(%)|\/\s*(\d+\.?\d*))?$/i.exec(plain);
  if (!found) return null;
  const value = Number(found[1]);
  if (found[2]) return value / 100;
  return found[3] ? value / Number(found[3]) : value;
}

/** A probability as people write it: up to four digits. */
export function written(value: number, digits = 4): string {
  return String(Number(value.toFixed(digits)));
}

/** What an outcome's probability is written as, however much else it says. */
export function probabilityText(part: Part): string {
  return isMap(part) ? textOf(at(part, "probability")) : textOf(part);
}

/** The probabilities of outcomes as numbers, where that is known. */
export function probabilities(outcomes: [string, Part][]): (number | null)[] {
  const texts = outcomes.map(([, part]) => probabilityText(part).trim());
  const known = texts.map((text) => (text.toLowerCase() === "rest" ? null : numberOf(text)));
  const isKnown = texts.every((text, n) => text.toLowerCase() === "rest" || known[n] !== null);
  const sum = known.reduce<number>((total, each) => total + (each ?? 0), 0);
  return texts.map((text, n) =>
    text.toLowerCase() === "rest" ? (isKnown ? Math.max(0, 1 - sum) : null) : known[n]!,
  );
}

/** The names of what can have happened or be so, with their outcomes. */
export function events(outline: Part | null, withHidden: boolean): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, action] of entries(at(outline, "actions"))) {
    found.set(name, entries(at(action, "outcomes")).map(([label]) => label));
  }
  if (withHidden) {
    for (const [name, fact] of entries(at(outline, "hidden"))) {
      const outcomes = at(fact, "outcomes") ?? fact;
      found.set(name, entries(outcomes).map(([label]) => label));
    }
  }
  return found;
}

/** A part as a value that can be put somewhere. */
export function valueOf(part: Part): Value {
  if (typeof part === "string") return part;
  if ("text" in part) return part.text;
  if ("list" in part) return part.list.map(valueOf);
  if ("map" in part) return Object.fromEntries(part.map.map(([key, each]) => [key, valueOf(each)]));
  return "";
}

/** A name that is not taken yet. */
export function freshName(stem: string, taken: Iterable<string>): string {
  const known = new Set(taken);
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number}`;
    if (!known.has(name)) return name;
  }
}
