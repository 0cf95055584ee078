// The right: the answer in words, what would change it, risk, budgets, scenarios.

import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Pick, Text } from "../fields";
import { at, entries, isMap, measureEdits, measureOf, numberOf, probabilities, probabilityText, textOf, written } from "../parts";
import { useStudio } from "../studio";
import type { Budget, Curve, Edit, Part, Path, Threshold } from "../types";
import type { Tab } from "./center";

export function Side({ setTab, setPin }: { setTab: (tab: Tab) => void; setPin: (pin: number) => void }) {
  const { document, answer } = useStudio().state;
  if (!document) return null;
  const isCurrent = document.sound && answer?.version === document.version && !answer.error;
  return (
    <div class={`side ${isCurrent ? "" : "stale"}`}>
      {answer && !answer.error && (
        <section aria-label="The answer" aria-live="polite">
          <p class="eyebrow">{answer.is_optimal ? "Optimal plan" : "Best plan so far"}</p>
          <p class="worth">
            {answer.shown}
            <small>{answer.is_cost ? "expected cost" : "expected reward"}</small>
          </p>
          {answer.sentences.slice(0, 1).map((runs, number) => (
            <p class="answer-text" key={number}>
              {runs.map(([text, isStrong], n) => (isStrong ? <strong key={n}>{text}</strong> : text))}
            </p>
          ))}
        </section>
      )}
      <Objective />
      {isCurrent && (
        <>
          <Budgets budgets={answer.budgets} />
          <Thresholds />
          <Risk chart={answer.chart} />
        </>
      )}
      <Scenarios setTab={setTab} setPin={setPin} />
    </div>
  );
}

function Objective() {
  const studio = useStudio();
  const aim = studio.state.document?.aim ?? "mean";
  const [kind, number] = aim.split("=") as [string, string | undefined];
  const put = (text: string) => void studio.ask("aim", () => ({ aim: text }));
  const isLeastCost = textOf(at(studio.state.document?.outline, "objective")) === "least-cost";
  const pick = (to: string) => {
    // Least cost is said by the problem itself; what else plans are made for is not.
    const objective: Edit = to === "cost" ? { path: ["objective"], put: "least-cost" } : { path: ["objective"], remove: true };
    if (isLeastCost !== (to === "cost")) void studio.edit([objective], "the objective");
    put(to === "cvar" ? "cvar=10%" : to === "least" ? "least=1" : "mean");
  };
  return (
    <section aria-label="Plan for">
      <h3>Plan for</h3>
      <div class="row-fields">
        <Pick
          label="What the plan is to make the most of"
          value={isLeastCost && kind === "mean" ? "cost" : kind}
          options={[
            ["mean", "the mean"],
            ["cvar", "the worst share of cases (CVaR)"],
            ["least", "the chance of a reward"],
            ["cost", "the least cost of finishing"],
          ]}
          onPick={pick}
        />
        {number !== undefined && <Text label={kind === "cvar" ? "Share of worst cases" : "Reward to reach"} value={number} onCommit={(to) => put(`${kind}=${to}`)} />}
      </div>
    </section>
  );
}

function Budgets({ budgets }: { budgets: Budget[] }) {
  const studio = useStudio();
  const { document, curves } = studio.state;
  const budget = at(document?.outline, "budget");
  if (!budgets.length) return null;
  return (
    <section aria-label="Budget">
      <h3>Budget</h3>
      {budgets.map((each) => {
        const path: Path = isMap(budget) ? ["budget", each.resource] : ["budget"];
        const isPlain = numberOf(textOf(at(document?.outline, ...path))) !== null;
        const curve = curves[each.resource];
        return (
          <Slider
            key={each.resource}
            label={each.resource || "Budget"}
            value={each.limit}
            low={0}
            high={each.most}
            curve={curve}
            isOld={curve?.version !== document?.version}
            step={each.is_whole ? 1 : each.limit / 50}
            isFixed={!isPlain}
            onPut={(to) => void studio.edit([{ path, put: written(to, 6) }], "the budget")}
          />
        );
      })}
    </section>
  );
}

interface SliderProps {
  label: string;
  value: number;
  low: number;
  high: number;
  step: number;
  mark?: number;
  note?: string;
  isFixed?: boolean;
  /** What each value is worth, drawn behind; old where the problem has changed since. */
  curve?: Curve;
  isOld?: boolean;
  onPut: (value: number) => void;
}

function Slider({ label, value, low, high, step, mark, note, isFixed, curve, isOld, onPut }: SliderProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  useEffect(() => setDragged(null), [value]);
  const worth = curve && !isOld ? worthAt(curve, dragged ?? value) : undefined;
  const list = `marks-${label.replace(/\W/g, "-")}`;
  return (
    <label class="slider">
      <span>
        {label} <output>{written(dragged ?? value, 6)}{worth !== undefined && <small> worth {written(worth, 3)}</small>}</output>
      </span>
      {curve && <Worths curve={curve} high={high} isOld={!!isOld} at={dragged ?? value} />}
      <input
        type="range"
        min={low}
        max={high}
        step={step}
        value={dragged ?? value}
        disabled={isFixed}
        list={mark === undefined ? undefined : list}
        onInput={(event) => setDragged(Number(event.currentTarget.value))}
        onChange={(event) => onPut(Number(event.currentTarget.value))}
      />
      {mark !== undefined && (
        <datalist id={list}>
          <option value={mark} />
        </datalist>
      )}
      {note && <small>{note}</small>}
    </label>
  );
}

/** What a budget is worth; unknown past the end of the curve. */
function worthAt(curve: Curve, budget: number): number | undefined {
  return budget > curve.most ? undefined : curve.points.filter(([from]) => from <= budget + 1e-9).at(-1)?.[1];
}

/** The value curve behind a slider: what each budget is worth. */
function Worths({ curve, high, isOld, at }: { curve: Curve; high: number; isOld: boolean; at: number }) {
  const values = curve.points.map(([, value]) => value);
  const least = Math.min(0, ...values);
  const span = Math.max(...values) - least || 1;
  const x = (budget: number) => (100 * Math.min(budget, high)) / high;
  const y = (value: number) => 38 - (36 * (value - least)) / span;
  const ends = [...curve.points.slice(1).map(([from]) => from), curve.most];
  const steps = curve.points.map(([from, value], n) => `${n ? "L" : "M"}${x(from)} ${y(value)}L${x(ends[n]!)} ${y(value)}`).join("");
  const [first] = curve.points[0] ?? [0];
  const shown = `From ${written(values[0] ?? 0, 3)} at ${written(first, 3)} to ${written(values.at(-1) ?? 0, 3)} at ${written(curve.most, 3)}`;
  return (
    <svg class={`curve ${isOld ? "old" : ""}`} viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={`What each budget is worth: ${shown}`}>
      <title>{shown}</title>
      <path class="area" d={`${steps}L${x(curve.most)} 40L${x(first)} 40Z`} />
      <path class="line" d={steps} />
      <path class="here" d={`M${x(at)} 0V40`} />
    </svg>
  );
}

function Thresholds() {
  const studio = useStudio();
  const { thresholds, within } = studio.state;
  if (thresholds === null) return null;
  return (
    <section aria-label="What would change the start">
      <h3>What would change the start</h3>
      {thresholds.length === 0 && <p class="hint">{within ? `No single number does, moved up or down by up to ${written(100 * within, 0)} %.` : "Not found in a moment; the analysis looks further."}</p>}
      {thresholds.map((each) => (
        <ThresholdSlider key={`${each.name}-${each.is_above}`} threshold={each} />
      ))}
    </section>
  );
}

function ThresholdSlider({ threshold: it }: { threshold: Threshold }) {
  const studio = useStudio();
  const outline = studio.state.document?.outline;
  const part = it.path ? at(outline, ...it.path) : undefined;
  const key = it.is_probability ? "probability" : "value";
  const edits = (wanted: number) =>
    it.is_probability ? proportional(it.path!, at(outline, ...it.path!.slice(0, -1)), wanted) : measureEdits(it.path!, part, key, { ...measureOf(part, key), number: written(wanted, 6) });
  const isPlain = part !== undefined && numberOf(measureOf(part, key).number) !== null;
  const isRest = it.is_probability && part !== undefined && probabilityText(part).trim().toLowerCase() === "rest";
  const isFixed = !(isPlain || isRest) || edits(it.value) === null;
  const far = Math.abs(it.at - it.value) * 2 || 1;
  const high = it.is_probability ? 1 : it.value + far * 1.5;
  const lowest = it.value < 0 ? -Infinity : 0;
  const low = it.is_probability ? 0 : Math.max(lowest, it.value - far * 1.5);
  return (
    <Slider
      label={it.name}
      value={it.value}
      low={low}
      high={high}
      step={(high - low) / 200}
      mark={it.at}
      isFixed={isFixed}
      note={`${it.is_above ? "above" : "below"} ${it.at_shown}: ${it.first ?? "nothing"} first`}
      onPut={(to) => void studio.edit(edits(to) ?? [], it.name)}
    />
  );
}

/**
 * The edits that give an outcome a probability while the others keep their proportions,
 * as the analysis has it; null where they are not plain numbers.
 */
function proportional(path: Path, outcomes: Part | undefined, wanted: number): Edit[] | null {
  const rows = entries(outcomes);
  const shares = probabilities(rows);
  const number = rows.findIndex(([label]) => label === path.at(-1));
  const old = shares[number];
  if (old === undefined || shares.some((each) => each === null)) return null;
  const isRest = (n: number) => probabilityText(rows[n]![1]).trim().toLowerCase() === "rest";
  // One outcome takes what rounding leaves: the one that does so already, or the last.
  const others = rows.map((_, n) => n).filter((n) => n !== number);
  const left = others.find(isRest) ?? others.at(-1);
  const put = (n: number, text: string) => measureEdits([...path.slice(0, -1), rows[n]![0]], rows[n]![1], "probability", { ...measureOf(rows[n]![1], "probability"), number: text });
  const scaled = (n: number) => (old === 1 ? (1 - wanted) / others.length : (shares[n]! * (1 - wanted)) / (1 - old!));
  const edits = put(number, written(wanted, 6));
  let sum = Number(written(wanted, 6));
  for (const n of others.filter((each) => each !== left)) {
    edits.push(...put(n, written(scaled(n), 6)));
    sum += Number(written(scaled(n), 6));
  }
  if (left !== undefined && !isRest(left)) edits.push(...put(left, written(1 - sum, 6)));
  return edits;
}

/** The risk profile, as the report draws it. */
function Risk({ chart }: { chart: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = place.current;
    if (!box) return;
    const picture = chart ? new DOMParser().parseFromString(chart, "text/html").querySelector("svg") : null;
    if (picture) box.replaceChildren(document.importNode(picture, true));
    else box.replaceChildren();
  }, [chart]);
  return (
    <section aria-label="Risk profile" hidden={!chart}>
      <h3>How it may end</h3>
      <div class="risk" ref={place} />
    </section>
  );
}

function Scenarios({ setTab, setPin }: { setTab: (tab: Tab) => void; setPin: (pin: number) => void }) {
  const studio = useStudio();
  const document = studio.state.document!;
  const taken = new Set(document.pins.map((pin) => pin.name));
  const letter = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((each) => !taken.has(`Scenario ${each}`)) ?? "A";
  return (
    <section aria-label="Scenarios">
      <h3>Scenarios</h3>
      {document.pins.map((pin, number) => (
        <div class="pin" key={number}>
          <span>
            <strong>{pin.name}</strong> {pin.shown}
          </span>
          <Button
            kind="quiet"
            label={`Compare with ${pin.name}`}
            onPress={() => {
              setPin(number);
              setTab("Compare");
            }}
          >
            Compare
          </Button>
          <Button kind="icon" label={`Let go of ${pin.name}`} onPress={() => void studio.ask("unpin", () => ({ number }))}>
            ×
          </Button>
        </div>
      ))}
      <Button disabled={!document.sound} onPress={() => void studio.ask("pin", () => ({ name: `Scenario ${letter}` }))}>
        Pin this as {letter}
      </Button>
    </section>
  );
}
