import type { Differing } from './differing.ts';
import type { Segment } from './segment.ts';

/** The answer of a simulation. */
export type SimulationResult = {
  /** Payments of the sample. */
  readonly payments: number;
  /** Payments about which the rules do not decide. */
  readonly passedBy: number;
  /** Payments about which no service decided. */
  readonly open: number;
  /** Payments that a rule would refuse. */
  readonly refused: readonly (Part & { readonly code: string })[];
  /** Payments that no service would accept. */
  readonly withoutService: Part;
  readonly moves: readonly Move[];
  readonly rules: readonly RulePayments[];
  readonly compared: Comparison;
  readonly unknown: Part;
  /** The segments with the most unknown payments. */
  readonly unknownSegments: readonly UnknownSegment[];
  readonly fees: readonly Fees[];
  /** Payments whose scheme, country and amount were left aside. */
  readonly widened: number;
  readonly differing: readonly ResultDifference[];
};

/** A part of the payments, and the number of them that were authorised. */
export type Part = { readonly payments: number; readonly authorizedThen: number };

export type Move = {
  /** The first service then. Null: the payment asked none. */
  readonly from: string | null;
  /** The first service in the simulation. Null: a refusal, or no service. */
  readonly to: string | null;
  readonly payments: number;
};

/** Payments by the rule that decides. */
export type RulePayments = {
  /** Null: no rule held. */
  readonly position: number | null;
  readonly payments: number;
};

/** A payment whose way differs, with the past of its new service. */
export type ResultDifference = Omit<Differing, 'segment'> & { readonly chance: Chance | null };

/** The payments whose outcome the past can tell, refused ones included. */
export type Comparison = Part & {
  readonly authorizedExpected: number;
  /** The bounds of a 95 % interval. */
  readonly authorizedLow: number;
  readonly authorizedHigh: number;
  readonly attemptsThen: number;
  readonly attemptsExpected: number;
};

/** Payments that would first go to a service without any such payment in the past. */
export type UnknownSegment = Segment & { readonly paymentServiceId: string; readonly payments: number };

/** Fees of the compared payments in one currency, in its minor units. */
export type Fees = {
  readonly currency: string;
  readonly then: number;
  readonly expected: number;
  /** The authorised amounts without any settled payment to learn the fee from. No fee counts them. */
  readonly amountWithoutFeeThen: number;
  readonly amountWithoutFeeExpected: number;
};

/** The rate of authorisation of a service in a segment. */
export type Chance = {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly cases: number;
};
