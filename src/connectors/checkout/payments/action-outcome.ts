import type { Outcome } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Action } from '../answers.ts';
import { changeNamedIn, type Change } from '../names.ts';
import { isApproval, isDeclined, meaningOf } from '../response-codes.ts';
import { wordsOf } from './card-words.ts';
import { UNREADABLE } from './payment-outcome.ts';

/** The verb of each type of action. Other types are no changes of a payment. */
const VERBS: Readonly<Record<string, Change | undefined>> = {
  ...{ Capture: 'capture', Refund: 'refund', Void: 'void' },
};

/**
 * Names a change by its verb and our key. A void may be one of our cancels or releases. The key of a change made elsewhere is
 * null.
 */
export type NamedChange = { readonly verb: Change; readonly key: string | null };

/** Returns the name of an action that changes a payment. Null for any other action. */
export function changeOf(action: Pick<Action, 'type' | 'reference' | 'metadata'>): NamedChange | null {
  const verb = VERBS[action.type];
  if (verb === undefined) return null;
  const named = changeNamedIn(action);
  const isOurs = named !== null && (named.verb === verb || (verb === 'void' && VOIDS.has(named.verb)));
  return isOurs ? named : { verb, key: null };
}

/** The operations beside a void that void a payment. */
const VOIDS: ReadonlySet<Change> = new Set(['cancel', 'release']);

/** Finds the change of our key among the actions of a payment. */
export const findChange = (actions: readonly Action[], key: string): Action | undefined =>
  actions.find((action) => changeOf(action)?.key === key);

/** Returns the outcome of a receipt. Checkout.com decides a moment later. */
export const received = (reference: string): Outcome => ({
  ...{ kind: 'accepted', reference },
  ...{ rawResponseCode: null, rawResponseDescription: null },
});

type Decided = Pick<Action, 'id' | 'amount' | 'approved' | 'response_code'> & Parameters<typeof wordsOf>[0];

/** Returns the outcome of a change of a payment. An action without a decision is only received. */
export function actionOutcome(action: Decided, currency: string): Outcome {
  const { id: reference, amount, approved, response_code: code } = action;
  if (isDeclined(action)) return { ...meaningOf(code), reference, ...wordsOf(action) };
  if (approved !== true && !isApproval(code ?? '')) return received(reference);
  const money = moneyFromWire(amount, currency);
  return money === null ? UNREADABLE : { kind: 'succeeded', reference, money, ...wordsOf(action) };
}
