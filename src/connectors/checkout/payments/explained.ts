import type { Action } from '../answers.ts';
import type { Change } from '../names.ts';
import { isDeclined } from '../response-codes.ts';
import type { WholePayment } from './payment-outcome.ts';

/**
 * True if the listed actions explain the balances of a payment. Otherwise, an action that the list does not show yet has moved or reserved money. It may be ours. Without balances, nothing is explained.
 */
export function isExplained({ payment: { balances }, actions }: WholePayment, verb: Change): boolean {
  const { total_authorized: authorized, total_captured: captured, total_voided: voided } = balances ?? {};
  if (verb === 'refund')
    return captured != null && balances?.available_to_refund === captured - listed(actions, 'Refund');
  const left = balances?.available_to_capture;
  if (authorized == null || left == null) return false;
  if (actions.some((action) => action.type === 'Void' && !isDeclined(action))) return left === 0;
  const taken = listed(actions, 'Capture');
  // A final capture releases the rest. Beside a void, nobody can tell such a release from one of ours.
  const released = verb === 'capture' && taken > 0 ? (voided ?? 0) : 0;
  return left === authorized - taken - released;
}

/** Sums up the listed actions of a type. An action without a decision reserves its amount. */
const listed = (actions: readonly Action[], type: 'Capture' | 'Refund'): number =>
  actions
    .filter((action) => action.type === type && !isDeclined(action))
    .reduce((sum, { amount }) => sum + amount, 0);
