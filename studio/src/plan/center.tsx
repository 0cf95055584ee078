// The middle: the plan and all that can be asked about it, drawn by the report.

import { useEffect, useRef, useState } from "preact/hooks";
import { Button, IssueLine, Pick } from "../fields";
import { at } from "../parts";
import { useStudio } from "../studio";
import { Follow } from "./follow";
import { Graph } from "./graph";

const TABS = ["Plan", "Dependencies", "Rewarding sets", "Analysis", "Follow", "Defend", "Certify", "Compare", "Report"] as const;
export type Tab = (typeof TABS)[number];

export function Center({ tab, setTab, pin }: { tab: Tab; setTab: (tab: Tab) => void; pin: number }) {
  const studio = useStudio();
  const { document, answer, progress } = studio.state;
  const [section, setSection] = useState("");
  if (!document) return null;
  const asked = { Compare: document.pins.length > 0, Defend: at(document.outline, "defenses") !== undefined, Certify: false };
  const shown = TABS.filter((each) => each === tab || (asked[each as keyof typeof asked] ?? true));
  const isCurrent = answer?.version === document.version && !answer.error;
  const plan = isCurrent ? `plan?${answer.version}-${document.aim}-${answer.nodes}-${answer.status}` : "";
  const key = `${document.version}`;
  return (
    <div class="center">
      <div class="tabs" role="tablist" aria-label="What is shown" onKeyDown={(event) => moveTab(event, shown, tab, setTab)}>
        {shown.map((each) => (
          <button key={each} type="button" role="tab" id={`tab-${each}`} aria-selected={each === tab} tabIndex={each === tab ? 0 : -1} onClick={() => setTab(each)}>
            {each}
          </button>
        ))}
      </div>
      <div class="view" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {!document.sound && tab !== "Dependencies" ? (
          <Wrong />
        ) : tab === "Plan" ? (
          <>
            {answer?.error && answer.version === document.version && <p class="issue error">{answer.error}</p>}
            <Frame name="The plan" source={plan} isStale={!isCurrent} />
            {progress && <Working />}
          </>
        ) : tab === "Dependencies" ? (
          <Graph />
        ) : tab === "Rewarding sets" ? (
          <Frame name="Rewarding sets" source={`sets?${key}`} />
        ) : tab === "Analysis" ? (
          <>
            <div class="bar">
              <Pick
                label="Section of the analysis"
                value={section}
                options={[["", "choose a section …"], ["all", "everything (takes longer)"], ...document.sections.map((each): [string, string] => [each, each.replaceAll("-", " ")])]}
                onPick={setSection}
              />
            </div>
            {section ? (
              <Frame name="Analysis" source={`analysis?only=${section === "all" ? "" : section}&v=${key}`} />
            ) : (
              <p class="hint roomy">What matters in the problem, what would change the plan, and what more would buy: choose a section.</p>
            )}
          </>
        ) : tab === "Follow" ? (
          <Follow key={key} />
        ) : tab === "Defend" ? (
          <Frame name="Defenses" source={`defend?${key}`} />
        ) : tab === "Certify" ? (
          <>
            <Frame name="Certificate" source={`certify?${key}`} />
            <p class="bar">
              <a href="export/certificate.json" download>
                Save the certificate
              </a>{" "}
              <small>
                <code>branchwise verify</code> checks it against the problem file.
              </small>
            </p>
          </>
        ) : tab === "Compare" ? (
          <Frame name="Comparison" source={`compare?pin=${Math.min(pin, document.pins.length - 1)}&v=${key}`} />
        ) : (
          <Frame name="Report" source={isCurrent ? `report?${plan}` : ""} isStale={!isCurrent} />
        )}
      </div>
    </div>
  );
}

export function moveTab<T extends string>(event: KeyboardEvent, tabs: readonly T[], tab: T, setTab: (tab: T) => void) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]!;
  setTab(next);
  document.getElementById(`tab-${next}`)?.focus();
}

function Wrong() {
  const issues = useStudio().state.document?.issues.filter((issue) => issue.severity === "error") ?? [];
  return (
    <div class="roomy wrong-list" role="status">
      <h2>There is no plan yet</h2>
      <p class="hint">{issues.length === 1 ? "One thing has" : `${issues.length} things have`} to be put right first:</p>
      {issues.map((issue, number) => (
        <IssueLine key={number} issue={issue} />
      ))}
    </div>
  );
}

function Working() {
  const studio = useStudio();
  const progress = studio.state.progress;
  if (!progress) return null;
  const { lower, upper } = progress;
  return (
    <div class="working" role="status">
      <span>
        {progress.stage}: {progress.states.toLocaleString("en")} states
        {lower !== null && upper !== null && <>; between {lower.toPrecision(6)} and {upper.toPrecision(6)}</>}
      </span>
      <Button onPress={() => void studio.ask("stop", () => ({}))}>Stop with the best so far</Button>
    </div>
  );
}

/**
 * A page of the report in a frame that cannot reach the studio. The next one is loaded
 * out of sight and takes the place of the last once it is there.
 */
function Frame({ name, source, isStale }: { name: string; source: string; isStale?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [isLoading, setLoading] = useState(false);
  useEffect(() => {
    const box = place.current;
    if (!box || !source) return;
    const frame = document.createElement("iframe");
    frame.title = name;
    frame.setAttribute("sandbox", "allow-scripts");
    frame.className = "coming";
    frame.addEventListener("load", () => {
      for (const other of [...box.children]) if (other !== frame) other.remove();
      frame.className = "";
      setLoading(false);
      performance.mark("studio-shown");
    });
    frame.src = `frames/${source}`;
    box.append(frame);
    setLoading(true);
    return () => {
      if (frame.className === "coming") frame.remove();
    };
  }, [source]);
  return (
    <div class={`frame ${isStale ? "stale" : ""}`} aria-busy={isLoading}>
      <div class="frame-box" ref={place} />
      {isLoading && <p class="loading">working it out …</p>}
    </div>
  );
}
