// Numbers for people, written as Python writes them in the rest of the page.

/** Write a value with four digits, none lost before the point; whole numbers in full. */
function valueText(number) {
  // What no float can hold comes as it is to be written.
  if (typeof number === "string") return number;
  if (number === 0) return "0";
  const size = Math.abs(number);
  if (size >= 1e15) return exponential(number, 6);
  if (Number.isInteger(number) || size >= 1e3) return grouped(evenly(number));
  return general(number, 4);
}

/** Write a value so that pointing at it shows all of its digits. */
function valueElement(number, before = "") {
  const text = valueText(number);
  const isExact = typeof number === "string" || Number(text.replaceAll(",", "")) === number;
  return element("span", { text: before + text, title: isExact ? undefined : String(number) });
}

/** Round as Python does: a half goes to the even neighbor. */
function evenly(number) {
  const below = Math.floor(number);
  const isHalf = number - below === 0.5;
  return String(isHalf ? below + Math.abs(below % 2) : Math.round(number));
}

/** Compare what no float can hold as infinite. */
function asNumber(value) { return typeof value === "string" ? Number(value) : value; }

/** Write how much better or worse a value is than another, with its sign. */
function differenceText(value, other) {
  const difference = other - value;
  // Floats that should be the same may differ by a hair.
  const hair = 1e-9 * Math.max(Math.abs(value), Math.abs(other));
  if (!(Math.abs(difference) > hair)) return "just as good";
  const text = valueText(Number(Math.abs(difference).toPrecision(9)));
  return difference < 0 ? `\u2212${text}` : `+${text}`;
}

/** Write a probability as a percentage that never pretends to be certain. */
function chanceText(probability) {
  const percent = 100 * probability;
  const isBelowCertain = percent < 100 - 1e-9;
  if (percent > 0 && percent < 0.01) return "<0.01 %";
  if (percent > 99.99 && isBelowCertain) return ">99.99 %";
  return `${general(percent, percent > 99.9 && isBelowCertain ? 4 : 3)} %`;
}

/** Write how many there are; very many come as text. */
function countText(number) {
  return typeof number === "string" ? number : grouped(String(number));
}

/** Write how many there are of something. */
function pluralText(number, one, many = `${one}s`) {
  return `${countText(number)} ${number === 1 ? one : many}`;
}

/** Python's `g` format: so many digits, no zeros at the end. */
function general(number, digits) {
  const power = Number(number.toExponential(digits - 1).split("e")[1]);
  if (power < -4 || power >= digits) return exponential(number, digits);
  return withoutZeros(number.toFixed(digits - 1 - power));
}

function exponential(number, digits) {
  const [mantissa, power] = number.toExponential(digits - 1).split("e");
  const sign = power.startsWith("-") ? "-" : "+";
  return `${withoutZeros(mantissa)}e${sign}${power.slice(1).padStart(2, "0")}`;
}

function withoutZeros(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function grouped(text) {
  if (text.includes("e")) return text;
  const [whole, rest] = text.split(".");
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest === undefined ? parted : `${parted}.${rest}`;
}
