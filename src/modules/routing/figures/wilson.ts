/** The quantile of a 95 % interval. */
const Z = 1.959964;
const SQUARE = Z * Z;

/** The bounds of a rate, from 0 to 1. */
export type Bounds = { readonly low: number; readonly high: number };

/** Returns the 95 % interval of a rate by Wilson's score. The interval is honest for few cases and for rates near 0 and 1. */
export function wilson(successes: number, cases: number): Bounds {
  if (cases === 0) return { low: 0, high: 1 };
  const rate = successes / cases;
  const scale = 1 + SQUARE / cases;
  const middle = (rate + SQUARE / (2 * cases)) / scale;
  const half = (Z / scale) * Math.sqrt((rate * (1 - rate)) / cases + SQUARE / (4 * cases * cases));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
