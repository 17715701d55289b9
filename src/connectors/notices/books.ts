import type { Money } from '../../kernel/money.ts';
import type { DisputeNotice } from './disputes.ts';
import type { Notice } from './webhook.ts';

/** The payment whose books are read. */
export type BooksRequest = {
  /** The provider's id of the payment. */
  readonly reference: string;
  readonly createdAt: Date;
  /** The currency of the payment, ISO 4217. */
  readonly currency: string;
};

/**
 * The state of a payment at its provider.
 *
 * - `pending`: the authorisation has no outcome.
 * - `open`: something is held, and can be captured.
 * - `closed`: money was captured, and nothing more can be.
 * - `voided`, `expired`: the authorisation ended, and nothing was captured.
 * - `refused`: nothing was ever authorised.
 */
export type BooksState = 'pending' | 'open' | 'closed' | 'voided' | 'expired' | 'refused';

/** A payment as its provider keeps it, with every operation, whoever made the operation. */
export type ProviderBooks = {
  readonly kind: 'books';
  readonly state: BooksState;
  /** The money that is held or was once held, with all increases. Null if nothing was ever authorised, or if not told. */
  readonly authorized: Money | null;
  /**
   * The operations, as notices of webhooks tell them. An operation has the names that a webhook about it has. So an operation
   * that both tell is the same one. The event keys follow from the operations alone.
   */
  readonly notices: readonly Notice[];
  /** The disputes of the payment, in their present state. Absent if the provider does not tell them with the payment. */
  readonly disputes?: readonly DisputeNotice[];
};

/** The capture whose payment is sought. */
export type PaymentOfRequest = {
  /** The provider's id of the capture. */
  readonly captureReference: string;
};

/** The provider's id of the payment that a capture belongs to. */
export type FoundPayment = { readonly kind: 'found'; readonly reference: string };

const BOOKS = 'books';

/** True for the event key of a notice of books. */
export const isBooksKey = (eventKey: string): boolean => eventKey.startsWith(`${BOOKS}:`);

/** Names a notice of books by its operation and outcome. The same operation in the same state always has the same key. */
export function booksKeyOf({
  verb,
  key,
  reference,
  authorizationKey,
  paymentReference,
  outcome,
  total,
}: Notice): string {
  const name = key ?? reference ?? authorizationKey ?? paymentReference ?? '';
  const money = 'money' in outcome ? outcome.money : null;
  // Two parts of one refund may fail, each with the same amount.
  const reversal = outcome.kind === 'reversed' ? (outcome.reversalReference ?? null) : null;
  const parts = [BOOKS, verb, outcome.kind, name, (total ?? money)?.amount ?? ''];
  return [...parts, ...(reversal === null ? [] : [reversal])].join(':');
}

/** Names a dispute of books by its state. The same dispute in the same state always has the same key. */
export const booksDisputeKeyOf = ({
  dispute: { disputeReference, stage, status, money },
}: DisputeNotice): string => [BOOKS, 'dispute', stage, status, disputeReference, money.amount].join(':');
