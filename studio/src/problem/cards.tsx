// The problem as cards: every word of the format, without a line of YAML.

import { useStudio } from "../studio";
import { Actions } from "./actions";
import { Defenses } from "./defenses";
import { Facts } from "./facts";
import { Counters, Parameters } from "./named";
import { Rewards } from "./rewards";
import { Whole } from "./whole";

export function Cards() {
  const outline = useStudio().state.document?.outline ?? null;
  return (
    <div class="cards">
      <Whole outline={outline} />
      <Actions outline={outline} />
      <Rewards outline={outline} />
      <Facts outline={outline} />
      <Counters outline={outline} />
      <Parameters outline={outline} />
      <Defenses outline={outline} />
    </div>
  );
}
