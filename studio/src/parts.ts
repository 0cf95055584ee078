// Looking into parts of a document, and writing numbers.

import type { Edit, Part, Path, Value } from "./types";

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
  return measureOf(part, "probability").number;
}

/** A number, and between what it lies; what is not said is empty. */
export interface Measure {
  number: string;
  low: string;
  high: string;
}

export type MeasureKey = "value" | "probability";

/** Whether a map is a number with its ends, and not one for each resource. */
export function isMeasure(part: Part | undefined): boolean {
  const ends = at(part, "low") ?? at(part, "high");
  return ends !== undefined && typeof at(part, "value") === "string";
}

/** What is written of a number: `70`, `70 [60, 90]`, or part by part in a map. */
export function measureOf(part: Part | undefined, key: MeasureKey): Measure {
  const text = isMap(part) ? textOf(at(part, key)) : textOf(part);
  const found = /^(.*?)\s*\[(.*),(.*)\]\s*$/s.exec(text);
  const known = found ? { number: found[1]!, low: found[2]!.trim(), high: found[3]!.trim() } : { number: text, low: "", high: "" };
  if (!isMap(part)) return known;
  return { ...known, low: textOf(at(part, "low")) || known.low, high: textOf(at(part, "high")) || known.high };
}

/** The edits that let a number say something else, written as it was. */
export function measureEdits(path: Path, part: Part | undefined, key: MeasureKey, wanted: Measure): Edit[] {
  const known = measureOf(part, key);
  const ends = ["low", "high"] as const;
  const isByPart = isMap(part) && ends.some((end) => at(part, end) !== undefined);
  const hasEnds = wanted.low !== "" || wanted.high !== "";
  if (isByPart && (hasEnds || key === "probability")) {
    return [
      ...(wanted.number === known.number ? [] : [{ path: [...path, key], put: wanted.number }]),
      ...ends.filter((end) => wanted[end] !== known[end]).map((end): Edit => (wanted[end] ? { path: [...path, end], put: wanted[end] } : { path: [...path, end], remove: true })),
    ];
  }
  const isRest = wanted.number.trim().toLowerCase() === "rest";
  const low = wanted.low || (isRest ? "0" : wanted.number);
  const high = wanted.high || (isRest ? "1" : wanted.number);
  const text = hasEnds ? `${wanted.number} [${low}, ${high}]` : wanted.number;
  return [{ path: isMap(part) && key === "probability" ? [...path, key] : path, put: text }];
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

/** The edit that adds to a map under a name that is free there. */
export function added(path: Path, part: Part | undefined, stem: string, put: Value): Edit[] {
  const name = freshName(stem, entries(part).map(([each]) => each));
  return [{ path: [...path, name], put }];
}

/** A name that is not taken yet. */
export function freshName(stem: string, taken: Iterable<string>): string {
  const known = new Set(taken);
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number}`;
    if (!known.has(name)) return name;
  }
}
