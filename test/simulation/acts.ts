import type { Currency, Merchant } from './house.ts';
import type { Verdict } from './third-party.ts';
import type { OutcomeName } from './three-ds.ts';

/** A gift card of the plan: `pin` says what it begins with; amount null: as much as is needed and there. */
export type GiftCardAsked = { readonly number: string; readonly pin: string; readonly amount: number | null };

/** A payment that a merchant's backend asks for. */
export type Create = {
  readonly kind: 'create';
  readonly merchant: Merchant;
  readonly intent: 'authorize' | 'capture';
  readonly amount: number;
  readonly currency: Currency;
  /** The place in the currency's chain of the service that it names; null: routing chooses. */
  readonly requested: number | null;
  /** `page`: the buyer approves at a page. `nobody`: gift cards pay all of it. */
  readonly method: 'card' | 'page' | 'nobody';
  /** How the buyer is authenticated where that is asked. */
  readonly threeDS: OutcomeName | null;
  readonly giftCards: readonly GiftCardAsked[] | null;
  /** What the third party decides when it is first asked; null: nobody judges it. */
  readonly verdict: Verdict | null;
  /** Until when the buyer can approve, since the history began; null: the default. */
  readonly expiresAtMs: number | null;
  readonly key: string | null;
};

export type FollowUpKind = 'capture' | 'refund' | 'void' | 'cancel';

/** What is asked about a payment. `of` is the number of the create act whose transaction is meant. */
export type FollowUp = {
  readonly kind: FollowUpKind;
  readonly of: number;
  /** Minor units; null: all that is left, and for a void or cancel nothing. */
  readonly amount: number | null;
  /** Of a capture: nothing is captured after it. */
  readonly final: boolean;
  /** Of a refund: to all who paid. */
  readonly toAll: boolean;
  readonly key: string | null;
  /** Asked by the other merchant, to whom the transaction does not exist. */
  readonly stranger: boolean;
};

/** How the review of a payment ends, as its merchant says. */
export type Resolve = {
  readonly kind: 'resolve';
  readonly of: number;
  readonly decision: 'accept' | 'reject';
  readonly key: string | null;
  readonly stranger: boolean;
};

export type Sync = { readonly kind: 'sync'; readonly of: number; readonly stranger: boolean };

/** What is sent to the API; those with a key can be sent again. */
export type KeyedAct = Create | FollowUp | Resolve;
export type SentAct = KeyedAct | Sync;

/** What a buyer says at the page of a payment; `first`: of the authorisation that was asked for first. */
export type Word = {
  readonly kind: 'buyer';
  readonly of: number;
  readonly said: 'approved' | 'refused';
  readonly first: boolean;
};

/** What the third party tells of a review, in so many webhooks at once that are all the same. */
export type Told = {
  readonly kind: 'tell';
  readonly of: number;
  readonly decision: 'accept' | 'reject';
  readonly version: '2.1' | '10.2';
  readonly times: number;
};

/** `repeat` sends act `act` again under its key; `change` sends it with other input under its key. */
export type Act = { readonly process: number } & (
  | SentAct
  | Word
  | Told
  | { readonly kind: 'repeat' | 'change'; readonly act: number }
  | { readonly kind: 'reconcile' | 'relay' | 'expire' | 'apply' }
  | { readonly kind: 'skew'; readonly ms: number }
);

/** One act in words, such as `p1 refund of #0 amount 600 key h7-3`. */
export function describeAct({ process, kind, ...details }: Act): string {
  const words = Object.entries(details).flatMap(([name, value]) => {
    if (value === null || value === false) return [];
    if (value === true) return [name];
    if (typeof value === 'object') return [`${name} ${JSON.stringify(value)}`];
    return [name === 'of' || name === 'act' ? `${name} #${String(value)}` : `${name} ${String(value)}`];
  });
  return [`p${process}`, kind, ...words].join(' ');
}

/** Whether the buyer may be asked something at a page. */
export const mayHavePage = ({ method, threeDS }: Create): boolean => method === 'page' || threeDS !== null;
