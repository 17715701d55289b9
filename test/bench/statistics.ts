/** Returns the value below which a share of the sorted sample lies (nearest rank). `share` goes from 0 to 1. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = sample.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export const median = (sample: readonly number[]): number => percentile(sample, 0.5);

/** Formats median and range, as in `812 (790 to 840)`. */
export const spread = (sample: readonly number[], digits = 0): string =>
  `${median(sample).toFixed(digits)} (${Math.min(...sample).toFixed(digits)} to ${Math.max(...sample).toFixed(digits)})`;

/** The heads of the columns of `tailOf` after the number. */
export const TAIL = ['p50', 'p99', 'highest'] as const;

/** Returns the size of a sample, its median, its 99th percentile and its maximum. */
export const tailOf = (sample: readonly number[]): readonly string[] => [
  String(sample.length),
  ...[0.5, 0.99, 1].map((share) => percentile(sample, share).toFixed(1)),
];
