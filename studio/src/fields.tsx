// Fields: what is typed counts when it is left or Enter is pressed.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Issue, Path } from "./types";
import { useStudio } from "./studio";

interface TextProps {
  label: string;
  value: string;
  onCommit: (value: string) => void;
  placeholder?: string;
  wide?: boolean;
  list?: string;
}

/** A field whose label only those hear who do not see; Escape takes back what was typed. */
export function Text({ label, value, onCommit, placeholder, wide, list }: TextProps) {
  const studio = useStudio();
  const field = useRef<HTMLInputElement>(null);
  // What the document says does not take the place of what is in hand, nor of what was
  // typed and is on its way.
  const shown = useRef(value);
  const show = (text: string) => {
    shown.current = text;
    if (field.current && field.current.value !== text) field.current.value = text;
  };
  useLayoutEffect(() => {
    if (document.activeElement !== field.current && studio.pending === 0) show(value);
  });
  const leave = () => {
    const typed = field.current!.value.trim();
    const isChanged = typed !== shown.current;
    show(isChanged || studio.pending > 0 ? typed : value);
    if (isChanged) onCommit(typed);
  };
  return (
    <input
      ref={field}
      type="text"
      class={wide ? "wide" : ""}
      aria-label={label}
      title={label}
      defaultValue={value}
      placeholder={placeholder}
      list={list}
      spellcheck={false}
      autocomplete="off"
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.value = shown.current;
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
      }}
    />
  );
}

interface PickProps {
  label: string;
  value: string;
  options: (string | [string, string])[];
  onPick: (value: string) => void;
}

export function Pick({ label, value, options, onPick }: PickProps) {
  const pairs = options.map((each) => (typeof each === "string" ? [each, each] : each) as [string, string]);
  const isKnown = pairs.some(([key]) => key === value);
  return (
    <select aria-label={label} title={label} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
      {!isKnown && <option value={value}>{value}</option>}
      {pairs.map(([key, shown]) => (
        <option key={key} value={key}>
          {shown}
        </option>
      ))}
    </select>
  );
}

interface ButtonProps {
  children: ComponentChildren;
  onPress: () => void;
  label?: string;
  kind?: "plain" | "quiet" | "main" | "icon";
  disabled?: boolean;
}

export function Button({ children, onPress, label, kind = "plain", disabled }: ButtonProps) {
  return (
    <button type="button" class={kind} aria-label={label} title={label} disabled={disabled} onClick={onPress}>
      {children}
    </button>
  );
}

/** A row: what it is about, and its fields. */
export function Row({ name, children, hint, tall }: { name: string; children: ComponentChildren; hint?: string; tall?: boolean }) {
  return (
    <div class={tall ? "row tall" : "row"} title={hint}>
      <span class="row-name">{name}</span>
      <div class="row-fields">{children}</div>
    </div>
  );
}

/** What is wrong with a part, with a button where there is one fix. */
export function Issues({ of, exactly = false }: { of: Path; exactly?: boolean }) {
  const studio = useStudio();
  const issues = (studio.state.document?.issues ?? []).filter((issue) => isAbout(issue, of, exactly));
  return (
    <>
      {issues.map((issue, number) => (
        <IssueLine key={number} issue={issue} />
      ))}
    </>
  );
}

export function isAbout(issue: Issue, path: Path, exactly = false): boolean {
  const isSame = path.every((step, number) => issue.path[number] === step);
  return isSame && (!exactly || issue.path.length === path.length);
}

export function IssueLine({ issue }: { issue: Issue }) {
  const studio = useStudio();
  return (
    <p class={`issue ${issue.severity}`}>
      <span>
        {ticked(issue.what)}
        <small>{ticked(issue.fix)}</small>
      </span>
      {issue.repair && (
        <Button kind="quiet" label={`Fix: ${issue.fix}`} onPress={() => studio.edit([issue.repair!], "the fix")}>
          Fix
        </Button>
      )}
    </p>
  );
}

/** Text in which what stands in back ticks is code. */
export function ticked(text: string): ComponentChildren {
  return text.split(/`([^`]*)`/).map((piece, number) => (number % 2 ? <code key={number}>{piece}</code> : piece));
}
