// Cards: what all of them have, whatever they hold.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button, Issues, isAbout } from "../fields";
import { useStudio } from "../studio";
import type { Part, Path, Shared } from "../types";

export interface Has {
  outline: Part | null;
}

/** Set a part to a text; nothing removes it. */
export function usePut() {
  const studio = useStudio();
  return (path: Path, value: string, what: string) =>
    void studio.edit([value === "" ? { path, remove: true } : { path, put: value }], what);
}

export function Group({ title, count, add, onAdd, children }: { title: string; count: number; add: string; onAdd: () => void; children: ComponentChildren }) {
  return (
    <section class="cards-group" aria-label={title}>
      <h2>
        {title} <small>{count || ""}</small>
      </h2>
      {children}
      <Button onPress={onAdd}>+ {add}</Button>
    </section>
  );
}

interface CardProps {
  title: string;
  short: string;
  children: ComponentChildren;
  what: string;
  path: Path;
  number: number;
}

/** A card that opens; closed, it says in a line what is in it. */
export function Card({ title, short, children, what, path, number }: CardProps) {
  const studio = useStudio();
  const hasIssue = studio.state.document?.issues.some((issue) => isAbout(issue, path) && issue.severity === "error");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (hasIssue) setOpen(true);
  }, [hasIssue]);
  return (
    <details class={`card ${hasIssue ? "wrong" : ""}`} open={isOpen} onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{title}</strong>
        <span class="short">{short}</span>
      </summary>
      {isOpen && (
        <>
          <SharedNotes path={path} />
          {children}
          <div class="card-foot">
            <MoveUp path={path} number={number} what={`${what} ${title}`}>
              Move up
            </MoveUp>
            <Button kind="quiet" label={`Remove ${what} ${title}`} onPress={() => studio.edit([{ path, remove: true }], `${what} ${title}`)}>
              Remove {what}
            </Button>
          </div>
        </>
      )}
    </details>
  );
}

interface MoveProps {
  path: Path;
  number: number;
  what: string;
  children?: ComponentChildren;
}

/** Let a part of a map or a list stand one place earlier. */
export function MoveUp({ path, number, what, children }: MoveProps) {
  const studio = useStudio();
  if (number === 0) return children ? null : <span />;
  const up = () => void studio.edit([{ path, move: number - 1 }], "the order");
  return (
    <Button kind={children ? "quiet" : "icon"} label={`Move ${what} up`} onPress={up}>
      {children ?? "↑"}
    </Button>
  );
}

/** What a change of this card changes elsewhere, where a part stands in several places. */
export function SharedNotes({ path }: { path: Path }) {
  const shared = useStudio().state.document?.shared ?? [];
  const isIn = (inner: Path, outer: Path) => outer.every((step, n) => inner[n] === step);
  const taken = shared.filter((each) => isIn(each.path, path) && !isIn(each.of, path));
  const given = new Map<string, Shared[]>();
  for (const each of shared) {
    if (isIn(each.of, path) && !isIn(each.path, path)) given.set(each.name, [...(given.get(each.name) ?? []), each]);
  }
  return (
    <>
      {taken.map((each) => (
        <p class="hint" key={each.path.join()}>
          <code>{each.path.slice(path.length).join(" ") || "All of this"}</code> is written at <code>{each.of.join(" ")}</code> and stands here as{" "}
          <code>*{each.name}</code>. What you change here is changed here only.
        </p>
      ))}
      {[...given].map(([name, places]) => (
        <p class="hint" key={name}>
          <code>&amp;{name}</code> stands also at {places.map((each) => each.path.slice(0, 2).join(" ")).join(", ")}. What you change here changes there, too.
        </p>
      ))}
    </>
  );
}

/** What is wrong with a card and is not shown beside one of its fields. */
export function OtherIssues({ path, known }: { path: Path; known: string[] }) {
  const issues = useStudio().state.document?.issues ?? [];
  const others = issues.filter((issue) => isAbout(issue, path) && issue.path.length > path.length && !known.includes(String(issue.path[path.length])));
  const places = new Map(others.map((issue) => [issue.path.join("\n"), issue.path]));
  return (
    <>
      <Issues of={path} exactly />
      {[...places].map(([key, place]) => (
        <Issues key={key} of={place} exactly />
      ))}
    </>
  );
}
