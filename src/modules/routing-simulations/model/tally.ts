import type { Differing } from './differing.ts';

/** The counts of a simulation so far. Its size is bounded, whatever the number of payments. */
export type Tally = {
  /** Payments of the sample. */
  payments: number;
  /** Payments that named their service, and those that gift cards paid alone. The rules do not decide about them. */
  passedBy: number;
  /** Payments about which no service decided. */
  open: number;
  /** Payments that keep their way as far as it went, with their real outcome. */
  readonly kept: Kept;
  /** Payments that would be refused by a rule, by its code. */
  readonly refused: Map<string, Sums>;
  /** Payments that no service would accept. */
  readonly withoutService: Sums;
  /** Payments by the first service then and in the simulation. The key is a pair of ids, null without a service. */
  readonly moves: Map<string, number>;
  /** Payments by the position of their rule. The key 0 counts payments without a rule. */
  readonly rules: Map<number, number>;
  /** The past of each service, by segment, service and turn. */
  readonly cells: Map<string, Map<string, Cell>>;
  /** Payments whose outcome is estimated, by segment and the services that they would ask next. */
  readonly tails: Map<string, Map<string, Tail>>;
  /** The number of tails of all segments. */
  tailCount: number;
  /** Payments whose scheme, country and amount were left aside, because too many segments were there. */
  widened: number;
  /** The payments that differ most so far, the largest difference first. */
  differing: Differing[];
};

/** The part of the payments whose outcome stays known in the simulation. */
export type Kept = Sums & { authorized: number; attempts: number };

/** Payments, with their past. */
export type Sums = { payments: number; authorizedThen: number; attemptsThen: number };

/** The attempts of a service in a segment, either those of its first turn or all later ones. */
export type Cell = {
  attempts: number;
  authorized: number;
  /** Refusals after which another service may be asked. */
  wentOn: number;
  /** Captured amounts with a known fee, and their fees. Minor units of the segment's currency. */
  settledAmount: number;
  fees: number;
  /** Authorised amounts of payments whose simulated outcome is known: those that keep their way, and those that end. */
  authorizedAmount: number;
  /** The part of payments that keep their way. */
  keptAmount: number;
};

export type Tail = Sums & {
  /** The attempts before the tail, which the payments keep. */
  attemptsKept: number;
  amount: number;
  /** The amounts that were authorised then, by the cell of the service. */
  readonly authorizedAmounts: Map<string, number>;
};

export const newSums = (): Sums => ({ payments: 0, authorizedThen: 0, attemptsThen: 0 });

export const newCell = (): Cell => ({
  ...{ attempts: 0, authorized: 0, wentOn: 0, settledAmount: 0, fees: 0 },
  ...{ authorizedAmount: 0, keptAmount: 0 },
});

/** Returns the key of a service's cell. A payment that another service refused is authorised less often. */
export const cellKey = (paymentServiceId: string, isFirst: boolean): string =>
  `${paymentServiceId}${isFirst ? '' : ' later'}`;

/** The services that payments would ask next. */
export type NextServices = { readonly isFirst: boolean; readonly paymentServiceIds: readonly string[] };

export const tailKey = ({ isFirst, paymentServiceIds }: NextServices): string =>
  JSON.stringify([isFirst, ...paymentServiceIds]);

export function servicesFromTailKey(key: string): NextServices {
  const [isFirst, ...paymentServiceIds] = JSON.parse(key) as [boolean, ...string[]];
  return { isFirst, paymentServiceIds };
}

export const newTally = (): Tally => ({
  ...{ payments: 0, passedBy: 0, open: 0, widened: 0, tailCount: 0 },
  ...{ kept: { ...newSums(), authorized: 0, attempts: 0 }, refused: new Map(), withoutService: newSums() },
  ...{ moves: new Map(), rules: new Map(), cells: new Map(), tails: new Map(), differing: [] },
});

/** Writes a tally as JSON text. A map becomes a list of pairs. */
export const tallyToText = (tally: Tally): string =>
  JSON.stringify(tally, (_, value: unknown) => (value instanceof Map ? { map: [...value] } : value));

/** Reads the text of a tally. */
export const tallyFromText = (text: string): Tally =>
  JSON.parse(text, (_, value: unknown) => (isWrittenMap(value) ? new Map(value.map) : value)) as Tally;

const isWrittenMap = (value: unknown): value is { readonly map: [unknown, unknown][] } =>
  typeof value === 'object' && value !== null && 'map' in value && Array.isArray(value.map);
