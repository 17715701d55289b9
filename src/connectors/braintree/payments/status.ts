import type { Captured, StatusEvent, Transaction } from '../answers.ts';
import { namesEarlier } from '../processor-codes.ts';

/** A payment with its events, newest first. */
type Told = Pick<Captured, 'status' | 'statusHistory' | 'amount'>;

/** The statuses of a transaction that was captured, and whose money was not taken back. */
const CAPTURED: ReadonlySet<string> = new Set([
  ...['SUBMITTED_FOR_SETTLEMENT', 'SETTLING', 'SETTLED', 'SETTLEMENT_CONFIRMED', 'SETTLEMENT_PENDING'],
]);

/** The statuses in which a transaction never held anything. */
const REFUSED: ReadonlySet<string> = new Set(['PROCESSOR_DECLINED', 'GATEWAY_REJECTED', 'FAILED']);

const ENDED: ReadonlySet<string> = new Set(['VOIDED', 'AUTHORIZATION_EXPIRED']);

export const isCaptured = ({ status }: Told): boolean => CAPTURED.has(status);

export const isRefused = ({ status }: Told): boolean => REFUSED.has(status);

/** True for a transaction that can be captured. */
export const isHeld = ({ status }: Told): boolean => status === 'AUTHORIZED';

/** True for an authorisation that ended, or a capture that was voided. */
export const isEnded = ({ status }: Told): boolean => ENDED.has(status);

/** True for a transaction that holds nothing any more, or never did. Another word than these may mean anything. */
export const isClosed = (told: Told): boolean =>
  isCaptured(told) || isEnded(told) || isRefused(told) || told.status === 'SETTLEMENT_DECLINED';

/** True for a transaction that holds or moved money, or may. An unknown word may mean anything. */
export const isStanding = (told: Told): boolean => !isRefused(told);

/** Finds the newest event of a status. */
export const eventOf = ({ statusHistory }: Told, ...statuses: readonly string[]): StatusEvent | undefined =>
  statusHistory.find(({ status }) => statuses.includes(status));

/** Finds the capture in the events of a transaction, also after its end. */
export const captureEventOf = (told: Told): StatusEvent | undefined => {
  const [first] = told.statusHistory.filter(({ status }) => CAPTURED.has(status)).toReversed();
  return first;
};

/** The answer of the bank, in the events of a transaction. */
export const decisionOf = (told: Told): StatusEvent | undefined =>
  eventOf(told, 'AUTHORIZED', 'PROCESSOR_DECLINED', 'GATEWAY_REJECTED', 'FAILED');

/**
 * Returns Braintree's id of the transaction that a refused repetition repeats. A processor refuses repetitions, too, and names none.
 * Null for any other transaction.
 */
export function duplicatedBy(told: Told): { readonly id: string | null } | null {
  const rejected = eventOf(told, 'GATEWAY_REJECTED');
  if (rejected?.gatewayRejectionReason === 'DUPLICATE') return { id: rejected.duplicateOf?.id ?? null };
  return mayRepeat(told) ? { id: null } : null;
}

/** True if a processor refused a payment by an earlier one, which may have the same key. */
export const mayRepeat = (told: Told): boolean =>
  told.status === 'PROCESSOR_DECLINED' && namesEarlier(decisionOf(told)?.processorResponse?.legacyCode);

/** True for a refund that gave nothing back, or whose money came back. */
export const isTakenBack = (told: Told): boolean =>
  isRefused(told) || told.status === 'SETTLEMENT_DECLINED' || told.status === 'VOIDED';

/** True if our API ended a capture. A person in the Control Panel is another source. */
export const isVoidedByApi = (told: Pick<Transaction, 'status' | 'statusHistory' | 'amount'>): boolean =>
  told.status === 'VOIDED' && captureEventOf(told) !== undefined && eventOf(told, 'VOIDED')?.source === 'API';
