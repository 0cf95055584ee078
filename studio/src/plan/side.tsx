// The right: the answer in words, what would change it, risk, budgets, scenarios.

import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Pick, Text } from "../fields";
import { at, isMap, textOf, written } from "../parts";
import { useStudio } from "../studio";
import type { Budget, Path, Threshold } from "../types";
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
  return (
    <section aria-label="Plan for">
      <h3>Plan for</h3>
      <div class="row-fields">
        <Pick
          label="What the plan is to make the most of"
          value={kind}
          options={[
            ["mean", "the mean"],
            ["cvar", "the worst share of cases (CVaR)"],
            ["least", "the chance of a reward"],
          ]}
          onPick={(to) => put(to === "mean" ? "mean" : to === "cvar" ? "cvar=10%" : "least=1")}
        />
        {number !== undefined && <Text label={kind === "cvar" ? "Share of worst cases" : "Reward to reach"} value={number} onCommit={(to) => put(`${kind}=${to}`)} />}
      </div>
    </section>
  );
}

function Budgets({ budgets }: { budgets: Budget[] }) {
  const studio = useStudio();
  const budget = at(studio.state.document?.outline, "budget");
  if (!budgets.length) return null;
  return (
    <section aria-label="Budget">
      <h3>Budget</h3>
      {budgets.map((each) => {
        const path: Path = isMap(budget) ? ["budget", each.resource] : ["budget"];
        const isPlain = textOf(at(studio.state.document?.outline, ...path)) !== "";
        return (
          <Slider
            key={each.resource}
            label={each.resource || "Budget"}
            value={each.limit}
            low={0}
            high={Math.max(2 * each.limit, 4)}
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
  onPut: (value: number) => void;
}

function Slider({ label, value, low, high, step, mark, note, isFixed, onPut }: SliderProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  useEffect(() => setDragged(null), [value]);
  const list = `marks-${label.replace(/\W/g, "-")}`;
  return (
    <label class="slider">
      <span>
        {label} <output>{written(dragged ?? value, 6)}</output>
      </span>
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
  const there = it.path && at(outline, ...it.path);
  const isBelow = it.path !== null && isMap(there);
  const path = isBelow ? [...it.path!, "probability"] : it.path;
  const text = path ? textOf(at(outline, ...path)) : "";
  const isFixed = !path || !/^[\d.]+$/.test(text) || (it.is_probability && !hasRest(path.slice(0, isBelow ? -2 : -1)));
  const far = Math.abs(it.at - it.value) * 2 || 1;
  const high = it.is_probability ? 1 : it.value + far * 1.5;
  const low = it.is_probability ? 0 : Math.max(0, it.value - far * 1.5);
  function hasRest(where: Path) {
    const outcomes = at(outline, ...where);
    return isMap(outcomes) && (outcomes as { map: [string, any][] }).map.some(([, each]) => textOf(isMap(each) ? at(each, "probability") : each) === "rest");
  }
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
      onPut={(to) => path && void studio.edit([{ path, put: written(to) }], it.name)}
    />
  );
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
      <Button disabled={!document.sound} onPress={() => void studio.ask("pin", () => ({ name: `Scenario ${String.fromCharCode(65 + (document.pins.length % 26))}` }))}>
        Pin this as {String.fromCharCode(65 + (document.pins.length % 26))}
      </Button>
    </section>
  );
}
