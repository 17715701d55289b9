import { wilson } from './wilson.ts';
import { inOrderOf, type ComparedOrder, type ComparedService } from './comparison.ts';
import type { CompiledFigures, RateCell } from './figures.ts';
import { cellKey, RATE_SEGMENTS, valuesIn, valuesOf, type FiguredPayment, type Segment } from './segment.ts';

/** The terms of an order by success. */
export type SuccessTerms = {
  readonly paymentServiceIds: readonly string[];
  /** The age of the oldest attempts that count. */
  readonly lastHours: number;
  /** The cases that a service needs before its rate counts. */
  readonly minimumCases: number;
};

/**
 * Orders services by the lower bound of their rate of authorisation, the highest first. All rates are of one segment: the narrowest in
 * which each service that can be compared has enough cases. Rates of different payments would say nothing about the services. A
 * service with too few payments of the method follows in the listed order. Fewer than two services with enough leave the listed order.
 */
export function orderBySuccess(
  terms: SuccessTerms,
  payment: FiguredPayment,
  figures: CompiledFigures | null,
): ComparedOrder {
  const { paymentServiceIds, lastHours, minimumCases } = terms;
  const values = valuesOf(payment);
  const cellOf = (id: string, segment: Segment): RateCell | undefined =>
    figures?.rates.get(cellKey(id, segment, valuesIn(segment, values), lastHours));
  const hasEnough = (id: string, segment: Segment): boolean => casesOf(cellOf(id, segment)) >= minimumCases;
  const able = paymentServiceIds.filter((id) => hasEnough(id, WIDEST));
  const isCompared = able.length > 1;
  const segment =
    RATE_SEGMENTS.find((each) => isCompared && able.every((id) => hasEnough(id, each))) ?? WIDEST;
  const services = paymentServiceIds.map((id) =>
    comparedService(id, segment, cellOf(id, segment), isCompared && able.includes(id)),
  );
  return inOrderOf(services, ({ bound }) => (bound === undefined ? undefined : -bound));
}

const WIDEST: Segment = RATE_SEGMENTS[3];

const casesOf = (cell: RateCell | undefined): number =>
  cell ? cell.authorized + cell.declined + cell.failed : 0;

function comparedService(
  paymentServiceId: string,
  segment: Segment,
  cell: RateCell | undefined,
  isCompared: boolean,
): ComparedService {
  if (!cell) return { paymentServiceId, segment: null, cases: null };
  const { authorized } = cell;
  const cases = casesOf(cell);
  return {
    ...{ paymentServiceId, segment, cases, authorized },
    ...(isCompared && { bound: lowerBound(authorized, cases) }),
  };
}

const MILLION = 1_000_000;

/** Returns the lower bound of a rate, with 95 % confidence on both sides, in whole millionths. More cases of one rate raise it. */
export const lowerBound = (authorized: number, cases: number): number =>
  Math.round(wilson(authorized, cases).low * MILLION);
