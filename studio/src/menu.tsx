// What can be done with the document as a whole.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { Button } from "./fields";
import type { Tab } from "./plan/center";
import { useStudio } from "./studio";

const STARTS: [string, string][] = [
  ["blank", "Blank"],
  ["attack", "Attack plan"],
  ["pathway", "Treatment pathway"],
  ["mission", "Mission"],
];

const EXPORTS: [string, string][] = [
  ["html", "Report (one HTML file)"],
  ["svg", "Picture of the plan (SVG)"],
  ["graph.svg", "Picture of what depends on what (SVG)"],
  ["solution.json", "Plan for programs (JSON)"],
  ["certificate.json", "Certificate of the answer"],
  ["xlsx", "Problem as a workbook (xlsx)"],
  ["csv", "Problem as a table (CSV)"],
  ["yaml", "Problem (YAML)"],
  ["json", "Problem (JSON)"],
  ["prism", "Model for PRISM and Storm"],
];

/** What is worked out about the document as a whole, and shown in the middle. */
const QUESTIONS: [Tab, string][] = [
  ["Defend", "Defend: which defenses to choose"],
  ["Certify", "Certify: prove the answer"],
];

export function Menu({ setTab }: { setTab: (tab: Tab) => void }) {
  const studio = useStudio();
  const document = studio.state.document!;
  return (
    <nav class="menu" aria-label="The document">
      <Status />
      <Button disabled={!document.undo} label={document.undo ? `Undo ${document.undo} (Ctrl-Z)` : "Nothing to undo"} onPress={() => void studio.ask("undo")}>
        Undo
      </Button>
      <Button disabled={!document.redo} label={document.redo ? `Redo ${document.redo} (Ctrl-Shift-Z)` : "Nothing to redo"} onPress={() => void studio.ask("redo")}>
        Redo
      </Button>
      <Fold name="New">
        <Starts />
      </Fold>
      <Fold name="More">
        <p class="fold-name">Work out</p>
        {QUESTIONS.map(([tab, shown]) => (
          <Button key={tab} kind="quiet" onPress={() => setTab(tab)}>
            {shown}
          </Button>
        ))}
        <p class="fold-name">Save as a file</p>
        {EXPORTS.map(([name, shown]) => (
          <a key={name} href={`export/${name}`} download>
            {shown}
          </a>
        ))}
      </Fold>
      <Button kind="main" label={`Write ${document.file} (Ctrl-S)`} disabled={document.saved} onPress={() => void studio.ask("save", () => ({}))}>
        Save
      </Button>
    </nav>
  );
}

function Status() {
  const { document } = useStudio().state;
  return (
    <span class="status" role="status">
      {document!.saved ? `saved in ${document!.file}` : "every change is kept; the file is not written yet"}
    </span>
  );
}

/** What a document can begin with; or a file, which may also be dropped anywhere. */
export function Starts({ isRow }: { isRow?: boolean }) {
  const studio = useStudio();
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div class={isRow ? "starts" : "starts below"} role="group" aria-label="Start with">
      {isRow && <span>Change what is here, or start with</span>}
      {STARTS.map(([name, shown]) => (
        <Button key={name} onPress={() => void studio.ask("start", () => ({ name, version: studio.version }))}>
          {shown}
        </Button>
      ))}
      <Button onPress={() => chooser.current?.click()}>Import a file …</Button>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="A problem file"
        accept=".yaml,.yml,.json,.csv,.xlsx"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) void studio.bring(file);
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}

function Fold({ name, children }: { name: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event) => {
      const isKey = event instanceof KeyboardEvent;
      if (isKey ? event.key === "Escape" : !place.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", close);
    addEventListener("keydown", close);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("keydown", close);
    };
  }, [isOpen]);
  return (
    <div class="fold" ref={place}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {name} ▾
      </button>
      {isOpen && (
        <div class="fold-box" onClick={() => setOpen(false)}>
          {children}
        </div>
      )}
    </div>
  );
}
