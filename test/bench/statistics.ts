/** The value below which so much of the sorted sample lies (nearest rank); `share` from 0 to 1. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = sample.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export const median = (sample: readonly number[]): number => percentile(sample, 0.5);

/** Median and range, as in `812 (790 to 840)`. */
export const spread = (sample: readonly number[], digits = 0): string =>
  `${median(sample).toFixed(digits)} (${Math.min(...sample).toFixed(digits)} to ${Math.max(...sample).toFixed(digits)})`;
