import type { DoubleRequest, DoubleResponse } from '../../connectors/double-server.ts';
import type { Verb } from '../../../src/connectors/interface/requests.ts';
import type { MadeByHand } from '../acts.ts';
import type { Entry } from '../books.ts';
import type { Stage } from '../stage.ts';
import type { ConnectorCall } from './calls.ts';

/** The faults in which a double takes part. */
export type RealFault =
  | 'error_before_work'
  | 'error_after_work'
  | 'rate_limited'
  | 'rate_limited_with_hint'
  | 'unauthorized'
  | 'forbidden'
  | 'maintenance'
  | 'truncated'
  | 'unknown_word'
  | 'other_amount'
  | 'other_currency';

/** An effect in the books of a double, under the key that the double knows. */
export type Effect = {
  readonly verb: Verb;
  readonly key: string;
  /** The provider's id of the effect, and of its payment. */
  readonly id: string;
  readonly paymentId: string;
  /** Minor units. Null for an effect without an amount of its own. */
  readonly amount: number | null;
  readonly result: Entry['result'];
  readonly isSale?: boolean;
  readonly released?: boolean;
  readonly expired?: boolean;
  readonly reversed?: number;
  /** Present for an effect of a hand in the provider's pages. */
  readonly byHand?: Entry['byHand'];
};

/**
 * A webhook that a double owes. `sign` returns its headers at the moment of the sending. A webhook that only names a payment has no
 * signature, and nobody forges it.
 */
export type Owed = {
  readonly body: string;
  readonly sign: () => Readonly<Record<string, string>>;
  readonly onlyNames?: boolean;
};

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Creates ids of 16 letters from the seed. No other history of the database has them, and none looks like a card number. */
export const idsOf =
  ({ random }: Stage): (() => string) =>
  () =>
    [...random.bytes(16)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('');

/** An act of a hand in the pages of a provider. The share is of the amount that is left. Null means all of it. */
export type Handled = Pick<MadeByHand, 'what' | 'share'>;

/** Marks an effect of a hand. `isOfRest`: the release of what a capture left. */
export const BY_HAND = { isOfRest: false, isExcess: false } as const;

/** Returns a share of the amount that is left. */
export const shareOf = (left: number, share: number | null): number =>
  share === null ? left : Math.min(left, Math.max(1, Math.round(left * share)));

/** The double of a provider in a history, with the account of one merchant. */
export type RealDouble = {
  /** True for a request with the credentials of this account. */
  isFor(request: DoubleRequest): boolean;
  /** False for a request that changes no payment and asks for none, such as one for an access token. By default true. */
  isWork?(request: DoubleRequest): boolean;
  /** True for a request that changes nothing. By default, each GET. */
  isQuestion?(request: DoubleRequest): boolean;
  /** Answers a request with a fault. Null if there is no answer. */
  serve(
    request: DoubleRequest,
    call: ConnectorCall | null,
    fault: RealFault | null,
  ): Promise<DoubleResponse | null>;
  /** Returns the effects in the books. */
  effects(): readonly Effect[];
  /** Decides what is open, and takes the owed webhooks. */
  owed(): readonly Owed[];
  /** Refuses the next decision about an operation of this verb, or takes its success back. */
  refuse?(verb: ConnectorCall['verb']): void;
  /** Moves money by hand in the provider's pages. False if no payment allows the act. */
  byHand(handled: Handled): boolean;
  /**
   * Takes a buyer's decision at the provider's own page. Returns the parameters of the return. Null when the provider never sent
   * the buyer there. `token` is the token of the return.
   */
  decideAtPage?(
    token: string,
    reported: 'approved' | 'refused' | 'nothing',
  ): Readonly<Record<string, string>> | null;
};
