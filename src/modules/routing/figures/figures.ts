import { oncePer } from '../../../platform/database/once-per.ts';
import { cellKey, type Segment, type SegmentValue } from './segment.ts';

/**
 * The past of a merchant account's payment services, as counted at one moment. Figures never change. So the same payment, version and
 * figures give the same route in every process.
 */
export type Figures = FiguresContent & {
  readonly id: string;
  /** The moment up to which the past was counted, as ISO text. */
  readonly madeAt: string;
};

export type FiguresContent = {
  readonly rates: readonly RateCell[];
  readonly fees: readonly FeeCell[];
};

/** The first attempts of alike payments at a service that ended in the last hours. An unknown outcome is no case. */
export type RateCell = Cell & {
  readonly lastHours: number;
  readonly authorized: number;
  readonly declined: number;
  /** Technical failures. */
  readonly failed: number;
};

/** The fees that settlements charged for alike payments at a service. Minor units of the segment's currency. */
export type FeeCell = Cell & {
  readonly payments: number;
  readonly amount: number;
  readonly fees: number;
};

type Cell = {
  readonly paymentServiceId: string;
  readonly segment: Segment;
  /** The values of the segment's dimensions, in their order. */
  readonly values: readonly SegmentValue[];
};

/** Figures in the form that each payment asks. */
export type CompiledFigures = {
  readonly figures: Pick<Figures, 'id' | 'madeAt'>;
  readonly rates: ReadonlyMap<string, RateCell>;
  readonly fees: ReadonlyMap<string, FeeCell>;
};

/** Compiles figures, once for each object. The order of the cells does not matter. */
export const compileFigures: (figures: Figures) => CompiledFigures = oncePer(
  ({ id, madeAt, rates, fees }) => ({
    figures: { id, madeAt },
    rates: new Map(
      rates.map((cell) => [cellKey(cell.paymentServiceId, cell.segment, cell.values, cell.lastHours), cell]),
    ),
    fees: new Map(fees.map((cell) => [cellKey(cell.paymentServiceId, cell.segment, cell.values), cell])),
  }),
);
