import type { Currency, Merchant } from './harness.ts';
import type { Verdict } from './third-party.ts';
import type { OutcomeName } from './three-ds.ts';

/**
 * A gift card of the plan. `pin` sets the initial balance. A null amount redeems as much as is needed and available.
 */
export type GiftCardAsked = { readonly number: string; readonly pin: string; readonly amount: number | null };

/** A payment that a merchant's backend creates. */
export type Create = {
  readonly kind: 'create';
  readonly merchant: Merchant;
  readonly intent: 'authorize' | 'capture';
  readonly amount: number;
  readonly currency: Currency;
  /** The place of the requested service in the currency's chain. Null leaves the choice to routing. */
  readonly requested: number | null;
  /**
   * With `page` the buyer approves at a page of ours. With `away` the buyer goes to the provider's page and comes back.
   * With `paypal` the page is PayPal's, and with `card-page` Mollie's.
   * With `client` the buyer approves in the merchant's client. With `push` the buyer pays at a shop. With `bank` the
   * provider debits an account. With `nobody` gift cards pay everything.
   */
  readonly method: 'card' | 'page' | 'away' | 'paypal' | 'card-page' | 'client' | 'push' | 'bank' | 'nobody';
  /** The outcome of the buyer's authentication, where one is requested. */
  readonly threeDS: OutcomeName | null;
  readonly giftCards: readonly GiftCardAsked[] | null;
  /** The first decision of the anti-fraud service. Null means no anti-fraud check. */
  readonly verdict: Verdict | null;
  /** The end of the buyer's time, since the history began. Null means the default. */
  readonly expiresAtMs: number | null;
  readonly key: string | null;
  /** The card of a payment at a real provider, whose issuer approves or declines. */
  readonly card?: 'approved' | 'declined';
  /** True for a payment whose money is shared between a seller and the platform. */
  readonly splits?: true;
  /** The merchant's own rules that the payment names. Absent: none. */
  readonly rules?: number;
};

export type FollowUpKind = 'increase' | 'reauthorize' | 'capture' | 'refund' | 'void' | 'cancel';

/** A request about an existing payment. `of` is the number of the create act of its transaction. */
export type FollowUp = {
  readonly kind: FollowUpKind;
  readonly of: number;
  /** Minor units. Null means the whole rest. An increase has one, and a void, a cancel and a re-authorisation have none. */
  readonly amount: number | null;
  /** True for a capture that allows no later capture. */
  readonly final: boolean;
  /** True for a refund to all who paid. */
  readonly toAll: boolean;
  readonly key: string | null;
  /** True when the other merchant sends the request. For that merchant the transaction does not exist. */
  readonly stranger: boolean;
};

/** The merchant's decision in the review of a payment. */
export type Resolve = {
  readonly kind: 'resolve';
  readonly of: number;
  readonly decision: 'accept' | 'reject';
  readonly key: string | null;
  readonly stranger: boolean;
};

export type Sync = { readonly kind: 'sync'; readonly of: number; readonly stranger: boolean };

/** An API request. With a key it can be repeated. */
export type KeyedAct = Create | FollowUp | Resolve;
export type SentAct = KeyedAct | Sync;

/**
 * A buyer's decision at the page of a payment, and the return from the provider's page.
 * - `nothing` is a return without a decision.
 * - `first` selects the page of the first authorisation.
 */
export type Word = {
  readonly kind: 'buyer';
  readonly of: number;
  readonly reported: 'approved' | 'refused' | 'nothing';
  readonly first: boolean;
};

/** The anti-fraud service's notice of a review, sent as so many equal webhooks at once. */
export type Notified = {
  readonly kind: 'tell';
  readonly of: number;
  readonly decision: 'accept' | 'reject';
  readonly version: '2.1' | '10.2';
  readonly times: number;
};

/**
 * A provider takes a success back, and sends so many webhooks at once, under one id or several. The `share` is of the
 * amount that is left. Null means all of it.
 */
export type TakenBack = {
  readonly kind: 'take back';
  readonly what: 'capture' | 'refund' | 'authorization';
  readonly share: number | null;
  readonly times: number;
};

/**
 * A person moves money in the provider's own pages, or the provider approves what it refused. The `share` is of the amount
 * that is left. Null means all of it. `times` counts the webhooks, and none is lost with 0.
 */
export type MadeByHand = {
  readonly kind: 'by hand';
  readonly what: 'capture' | 'refund' | 'void' | 'increase' | 'approval';
  readonly share: number | null;
  /** True for more than what is left. */
  readonly isExcess: boolean;
  readonly times: 0 | 1 | 2;
};

/** A provider raises a dispute, or moves one on. It sends so many webhooks at once, under one id or several. */
export type Disputed = { readonly kind: 'dispute'; readonly times: number };

/** The merchant accepts the latest dispute of a payment that needs a response, or gives evidence against it. */
export type Responded = {
  readonly kind: 'respond';
  readonly of: number;
  readonly by: 'acceptance' | 'evidence';
};

/** An act on a process. `repeat` sends act `act` again under its key. `change` sends other input under its key. */
export type Act = { readonly process: number } & (
  | SentAct
  | Word
  | Notified
  | TakenBack
  | MadeByHand
  | Disputed
  | Responded
  | { readonly kind: 'repeat' | 'change'; readonly act: number }
  | { readonly kind: 'reconcile' | 'relay' | 'expire' | 'apply' | 'hear' | 'sweep' | 'send responses' }
  | { readonly kind: 'skew'; readonly ms: number }
);

/** Describes an act in words, such as `p1 refund of #0 amount 600 key h7-3`. */
export function describeAct({ process, kind, ...details }: Act): string {
  const words = Object.entries(details).flatMap(([name, value]) => {
    if (value === null || value === false) return [];
    if (value === true) return [name];
    if (typeof value === 'object') return [`${name} ${JSON.stringify(value)}`];
    return [name === 'of' || name === 'act' ? `${name} #${String(value)}` : `${name} ${String(value)}`];
  });
  return [`p${process}`, kind, ...words].join(' ');
}

/** Tells whether the buyer may need a page. */
export const mayHavePage = ({ method, threeDS }: Create): boolean =>
  /page|away|paypal|client|push/.test(method) || threeDS !== null;
