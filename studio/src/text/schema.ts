// The schema of problems: which keys there are where, and what they mean.

export interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  enum?: unknown[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

let loaded: Promise<Schema> | null = null;

export function loadSchema(): Promise<Schema> {
  loaded ??= fetch("schema").then((response) => response.json() as Promise<Schema>);
  return loaded;
}

/** The schema of what stands at a path; choices are put together. */
export function schemaAt(root: Schema, path: string[]): Schema | null {
  let found: Schema[] = spread(root, root);
  for (const step of path) {
    const inside = found.flatMap((each) => {
      if (step === "-") return each.items ? [each.items] : [];
      const named = each.properties?.[step];
      if (named) return [named];
      return typeof each.additionalProperties === "object" ? [each.additionalProperties] : [];
    });
    found = inside.flatMap((each) => spread(root, each));
    if (!found.length) return null;
  }
  return {
    description: found.map((each) => each.description).find(Boolean),
    properties: Object.assign({}, ...found.map((each) => each.properties ?? {})),
    enum: found.flatMap((each) => each.enum ?? []),
  };
}

function spread(root: Schema, schema: Schema, depth = 0): Schema[] {
  if (depth > 8) return [];
  const name = schema.$ref?.split("/").at(-1);
  const referred = name ? root.$defs?.[name] : undefined;
  const more = [...(referred ? [referred] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...more.flatMap((each) => spread(root, each, depth + 1))];
}

/** A line of a block: how far its dash and its key stand from the left, and its key. */
function lineOf(line: string) {
  const found = /^(\s*)((?:- +)*)(?:["']?([^"':{}[\],]+)["']?:(?:\s|$))?/.exec(line)!;
  const dash = found[2] ? found[1]!.length : null;
  return { dash, column: found[1]!.length + found[2]!.length, key: found[3]?.trim() };
}

/** The keys that lead to a place in a text, by indentation and braces; `-` is a list. */
export function keyAt(text: string, offset: number): { path: string[]; isKey: boolean } {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(start, offset);
  const here = lineOf(before);
  const inside = insideBraces(before);
  const path = [...(here.key === undefined ? [] : [here.key]), ...(inside?.path ?? [])];
  if (here.dash !== null) path.unshift("-");
  // What stands further to the left, line by line upwards, is what this is in.
  let limit = here.dash === null ? here.column : here.dash + 1;
  let list = here.dash;
  for (const line of text.slice(0, start).split("\n").reverse()) {
    const above = lineOf(line);
    if (!line.trim() || line.trim().startsWith("#") || limit === 0) continue;
    const isItem = above.dash !== null && above.dash < limit && above.dash !== list;
    if (above.column < limit && above.key !== undefined) path.unshift(above.key);
    else if (!isItem) continue;
    if (isItem) path.unshift("-");
    limit = isItem ? above.dash! + 1 : above.column;
    list = isItem ? above.dash : null;
  }
  return { path, isKey: inside ? inside.isKey : here.key === undefined };
}

/** Where one is within braces that are open on a line; null outside of all. */
function insideBraces(before: string): { path: string[]; isKey: boolean } | null {
  const open: string[] = [];
  const path: string[] = [];
  let word = "";
  let isKey = true;
  for (const character of before) {
    if (character === "{" || character === "[") {
      if (open.length && word) path.push(word);
      else if (open.at(-1) === "[") path.push("-");
      open.push(character);
      word = "";
      isKey = character === "{";
    } else if (character === "}" || character === "]") {
      open.pop();
      if (open.length) path.pop();
      word = "";
    } else if (character === ",") {
      word = "";
      isKey = open.at(-1) === "{";
    } else if (character === ":") {
      isKey = false;
    } else if (isKey && open.length) {
      word = (word + character).trim();
    }
  }
  if (!open.length) return null;
  if (open.at(-1) === "[") path.push("-");
  return { path: isKey ? path : [...path, word], isKey };
}
