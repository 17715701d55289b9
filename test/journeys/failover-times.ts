import { table } from '../bench/results.ts';

/** The times of one failover in milliseconds. */
export type Failover = {
  /** From the loss of the primary until the standby takes writes. The manager decides the time. */
  readonly promotionMs: number;
  /** From the promotion until the first payment of a client. */
  readonly paymentMs: number;
  /** From the promotion until clients have paid as often as in a second before. */
  readonly rateMs: number;
  /** From the promotion until a consumer has the next event. */
  readonly eventMs: number;
  /** From the promotion until Paygraph listens to notifications. */
  readonly listenerMs: number;
};

const COLUMNS: readonly (readonly [keyof Failover, string])[] = [
  ['promotionMs', 'loss to promotion'],
  ['paymentMs', 'promotion to first payment'],
  ['rateMs', 'to 50 payments'],
  ['eventMs', 'to an event'],
  ['listenerMs', 'to the listener'],
];

/** Formats the times in seconds as a Markdown table, with the median and the longest of each. */
export function describeFailovers(failovers: readonly Failover[]): string {
  const row = (name: string, of: (times: readonly number[]) => number): readonly string[] => [
    name,
    ...COLUMNS.map(([column]) => `${(of(failovers.map((each) => each[column])) / 1_000).toFixed(2)} s`),
  ];
  return table([
    ['failover', ...COLUMNS.map(([, title]) => title)],
    ...failovers.map((_, index) => row(String(index + 1), (times) => times[index] ?? 0)),
    row('median', medianOf),
    row('longest', (times) => Math.max(...times)),
  ]);
}

/** Returns the middle value, or the greater one of two middle values. */
export const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Infinity;
