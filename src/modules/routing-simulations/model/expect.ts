import { expectFees, type EstimatedAmounts } from './fees.ts';
import { segmentFromKey } from './segment.ts';
import type { Comparison, Part, SimulationResult, UnknownSegment } from './result.ts';
import {
  cellKey,
  servicesFromTailKey,
  type Cell,
  type NextServices,
  type Sums,
  type Tail,
  type Tally,
} from './tally.ts';
import { wilson } from '../../routing/index.ts';

/** The most segments and moves of an answer. */
const UNKNOWN_SEGMENTS_MAX = 10;
const MOVES_MAX = 100;

/** Turns the counts of a simulation into its answer. The same counts always give the same answer. */
export function resultOf(tally: Tally): SimulationResult {
  const expected = expectTails(tally);
  const { payments, passedBy, open, widened } = tally;
  return {
    ...{ payments, passedBy, open, widened },
    refused: [...tally.refused].map(([code, sums]) => ({ code, ...partOf(sums) })).toSorted(byPayments),
    withoutService: partOf(tally.withoutService),
    moves: [...tally.moves]
      .map(([key, count]) => {
        const [from, to] = JSON.parse(key) as [string | null, string | null];
        return { from, to, payments: count };
      })
      .toSorted(byPayments)
      .slice(0, MOVES_MAX),
    rules: [...tally.rules]
      .toSorted(([one], [other]) => one - other)
      .map(([position, count]) => ({ position: position === 0 ? null : position, payments: count })),
    compared: comparisonOf(tally, expected),
    unknown: expected.unknown,
    unknownSegments: expected.unknownSegments.toSorted(byPayments).slice(0, UNKNOWN_SEGMENTS_MAX),
    fees: expectFees(tally, expected.amounts),
    differing: tally.differing.map(({ segment, ...differing }) => ({
      ...differing,
      chance: chanceOf(tally.cells.get(segment)?.get(cellKey(differing.to ?? '', true))),
    })),
  };
}

const byPayments = (one: { readonly payments: number }, other: { readonly payments: number }): number =>
  other.payments - one.payments;

const partOf = ({ payments, authorizedThen }: Sums): Part => ({ payments, authorizedThen });

function chanceOf(cell: Cell | undefined) {
  if (!cell) return null;
  const { attempts, authorized } = cell;
  return { rate: authorized / attempts, ...wilson(authorized, attempts), cases: attempts };
}

type Expected = {
  readonly told: Sums & { authorized: number; attempts: number };
  readonly unknown: { payments: number; authorizedThen: number };
  readonly unknownSegments: UnknownSegment[];
  /** The squares of what the interval of each cell adds below and above. */
  readonly squares: { low: number; high: number };
  /** The payments that a later service without such payments may authorise or not. */
  readonly openAbove: { payments: number };
  readonly amounts: EstimatedAmounts;
};

/** Estimates the payments that leave their way. Cells are independent, so their deviations add up as squares. */
function expectTails(tally: Tally): Expected {
  const expected: Expected = {
    told: { payments: 0, authorizedThen: 0, attemptsThen: 0, authorized: 0, attempts: 0 },
    unknown: { payments: 0, authorizedThen: 0 },
    unknownSegments: [],
    squares: { low: 0, high: 0 },
    openAbove: { payments: 0 },
    amounts: new Map(),
  };
  for (const [segment, tails] of tally.tails) {
    const cells = tally.cells.get(segment) ?? new Map<string, Cell>();
    const weights = new Map<string, number>();
    for (const [key, tail] of tails) {
      const next = servicesFromTailKey(key);
      const [first = ''] = next.paymentServiceIds;
      if (!cells.has(cellKey(first, next.isFirst))) noteUnknown(expected, segment, first, tail);
      else expectTail(expected, { segment, cells, weights, next, tail });
    }
    for (const [key, weight] of weights) addSquares(expected, cells.get(key), weight);
  }
  return expected;
}

function noteUnknown(
  { unknown, unknownSegments }: Expected,
  segment: string,
  paymentServiceId: string,
  { payments, authorizedThen }: Tail,
): void {
  unknown.payments += payments;
  unknown.authorizedThen += authorizedThen;
  unknownSegments.push({ ...segmentFromKey(segment), paymentServiceId, payments });
}

type Estimate = {
  readonly segment: string;
  readonly cells: ReadonlyMap<string, Cell>;
  /** The number of payments that reach each cell. */
  readonly weights: Map<string, number>;
  readonly next: NextServices;
  readonly tail: Tail;
};

/** Follows payments from service to service. The part that is refused, and may go on, reaches the next one. */
function expectTail(expected: Expected, { segment, cells, weights, next, tail }: Estimate): void {
  const { told, openAbove, amounts } = expected;
  told.payments += tail.payments;
  told.authorizedThen += tail.authorizedThen;
  told.attemptsThen += tail.attemptsThen;
  told.attempts += tail.attemptsKept;
  for (const [key, amount] of tail.authorizedAmounts) amountsAt(amounts, segment, key).then += amount;
  let reaching = tail.payments;
  for (const [place, id] of next.paymentServiceIds.entries()) {
    const key = cellKey(id, next.isFirst && place === 0);
    const cell = cells.get(key);
    if (reaching === 0) return;
    if (!cell) {
      openAbove.payments += reaching;
      return;
    }
    const rate = cell.authorized / cell.attempts;
    weights.set(key, (weights.get(key) ?? 0) + reaching);
    told.authorized += reaching * rate;
    told.attempts += reaching;
    amountsAt(amounts, segment, key).expected += (tail.amount / tail.payments) * reaching * rate;
    reaching *= cell.wentOn / cell.attempts;
  }
}

function amountsAt(amounts: EstimatedAmounts, segment: string, key: string) {
  const ofSegment = amounts.get(segment) ?? new Map<string, { then: number; expected: number }>();
  amounts.set(segment, ofSegment);
  const found = ofSegment.get(key) ?? { then: 0, expected: 0 };
  ofSegment.set(key, found);
  return found;
}

function addSquares({ squares }: Expected, cell: Cell | undefined, weight: number): void {
  if (!cell) return;
  const rate = cell.authorized / cell.attempts;
  const { low, high } = wilson(cell.authorized, cell.attempts);
  squares.low += (weight * (rate - low)) ** 2;
  squares.high += (weight * (high - rate)) ** 2;
}

function comparisonOf(tally: Tally, { told, squares, openAbove }: Expected): Comparison {
  const { kept, withoutService } = tally;
  const ended = [...tally.refused.values(), withoutService];
  const all = [kept, told, ...ended];
  const total = (field: keyof Sums): number => all.reduce((sum, each) => sum + each[field], 0);
  const authorized = kept.authorized + told.authorized;
  const payments = total('payments');
  return {
    ...{ payments, authorizedThen: total('authorizedThen'), authorizedExpected: authorized },
    authorizedLow: Math.max(kept.authorized, authorized - Math.sqrt(squares.low)),
    authorizedHigh: Math.min(
      kept.authorized + told.payments,
      authorized + Math.sqrt(squares.high) + openAbove.payments,
    ),
    ...{ attemptsThen: total('attemptsThen'), attemptsExpected: kept.attempts + told.attempts },
  };
}
