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

/** The keys that lead to a place in a text, by indentation and braces. */
export function keyAt(text: string, offset: number): { path: string[]; isKey: boolean } {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(start, offset);
  const inside = insideBraces(before);
  const dash = /^(\s*)((?:- +)*)/.exec(before)!;
  let indent = dash[0].length;
  const path: string[] = [];
  if (dash[2] && inside === null && before.length >= indent) path.unshift("-");
  const lines = text.slice(0, start).split("\n").slice(0, -1);
  let limit = dash[2] ? dash[1]!.length + 1 : indent;
  const key = /^\s*(?:- +)*["']?([^"':{}[\],]+)["']?:\s*(.*)$/.exec(before);
  let isKey = inside === null ? !key : inside.isKey;
  if (inside !== null) path.push(...(dash[2] && path[0] === "-" ? [] : dash[2] ? ["-"] : []), ...(key ? [key[1]!.trim()] : []), ...inside.path);
  else if (key) path.push(key[1]!.trim());
  for (let n = lines.length - 1; n >= 0 && limit > 0; n -= 1) {
    const line = lines[n]!;
    if (!line.trim() || line.trim().startsWith("#")) continue;
    const found = /^(\s*)((?:- +)*)["']?([^"':]+)["']?:/.exec(line);
    if (!found) continue;
    indent = found[1]!.length + found[2]!.length;
    const reach = dash[2] && path[0] === "-" && limit === dash[1]!.length + 1 ? limit : limit;
    if (indent < reach) {
      path.unshift(found[3]!.trim());
      if (found[2]) path.unshift("-");
      limit = found[1]!.length + (found[2] ? 1 : 0);
    }
  }
  return { path, isKey };
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
  if (open.at(-1) === "[" ) path.push("-");
  return { path: isKey ? path : [...path, word], isKey };
}
