// Follow mode: walk the plan, and report what happens, foreseen or not.

import { useEffect, useState } from "preact/hooks";
import { Button, Pick } from "../fields";
import { quoted } from "../conditions";
import { useStudio } from "../studio";

interface Advice {
  error?: string;
  action: string | null;
  outcomes: [string, string][];
  worth: string;
  is_cost: boolean;
  reward: string;
  left: string;
  surprise: boolean;
  actions: { name: string; outcomes: string[] }[];
}

type Step = { happened: string } | { ruled_out: string };

export function Follow() {
  const studio = useStudio();
  const [steps, setSteps] = useState<Step[]>([]);
  const [advice, setAdvice] = useState<Advice | null>(null);
  const [error, setError] = useState("");
  const [other, setOther] = useState("");
  useEffect(() => {
    let isWanted = true;
    void studio.follow(steps).then((said: Advice) => {
      if (!isWanted) return;
      if (said.error) {
        setError(said.error);
        setSteps(steps.slice(0, -1));
      } else {
        setAdvice(said);
      }
    });
    return () => {
      isWanted = false;
    };
  }, [steps]);
  if (!advice) return <p class="hint roomy">{error || "working it out …"}</p>;
  const tell = (step: Step) => {
    setError("");
    setOther("");
    setSteps([...steps, step]);
  };
  const chosen = advice.actions.find((each) => each.name === other);
  return (
    <div class="roomy follow">
      <p class="lead answer" role="status">
        {advice.action === null ? (
          <>
            Stop here: it pays <strong>{advice.reward}</strong>.
          </>
        ) : (
          <>
            {steps.length ? "Go on" : "Start"} with <strong>{advice.action}</strong>. From here on the plan {advice.is_cost ? "costs" : "is worth"} <strong>{advice.worth}</strong>; left: {advice.left}.
          </>
        )}
        {advice.surprise && " That was not foreseen; this is a new plan."}
      </p>
      {advice.action !== null && (
        <div class="choices" role="group" aria-label={`What came of ${advice.action}?`}>
          <span>What came of it?</span>
          {advice.outcomes.map(([label, chance]) => (
            <Button key={label} kind="main" onPress={() => tell({ happened: `${quoted(advice.action!)}=${quoted(label)}` })}>
              {label} <small>{chance}</small>
            </Button>
          ))}
        </div>
      )}
      {error && <p class="issue error">{error}</p>}
      <fieldset class="clause">
        <legend>Something else happened</legend>
        <Pick label="Another action" value={other} options={[["", "which action …"], ...advice.actions.map((each): [string, string] => [each.name, each.name])]} onPick={setOther} />
        {chosen?.outcomes.map((label) => (
          <Button key={label} onPress={() => tell({ happened: `${quoted(chosen.name)}=${quoted(label)}` })}>
            came out {label}
          </Button>
        ))}
        {chosen && <Button onPress={() => tell({ ruled_out: chosen.name })}>is no longer possible</Button>}
      </fieldset>
      <h3>So far</h3>
      <ol class="steps">
        {steps.map((step, number) => (
          <li key={number}>{"happened" in step ? step.happened : `${step.ruled_out} is no longer possible`}</li>
        ))}
      </ol>
      {steps.length > 0 && (
        <div class="choices">
          <Button onPress={() => setSteps(steps.slice(0, -1))}>Take the last one back</Button>
          <Button onPress={() => setSteps([])}>From the beginning</Button>
        </div>
      )}
    </div>
  );
}
