// The dependency graph, as the report draws it; drag from an outcome to connect.

import { useEffect, useRef, useState } from "preact/hooks";
import { conditionEdits, conditionOf, joined } from "../conditions";
import { at } from "../parts";
import { useStudio } from "../studio";
import type { Condition } from "../types";

interface Drawn {
  svg: string;
  actions: { name: string; outcomes: string[] }[];
}

const HEAD = 28;
const ROW = 19;

export function Graph() {
  const studio = useStudio();
  const place = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [said, setSaid] = useState("");
  const version = studio.version;
  useEffect(() => {
    let isWanted = true;
    void fetch("graph").then(async (response) => {
      if (!isWanted) return;
      if (response.ok) setDrawn((await response.json()) as Drawn);
      else setSaid(((await response.json()) as { error: string }).error);
    });
    return () => {
      isWanted = false;
    };
  }, [version]);
  useEffect(() => {
    if (!drawn || !place.current) return;
    const picture = new DOMParser().parseFromString(drawn.svg, "image/svg+xml").documentElement;
    const svg = document.importNode(picture, true) as unknown as SVGSVGElement;
    place.current.replaceChildren(svg);
    return connecting(svg, drawn, (from, outcome, to, isPreclusion) => {
      const key = isPreclusion ? "precluded_by" : "requires";
      const part = at(studio.state.document?.outline, "actions", to, key);
      const wanted: Condition = outcome === null ? { action: from } : { action: from, outcome };
      const condition = joined(isPreclusion ? "any" : "all", conditionOf(part), wanted);
      void studio.edit(conditionEdits(["actions", to, key], part, condition), isPreclusion ? "a preclusion" : "a prerequisite");
    });
  }, [drawn]);
  return (
    <div class="graph roomy">
      <p class="hint">
        Drag from an outcome to an action that needs it. With <kbd>Shift</kbd> held it rules that action out instead; from the head of an action
        any outcome will do. The same is in each action under Needs and Ruled out by.
      </p>
      {said && <p class="issue error">{said}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label="Dependency graph" ref={place} />
    </div>
  );
}

type Connect = (from: string, outcome: string | null, to: string, isPreclusion: boolean) => void;

/** Let one drag from rows of boxes to other boxes. */
function connecting(svg: SVGSVGElement, drawn: Drawn, connect: Connect): () => void {
  const group = [...svg.children].find((each) => each.tagName === "g");
  const boxes = [...(group?.children ?? [])].filter((each) => each.querySelector(":scope > .bw-box")) as SVGGElement[];
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("class", "dragged");
  let begun: { number: number; outcome: string | null; x: number; y: number } | null = null;
  const point = (event: PointerEvent) => {
    const matrix = svg.getScreenCTM();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
  };
  const boxAt = (event: PointerEvent) => {
    return boxes.findIndex((box) => {
      const place = box.querySelector(".bw-box")!.getBoundingClientRect();
      return event.clientX >= place.left && event.clientX <= place.right && event.clientY >= place.top && event.clientY <= place.bottom;
    });
  };
  boxes.forEach((box) => box.classList.add("box"));
  const down = (event: PointerEvent) => {
    const number = boxAt(event);
    const action = drawn.actions[number];
    if (!action || event.button !== 0) return;
    const place = boxes[number]!.querySelector(".bw-box")!.getBoundingClientRect();
    const scale = svg.getScreenCTM()?.d ?? 1;
    const row = Math.floor(((event.clientY - place.top) / scale - HEAD) / ROW);
    begun = { number, outcome: row < 0 ? null : (action.outcomes[row] ?? null), ...toPlain(point(event)) };
    svg.append(line);
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const move = (event: PointerEvent) => {
    if (!begun) return;
    const { x, y } = point(event);
    line.setAttribute("d", `M${begun.x} ${begun.y}L${x} ${y}`);
    line.classList.toggle("rules-out", event.shiftKey);
    const over = boxAt(event);
    boxes.forEach((box, number) => box.classList.toggle("over", number === over && number !== begun!.number));
  };
  const up = (event: PointerEvent) => {
    if (!begun) return;
    const over = boxAt(event);
    const from = drawn.actions[begun.number];
    const to = drawn.actions[over];
    if (from && to && over !== begun.number) connect(from.name, begun.outcome, to.name, event.shiftKey);
    line.remove();
    boxes.forEach((box) => box.classList.remove("over"));
    begun = null;
  };
  svg.addEventListener("pointerdown", down);
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerup", up);
  return () => svg.remove();
}

function toPlain({ x, y }: DOMPoint) {
  return { x, y };
}
