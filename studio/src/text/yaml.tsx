// The text itself, with completion, help, and what is wrong where it is.

import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "preact/hooks";
import { quoted } from "../conditions";
import { events } from "../parts";
import { useStudio, type Studio } from "../studio";
import type { Document } from "../types";
import { keyAt, loadSchema, schemaAt, type Schema } from "./schema";

const MILLISECONDS_OF_REST = 300;

const COLORS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--muted)" },
]);

const THEME = EditorView.theme({
  "&": { height: "100%", fontSize: ".8125rem", backgroundColor: "var(--card)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.6" },
  ".cm-gutters": { backgroundColor: "var(--wash)", color: "var(--muted)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--wash) 60%, transparent)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent) !important" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: ".375rem", maxWidth: "28rem" },
  ".cm-tooltip.help": { padding: ".5rem .75rem", fontFamily: "system-ui, sans-serif" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});

export function Yaml() {
  const studio = useStudio();
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  useEffect(() => {
    editor.current = new Editor(place.current!, studio);
    return () => editor.current?.close();
  }, []);
  const document = studio.state.document;
  useEffect(() => {
    if (document) editor.current?.show(document);
  }, [document]);
  return <div class="yaml" ref={place} />;
}

/** The editor and the document: what is typed is sent once one rests for a moment. */
class Editor {
  private view: EditorView;
  private timer = 0;
  private isSending = false;
  private isOurs = true;
  private schema: Schema | null = null;

  constructor(place: HTMLElement, private studio: Studio) {
    this.view = new EditorView({ parent: place, state: this.begun(studio.state.document?.text ?? "") });
    void loadSchema().then((schema) => (this.schema = schema));
  }

  close() {
    this.flush();
    this.view.destroy();
  }

  private get text() {
    return this.view.state.doc.toString();
  }

  private get isAhead() {
    return this.timer !== 0 || this.isSending;
  }

  show(document: Document) {
    if (this.isAhead) return;
    const wanted = document.text.replaceAll("\r\n", "\n");
    if (wanted !== this.text) {
      this.isOurs = false;
      const change = difference(this.text, wanted);
      this.view.dispatch({ changes: change });
      this.isOurs = true;
    }
    this.view.dispatch(setDiagnostics(this.view.state, this.diagnostics(document)));
  }

  private begun(text: string) {
    const nonce = globalThis.document.querySelector<HTMLMetaElement>("meta[name=studio-nonce]")?.content ?? "";
    const undo = (what: string) => () => {
      this.flush();
      void this.studio.ask(what);
      return true;
    };
    return EditorState.create({
      doc: text.replaceAll("\r\n", "\n"),
      extensions: [
        EditorView.cspNonce.of(nonce),
        lineNumbers(),
        lintGutter(),
        drawSelection(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        bracketMatching(),
        indentOnInput(),
        yaml(),
        syntaxHighlighting(COLORS),
        THEME,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "The problem as YAML" }),
        autocompletion({ override: [(context) => this.complete(context)] }),
        hoverTooltip((view, position) => this.help(view, position)),
        keymap.of([
          { key: "Mod-z", run: undo("undo") },
          { key: "Mod-Shift-z", run: undo("redo") },
          { key: "Mod-y", run: undo("redo") },
          ...searchKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && this.isOurs) this.later();
        }),
      ],
    });
  }

  private later() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.flush(), MILLISECONDS_OF_REST);
  }

  private flush() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.isSending = true;
    const text = this.text;
    void this.studio
      .ask("text", () => ({ text, version: this.studio.version }))
      .finally(() => {
        this.isSending = false;
        const document = this.studio.state.document;
        if (document) this.show(document);
      });
  }

  private diagnostics(document: Document): Diagnostic[] {
    const length = this.view.state.doc.length;
    return document.issues.map((issue) => ({
      from: Math.min(issue.page_from, length),
      to: Math.min(Math.max(issue.page_to, issue.page_from), length),
      severity: issue.severity,
      message: `${issue.what}\n${issue.fix}`,
      actions: issue.repair
        ? [{ name: "Fix", apply: () => void this.studio.edit([issue.repair!], "the fix") }]
        : [],
    }));
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const word = context.matchBefore(/"?[\w-]*/);
    if (!word || (word.from === word.to && !context.explicit) || !this.schema) return null;
    const { path, isKey } = keyAt(context.state.doc.toString(), word.from);
    if (!isKey) {
      const known = events(this.studio.state.document?.outline ?? null, true);
      const options = [...known].flatMap(([name, outcomes]) => outcomes.map((each) => ({ label: `${quoted(name)}=${quoted(each)}`, type: "variable" })));
      const words = ["requires", "precluded_by", "when", "finish"].includes(String(path.at(-1))) ? options : valuesOf(schemaAt(this.schema, path));
      return { from: word.from, options: words, validFor: /^[\w-]*$/ };
    }
    const schema = schemaAt(this.schema, path);
    const options = Object.entries(schema?.properties ?? {}).map(([label, each]) => ({
      label,
      apply: `${label}: `,
      type: "property",
      info: each.description ?? "",
    }));
    return { from: word.from, options, validFor: /^[\w-]*$/ };
  }

  private help(view: EditorView, position: number) {
    const line = view.state.doc.lineAt(position);
    const words = /[\w-]+/g;
    for (let word = words.exec(line.text); word; word = words.exec(line.text)) {
      const from = line.from + word.index;
      const to = from + word[0].length;
      if (position < from || position > to || !/^\s*:/.test(line.text.slice(to - line.from))) continue;
      const { path } = keyAt(view.state.doc.toString(), from);
      const text = this.schema && schemaAt(this.schema, [...path, word[0]])?.description;
      if (!text) return null;
      return {
        pos: from,
        end: to,
        create: () => {
          const dom = globalThis.document.createElement("div");
          dom.className = "help";
          dom.textContent = text;
          return { dom };
        },
      };
    }
    return null;
  }
}

function valuesOf(schema: Schema | null) {
  return (schema?.enum ?? []).map((label) => ({ label: String(label), type: "constant" }));
}

/** The smallest change that makes one text of another. */
function difference(old: string, wanted: string) {
  const most = Math.min(old.length, wanted.length);
  let from = 0;
  while (from < most && old[from] === wanted[from]) from += 1;
  let tail = 0;
  while (tail < most - from && old[old.length - 1 - tail] === wanted[wanted.length - 1 - tail]) tail += 1;
  return { from, to: old.length - tail, insert: wanted.slice(from, wanted.length - tail) };
}
