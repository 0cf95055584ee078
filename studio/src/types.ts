// What the server says, and parts of a document as the page edits them.

export type Step = string | number;
export type Path = Step[];

/** A condition taken apart: groups of pick lists. */
export type Condition =
  | { action: string; outcome?: string }
  | { all: Condition[] }
  | { any: Condition[] }
  | { at_least: number; of: Condition[] }
  | { not: Condition }
  | { text: string };

export type Part =
  | string
  | { text: string; condition: Condition | null }
  | { list: Part[] }
  | { map: [string, Part][] }
  | { alias: string };

export type Value = string | Value[] | { [key: string]: Value };

export type Edit =
  | { path: Path; put: Value }
  | { path: Path; rename: string }
  | { path: Path; remove: true }
  | { path: Path; move: number }
  | { splice: [number, number, string] };

export interface Issue {
  what: string;
  fix: string;
  severity: "error" | "warning";
  path: Path;
  page_from: number;
  page_to: number;
  repair: Edit | null;
}

export interface Pin {
  name: string;
  worth?: number;
  shown?: string;
  first?: string | null;
}

/** An alias, what it is called, and where what it stands for is written. */
export interface Shared {
  path: Path;
  name: string;
  of: Path;
}

export interface Document {
  version: number;
  text: string;
  outline: Part | null;
  issues: Issue[];
  sound: boolean;
  undo: string;
  redo: string;
  saved: boolean;
  overtaken: boolean;
  mergeable: boolean;
  shared: Shared[];
  file: string;
  json: boolean;
  aim: string;
  pins: Pin[];
  sections: string[];
  events: Event[];
}

export interface Answer {
  kind: "answer";
  version: number;
  error?: string;
  status: string;
  is_optimal: boolean;
  is_cost: boolean;
  worth: number;
  shown: string;
  first: string | null;
  aim: string | null;
  bound: string;
  sentences: [string, boolean][][];
  nodes: number;
  endings: [string, number][];
  chart: string;
  seconds: number;
  budgets: Budget[];
}

export interface Budget {
  resource: string;
  limit: number;
  most: number;
  shown: string;
  is_whole: boolean;
}

/** What each budget up to `most` is worth: from each point up to the next. */
export interface Curve {
  kind: `curve of ${string}`;
  version: number;
  resource: string;
  most: number;
  points: [number, number][];
}

export interface Threshold {
  name: string;
  value: number;
  shown: string;
  at: number;
  at_shown: string;
  is_above: boolean;
  first: string | null;
  path: Path | null;
  is_probability: boolean;
}

export interface Progress {
  kind: "progress";
  version: number;
  stage: string;
  states: number;
  lower: number | null;
  upper: number | null;
}

export type Event =
  | { kind: "hello" }
  | { kind: "document" | "state"; version: number }
  | Progress
  | Answer
  | Curve
  | { kind: "thresholds"; version: number; thresholds: Threshold[]; within: number };
