import type { DueReport } from './report-of.ts';

/** The most reports of one service at once. At 300 milliseconds each, a service gets some fifty reports in a second. */
const AT_ONCE = 16;

/** After so many failures, some twenty minutes, another payment shows if the third party refuses this report alone. */
export const FAILURES_MAX = 8;

/**
 * Chooses the reports to send at once: the first one of each payment. So the reports of a payment keep their order.
 *
 * - A report that has failed is sent alone. Otherwise each attempt would repeat the reports behind it.
 * - After many failures, the next payments are sent with it: one at first, and one more after each further failure. The third
 *   party may refuse several reports in a row, and take the one behind them.
 */
export function waveOf(rest: readonly DueReport[], failures: number): readonly DueReport[] {
  const firsts = new Map<string, DueReport>();
  for (const due of rest) {
    if (firsts.size === sizeAfter(failures)) break;
    if (!firsts.has(due.transaction.id)) firsts.set(due.transaction.id, due);
  }
  return [...firsts.values()];
}

function sizeAfter(failures: number): number {
  if (failures === 0) return AT_ONCE;
  return failures < FAILURES_MAX ? 1 : Math.min(failures - FAILURES_MAX + 2, AT_ONCE);
}
