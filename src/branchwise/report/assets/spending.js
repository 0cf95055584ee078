// What is left of the budget: costs added up along the way, in whole numbers.

/** Write what is left after what has happened; empty where there is no budget. */
function budgetText(plan, events) {
  const { spending } = plan;
  if (!spending) return "";
  const left = spending.resources.map((resource) => resource.limit);
  const happened = new Map();
  for (const event of events) {
    costOf(plan, event.action, happened).forEach((amount, i) => {
      if (left[i] !== null) left[i] -= amount;
    });
    if (!happened.has(event.action)) happened.set(event.action, new Set());
    happened.get(event.action).add(event.outcome);
  }
  return spending.resources
    .map((resource, i) => limitText(resource, left[i]))
    .join(", ");
}

function limitText(resource, left) {
  const amount = left === null ? "unlimited" : valueText(left / resource.scale);
  const name = left === resource.scale ? resource.one : resource.name;
  return name ? `${amount} ${name}` : amount;
}

/** What an action costs: the first clause that holds decides. */
function costOf(plan, action, happened) {
  const costs = plan.spending.costs[action];
  const clause = costs.given?.find(({ when }) => holds(when, happened));
  return (clause ?? costs).cost;
}

function holds([kind, ...parts], happened) {
  switch (kind) {
    case "happened": return happened.get(parts[0])?.has(parts[1]) ?? false;
    case "attempted": return happened.has(parts[0]);
    case "all": return parts.every((part) => holds(part, happened));
    case "any": return parts.some((part) => holds(part, happened));
    case "at_least": {
      const [count, ...some] = parts;
      return some.filter((part) => holds(part, happened)).length >= count;
    }
    default: return !holds(parts[0], happened);
  }
}
