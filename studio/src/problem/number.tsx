// Numbers: a field, and two more for between what a number lies.

import { useEffect, useState } from "preact/hooks";
import { Button, Text } from "../fields";
import { measureEdits, measureOf, type Measure, type MeasureKey } from "../parts";
import { useStudio } from "../studio";
import type { Part, Path } from "../types";

interface Props {
  path: Path;
  part: Part | undefined;
  label: string;
  what: string;
  keyName?: MeasureKey;
  placeholder?: string;
  /** What a field that is emptied stands for; without it, the number is removed. */
  emptied?: string;
  /** What goes where the field is emptied, if not the number alone. */
  removed?: Path;
}

export function NumberField({ path, part, label, what, keyName = "value", placeholder, emptied, removed }: Props) {
  const studio = useStudio();
  const known = measureOf(part, keyName);
  const put = (change: Partial<Measure>) => {
    if (change.number === "" && emptied === undefined) return void studio.edit([{ path: removed ?? path, remove: true }], what);
    if (change.number === "") change = { number: emptied! };
    void studio.editPart(path, (here, there) => measureEdits(here, there, keyName, { ...measureOf(there, keyName), ...change }), what);
  };
  return (
    <span class="number">
      <Text label={label} value={known.number} placeholder={placeholder} onCommit={(number) => put({ number })} />
      {known.number !== "" && <Between label={label} known={known} put={put} />}
    </span>
  );
}

/** Between what a number lies; folded until something is said of it. */
export function Between({ label, known, put }: { label: string; known: Measure; put: (change: Partial<Measure>) => void }) {
  const hasEnds = known.low !== "" || known.high !== "";
  const [isOpen, setOpen] = useState(hasEnds);
  useEffect(() => {
    if (hasEnds) setOpen(true);
  }, [hasEnds]);
  if (!isOpen) {
    return (
      <Button kind="icon" label={`${label}: between what it lies`} onPress={() => setOpen(true)}>
        ±
      </Button>
    );
  }
  return (
    <span class="between">
      from
      <Text label={`${label}: at least`} value={known.low} placeholder={known.number} onCommit={(low) => put({ low })} />
      to
      <Text label={`${label}: at most`} value={known.high} placeholder={known.number} onCommit={(high) => put({ high })} />
    </span>
  );
}
