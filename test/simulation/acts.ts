import type { Currency, Merchant } from './house.ts';

/** A payment that a merchant's backend asks for. */
export type Create = {
  readonly kind: 'create';
  readonly merchant: Merchant;
  readonly intent: 'authorize' | 'capture';
  readonly amount: number;
  readonly currency: Currency;
  /** The place in the currency's chain of the service that it names; null: routing chooses. */
  readonly requested: number | null;
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
  readonly key: string | null;
  /** Asked by the other merchant, to whom the transaction does not exist. */
  readonly stranger: boolean;
};

export type Sync = { readonly kind: 'sync'; readonly of: number; readonly stranger: boolean };

/** What is sent to the API; those with a key can be sent again. */
export type KeyedAct = Create | FollowUp;
export type SentAct = KeyedAct | Sync;

/** `repeat` sends act `act` again under its key; `change` sends it with other input under its key. */
export type Act = { readonly process: number } & (
  | SentAct
  | { readonly kind: 'repeat' | 'change'; readonly act: number }
  | { readonly kind: 'reconcile' | 'relay' }
  | { readonly kind: 'skew'; readonly ms: number }
);

/** One act in words, such as `p1 refund of #0 amount 600 key h7-3`. */
export function describeAct({ process, kind, ...details }: Act): string {
  const words = Object.entries(details).flatMap(([name, value]) => {
    if (value === null || value === false) return [];
    if (value === true) return [name];
    return [name === 'of' || name === 'act' ? `${name} #${String(value)}` : `${name} ${String(value)}`];
  });
  return [`p${process}`, kind, ...words].join(' ');
}
