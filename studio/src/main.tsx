// The studio: the problem at the left, the plan in the middle, what it means at the right.

import { render } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import "@report/report.css";
import "@report/tables.css";
import "./studio.css";
import { Button } from "./fields";
import { Center, moveTab, type Tab } from "./plan/center";
import { Side } from "./plan/side";
import { Cards } from "./problem/cards";
import { Table } from "./problem/table";
import { Yaml } from "./text/yaml";
import { Studio, StudioContext, useStudio } from "./studio";
import { Starts, Menu } from "./menu";

const studio = new Studio();

function App() {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const [tab, setTab] = useState<Tab>("Plan");
  const [pin, setPin] = useState(0);
  const [isDropping, setDropping] = useState(false);
  useEffect(() => studio.subscribe(() => redraw(0)), []);
  useKeys();
  const document = studio.state.document;
  // While a hard problem is solved, much is told that does not change this.
  const problem = useMemo(() => <Problem />, [document, studio.pending === 0]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    const file = event.dataTransfer?.files[0];
    if (file) void studio.bring(file);
  };
  return (
    <StudioContext.Provider value={studio}>
      <div
        class={`studio ${isDropping ? "dropping" : ""}`}
        aria-busy={studio.pending > 0}
        onDragOver={(event) => {
          event.preventDefault();
          if (event.dataTransfer?.types.includes("Files")) setDropping(true);
        }}
        onDragLeave={() => setDropping(false)}
        onDrop={drop}
      >
        <Head setTab={setTab} />
        <Notices />
        {document && (
          <main class="panes">
            {problem}
            <Center tab={tab} setTab={setTab} pin={pin} />
            <Side setTab={setTab} setPin={setPin} />
          </main>
        )}
      </div>
    </StudioContext.Provider>
  );
}

function useKeys() {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      const isTyping = event.target instanceof Element && event.target.closest(".cm-editor, input[type=text]");
      if (key === "s") {
        event.preventDefault();
        (globalThis.document.activeElement as HTMLElement | null)?.blur?.();
        void studio.ask("save", () => ({}));
      } else if (!isTyping && key === "z") {
        event.preventDefault();
        void studio.ask(event.shiftKey ? "redo" : "undo");
      } else if (!isTyping && key === "y") {
        event.preventDefault();
        void studio.ask("redo");
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

function Head({ setTab }: { setTab: (tab: Tab) => void }) {
  const { document } = useStudio().state;
  return (
    <header class="head">
      <p class="eyebrow">branchwise studio</p>
      <h1>{document?.file ?? "…"}</h1>
      {document && <Menu setTab={setTab} />}
    </header>
  );
}

function Notices() {
  const studio = useStudio();
  const { document, message, isLost } = studio.state;
  return (
    <div class="notices" aria-live="polite">
      {isLost && <p class="notice error">The studio does not answer. What was shown as kept is on the disk; start it again with the same file, and open the address that it shows.</p>}
      {message && (
        <p class="notice error">
          {message} <Button kind="quiet" onPress={() => studio.say("")}>All right</Button>
        </p>
      )}
      {document?.overtaken && (
        <p class="notice">
          Another program has changed {document.file}{document.mergeable ? " in other places than you." : "."}
          {document.mergeable && (
            <Button kind="main" onPress={() => void studio.ask("merge", () => ({}))}>
              Merge both
            </Button>
          )}
          <Button onPress={() => void studio.ask("take", () => ({}))}>Take what is there</Button>
          <Button onPress={() => void studio.ask("save", () => ({ even: true }))}>Write over it</Button>
          <small>What you take or merge can be undone here; what is written over is gone.</small>
        </p>
      )}
      {document?.version === 0 && <Starts isRow />}
    </div>
  );
}

const VIEWS = ["Cards", "Table", "YAML"] as const;

function Problem() {
  const [view, setView] = useState<(typeof VIEWS)[number]>("Cards");
  const { document } = useStudio().state;
  const place = useRef<HTMLDivElement>(null);
  const shown = document?.json ? VIEWS.map((each) => (each === "YAML" ? "JSON" : each)) : VIEWS;
  return (
    <div class="problem">
      <div class="tabs" role="tablist" aria-label="The problem as" onKeyDown={(event) => moveTab(event, VIEWS, view, setView)}>
        {VIEWS.map((each, number) => (
          <button key={each} type="button" role="tab" id={`tab-${each}`} aria-selected={each === view} tabIndex={each === view ? 0 : -1} onClick={() => setView(each)}>
            {shown[number]}
          </button>
        ))}
      </div>
      <div class="view" role="tabpanel" aria-labelledby={`tab-${view}`} ref={place}>
        {view === "YAML" ? (
          <Yaml />
        ) : document?.outline === null && document.text.trim() ? (
          <p class="issue error roomy">The text cannot be taken apart. Put it right in the tab {shown[2]}, where what is wrong is marked.</p>
        ) : view === "Cards" ? (
          <Cards />
        ) : (
          <Table />
        )}
      </div>
    </div>
  );
}

render(<App />, document.getElementById("studio")!);
