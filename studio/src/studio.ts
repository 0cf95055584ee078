// The studio as the page knows it: the document, its plan, and what can be done.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { at } from "./parts";
import type { Answer, Curve, Document, Edit, Event, Part, Path, Progress, Threshold } from "./types";

type Rename = { path: Path; rename: string };

/** So long what went wrong is shown at least. */
const MILLISECONDS_SHOWN = 8000;

export interface State {
  document: Document | null;
  answer: Answer | null;
  progress: Progress | null;
  thresholds: Threshold[] | null;
  within: number;
  curves: Record<string, Curve>;
  message: string;
  isLost: boolean;
}

const EMPTY: State = {
  document: null,
  answer: null,
  progress: null,
  thresholds: null,
  within: 0,
  curves: {},
  message: "",
  isLost: false,
};

/** Talks with the server; one change after the other, each to the last version. */
export class Studio {
  state: State = EMPTY;
  private listeners = new Set<() => void>();
  private queue: Promise<unknown> = Promise.resolve();
  private renames: Rename[] = [];
  private saidAt = 0;
  /** How many changes are on their way. */
  pending = 0;

  constructor() {
    this.listen();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get version(): number {
    return this.state.document?.version ?? -1;
  }

  say(message: string): void {
    this.saidAt = performance.now();
    this.set({ message });
  }

  edit(edits: Edit[], name: string): Promise<boolean> {
    const meant = edits.map((edit) => this.renamed(edit));
    const renames = meant.filter((edit): edit is Rename => "rename" in edit);
    this.renames.push(...renames);
    const done = this.ask("edit", () => ({ edits: meant, name, version: this.version }));
    // Once the page is drawn again it knows the new names itself.
    void done.then(() => setTimeout(() => (this.renames = this.renames.filter((each) => !renames.includes(each)))));
    return done;
  }

  /** Make edits that go by how a part is written once all changes under way are done. */
  editPart(path: Path, edits: (path: Path, part: Part | undefined) => Edit[], name: string): Promise<boolean> {
    const meant = this.renamedPath(path);
    return this.ask("edit", () => ({ edits: edits(meant, at(this.state.document?.outline, ...meant)), name, version: this.version }));
  }

  /** An edit by the names that parts will have once the renames under way are done. */
  private renamed(edit: Edit): Edit {
    return "path" in edit ? { ...edit, path: this.renamedPath(edit.path) } : edit;
  }

  private renamedPath(path: Path): Path {
    for (const each of this.renames) {
      const last = each.path.length - 1;
      if (each.path.every((step, n) => path[n] === step)) {
        path = path.map((step, n) => (n === last ? each.rename : step));
      }
    }
    return path;
  }

  /** Ask for something that changes the document; what it became comes back. */
  ask(what: string, body: () => unknown = () => ({ version: this.version })): Promise<boolean> {
    this.pending += 1;
    this.set({});
    const done = this.queue
      .then(() => this.send(what, JSON.stringify(body())))
      .catch((error: unknown) => {
        // Whatever it is, the changes that follow are still to be made.
        this.say(`This could not be done: ${String(error)}`);
        return false;
      })
      .finally(() => {
        this.pending -= 1;
        this.set({});
      });
    this.queue = done;
    return done;
  }

  async bring(file: File): Promise<boolean> {
    const asked = new URLSearchParams({ name: file.name, version: String(this.version) });
    return this.send(`bring?${asked}`, await file.arrayBuffer());
  }

  async follow(steps: object[]): Promise<any> {
    const response = await fetch("follow", { method: "POST", body: JSON.stringify({ steps }) });
    return response.json();
  }

  private async send(what: string, body: BodyInit): Promise<boolean> {
    try {
      const response = await fetch(what, { method: "POST", body });
      const said = response.headers.get("content-type")?.includes("json")
        ? await response.json()
        : { error: await response.text() };
      if (response.ok) {
        if ("text" in said) this.take(said as Document);
        if (performance.now() - this.saidAt > MILLISECONDS_SHOWN) this.set({ message: "" });
        return true;
      }
      if (said.conflict) {
        await this.load();
        this.say("The document was changed in another place meanwhile; your last change was not made.");
      } else {
        this.say([said.error, said.fix].filter(Boolean).join(" — "));
      }
    } catch {
      this.set({ isLost: true });
    }
    return false;
  }

  async load(): Promise<void> {
    const response = await fetch("document");
    this.take((await response.json()) as Document);
  }

  private take(document: Document): void {
    const isNew = document.version !== this.version || document.aim !== this.state.document?.aim;
    if (document.version < this.version) return;
    this.set({ document, ...(isNew ? { progress: null, thresholds: null } : {}) });
    for (const event of document.events) this.hear(event);
  }

  private listen(): void {
    const source = new EventSource("events");
    source.onmessage = (message) => this.hear(JSON.parse(message.data) as Event);
    source.onerror = () => this.set({ isLost: true });
  }

  private hear(event: Event): void {
    if (event.kind === "hello") {
      this.set({ isLost: false });
      void this.load();
    } else if (event.kind === "document" || event.kind === "state") {
      // What this page has just changed itself is on its way already.
      void this.queue.then(() => {
        if (event.kind === "state" || event.version > this.version) void this.load();
      });
    } else if (event.version === this.version) {
      if (event.kind === "progress") this.set({ progress: event });
      if (event.kind === "answer") this.set({ answer: event, progress: null });
      if (event.kind === "thresholds") this.set({ thresholds: event.thresholds, within: event.within });
      if ("points" in event) this.set({ curves: { ...this.state.curves, [event.resource]: event } });
    } else if (event.version > this.version) {
      void this.queue.then(() => this.load());
    }
  }

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

export const StudioContext = createContext<Studio>(null as unknown as Studio);

export function useStudio(): Studio {
  return useContext(StudioContext);
}
