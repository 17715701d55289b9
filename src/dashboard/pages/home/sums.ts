import type { HomeData, Row } from './query.ts';
import { startsOf, type Span } from './span.ts';

/** A measure of rows, such as the captured amount. Null without any entry, which a rate may be. */
export type Measure = (rows: readonly Row[]) => number | null;

const sum = (rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/** The captured amount in minor units. */
export const volume: Measure = (rows) => sum(rows, ({ captured }) => captured.amount);

/** The refunded amount in minor units. */
export const refunds: Measure = (rows) => sum(rows, ({ refunded }) => refunded.amount);

/** The amount that buyers won back in disputes, in minor units. */
export const disputes: Measure = (rows) => sum(rows, ({ disputeLost }) => disputeLost.amount);

/** The number of created payments. */
export const payments: Measure = (rows) => sum(rows, ({ created }) => created.count);

/** The share of authorisations that succeeded, 0 to 1. */
export const rate: Measure = (rows) => {
  const good = sum(rows, ({ authorized }) => authorized.count);
  const all = good + sum(rows, refusals);
  return all === 0 ? null : good / all;
};

/** The number of authorisations that did not succeed. */
export const refusals = ({ declined, failed }: Row): number => declined.count + failed.count;

/** Lists the currencies of a report, those with the most payments first. */
export function currenciesOf({ now, past }: HomeData): readonly string[] {
  const counts = new Map<string, number>();
  for (const row of [...now, ...past])
    counts.set(row.currency, (counts.get(row.currency) ?? 0) + row.created.count + row.captured.count);
  return [...counts].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
}

/** Returns the value of each interval of a span. An interval without a row has no entries. */
export function seriesOf(
  rows: readonly Row[],
  { span, interval, clock }: Pick<HomeData, 'interval' | 'clock'> & { readonly span: Span },
  measure: Measure,
): readonly (number | null)[] {
  const byStart = Map.groupBy(rows, ({ startsAt }) => new Date(startsAt).getTime());
  return startsOf(span, interval, clock).map((start) => measure(byStart.get(start.getTime()) ?? []));
}
