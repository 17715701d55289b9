import type { FeeCell, FiguresContent, RateCell } from './figures.ts';
import {
  cellKey,
  FEE_SEGMENTS,
  isAlike,
  RATE_SEGMENTS,
  valuesIn,
  type Segment,
  type Values,
} from './segment.ts';

/** The first attempts of payments with equal values at a service. */
export type PastOutcomes = Omit<Values, 'bin'> & {
  readonly paymentServiceId: string;
  /** The shortest of the asked periods that has the attempts. */
  readonly lastHours: number;
} & Pick<RateCell, 'authorized' | 'declined' | 'failed'>;

/** The settled payments with equal values at a service. */
export type SettledFees = Values & { readonly paymentServiceId: string } & Pick<
    FeeCell,
    'payments' | 'amount' | 'fees'
  >;

/** The fewest cases that a rule may compare. A cell with fewer is left out. */
export const CASES_MIN = 10;

/** The most cells of figures. Each takes some 200 bytes. Wide segments and those with many cases come first. */
const RATE_CELLS_MAX = 4_000;
const FEE_CELLS_MAX = 2_000;

export type Past = {
  /** The periods whose attempts count, in hours. */
  readonly periods: readonly number[];
  readonly outcomes: readonly PastOutcomes[];
  readonly fees: readonly SettledFees[];
};

/** Sums the past by segment. The same past gives the same figures, in whatever order it is read. */
export const countFigures = ({ periods, outcomes, fees }: Past): FiguresContent => ({
  rates: countRates(periods, outcomes),
  fees: countFees(fees),
});

function countRates(periods: readonly number[], outcomes: readonly PastOutcomes[]): readonly RateCell[] {
  const cells = new Map<string, RateCell>();
  for (const { authorized, declined, failed, ...past } of outcomes) {
    const values = { ...past, bin: null };
    const { paymentServiceId } = past;
    for (const lastHours of periods.filter((hours) => hours >= past.lastHours))
      for (const segment of RATE_SEGMENTS) {
        const inSegment = valuesIn(segment, values);
        const key = cellKey(paymentServiceId, segment, inSegment, lastHours);
        const sum = cells.get(key) ?? { authorized: 0, declined: 0, failed: 0 };
        cells.set(key, {
          ...{ lastHours, paymentServiceId, segment, values: inSegment },
          authorized: sum.authorized + authorized,
          declined: sum.declined + declined,
          failed: sum.failed + failed,
        });
      }
  }
  const casesOf = ({ authorized, declined, failed }: RateCell): number => authorized + declined + failed;
  const known = new Map([...cells].filter(([, cell]) => casesOf(cell) >= CASES_MIN));
  return firstOf(known, { casesOf, segments: RATE_SEGMENTS, max: RATE_CELLS_MAX });
}

function countFees(settled: readonly SettledFees[]): readonly FeeCell[] {
  const cells = new Map<string, FeeCell>();
  for (const { payments, amount, fees, ...past } of settled) {
    const { paymentServiceId } = past;
    for (const segment of FEE_SEGMENTS.filter((each) => isAlike(each, past))) {
      const values = valuesIn(segment, past);
      const key = cellKey(paymentServiceId, segment, values);
      const sum = cells.get(key) ?? { payments: 0, amount: 0, fees: 0 };
      cells.set(key, {
        ...{ paymentServiceId, segment, values },
        ...{ payments: sum.payments + payments, amount: sum.amount + amount, fees: sum.fees + fees },
      });
    }
  }
  const known = new Map([...cells].filter(([, cell]) => cell.payments >= CASES_MIN && cell.amount > 0));
  const casesOf = ({ payments }: FeeCell): number => payments;
  return firstOf(known, { casesOf, segments: FEE_SEGMENTS, max: FEE_CELLS_MAX });
}

type Choice<Cell> = {
  readonly casesOf: (cell: Cell) => number;
  /** The narrowest first. */
  readonly segments: readonly Segment[];
  readonly max: number;
};

/** Keeps the cells of the widest segments, and then those with the most cases. Equal ones go by their key. */
function firstOf<Cell extends { readonly segment: Segment }>(
  cells: ReadonlyMap<string, Cell>,
  { casesOf, segments, max }: Choice<Cell>,
): readonly Cell[] {
  return [...cells]
    .toSorted(
      ([key, one], [otherKey, other]) =>
        segments.indexOf(other.segment) - segments.indexOf(one.segment) ||
        casesOf(other) - casesOf(one) ||
        (key < otherKey ? -1 : 1),
    )
    .slice(0, max)
    .map(([, cell]) => cell);
}
