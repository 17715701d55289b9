/** The values by which payments are alike, in the order of a segment. */
export const DIMENSIONS = ['method', 'scheme', 'country', 'bin', 'currency', 'digits'] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** Payments that share the values of these dimensions. The other values are any. */
export type Segment = readonly Dimension[];

/** The segments by which authorisations are counted, the narrowest first. Each holds the payments of those before. */
export const RATE_SEGMENTS = [
  ['method', 'scheme', 'country', 'currency', 'digits'],
  ['method', 'scheme', 'country'],
  ['method', 'scheme'],
  ['method'],
] as const satisfies readonly Segment[];

/**
 * The segments by which fees are summed, the narrowest first. The BIN tells the kind of a card, such as a debit card of a country.
 * The digits of the amount tell the weight of a fixed part of a fee.
 */
export const FEE_SEGMENTS = [
  ['method', 'bin', 'currency', 'digits'],
  ['method', 'bin', 'currency'],
  ['method', 'scheme', 'country', 'currency', 'digits'],
  ['method', 'scheme', 'currency', 'digits'],
  ['method', 'currency', 'digits'],
  ['method', 'currency'],
] as const satisfies readonly Segment[];

/** A payment as segments see it. Rules see the same values. */
export type FiguredPayment = {
  readonly method: string;
  readonly scheme: string | null;
  readonly country: string | null;
  /** The first digits of the card number. A segment has six of them. */
  readonly bin: string | null;
  readonly currency: string;
  /** Minor units of `currency`. Null: not known. */
  readonly amount: number | null;
};

/** A value of a dimension. Null: the payment has none, or its value is not known before the payment. */
export type SegmentValue = string | null;

export type Values = Readonly<Record<Dimension, SegmentValue>>;

/** Returns the values of a payment. The digits are those of the amount in minor units, such as 4 for 10.00 to 99.99. */
export const valuesOf = ({ bin, amount, ...values }: FiguredPayment): Values => ({
  ...values,
  bin: bin?.slice(0, BIN_LENGTH) ?? null,
  digits: amount === null ? null : String(String(amount).length),
});

/** The database cuts the BINs of past payments as well. */
const BIN_LENGTH = 6;

/** Returns the values of a segment's dimensions, in their order. */
export const valuesIn = (segment: Segment, values: Values): readonly SegmentValue[] =>
  segment.map((dimension) => values[dimension]);

/** Tells whether the values of a segment make payments alike. Cards without a known BIN have nothing in common. */
export const isAlike = (segment: Segment, { bin }: Values): boolean =>
  bin !== null || !segment.includes('bin');

/** Names a cell of figures. Equal services, segments and values have equal names, in any process. */
export const cellKey = (
  paymentServiceId: string,
  segment: Segment,
  values: readonly SegmentValue[],
  lastHours: number | null = null,
): string => JSON.stringify([paymentServiceId, lastHours, segment, values]);
