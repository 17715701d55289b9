import type { KnownCard, Unknown } from '../interface/outcome.ts';

/** One event of a provider about a payment method that the provider stores. */
export type StoredMethodNotice = {
  /** The provider's id of its event, or a digest of the content. A repeated event has the same value. */
  readonly eventKey: string;
  /** Time by the provider's clock. Null if the event names no time. */
  readonly occurredAt: Date | null;
  readonly storedMethod: StoredMethodReport;
};

/** The change of a stored payment method. */
export type StoredMethodReport = {
  /** The provider's token, in the form of `recurringToken`. Null in storage, which seals the token apart. */
  readonly token: string | null;
  readonly change: StoredMethodChange;
};

/**
 * - `updated`: the card changed, such as by a new card of the issuer. A null `card` means that the event tells no card, and
 *   `readStoredMethod` must.
 * - `disabled`: the provider takes the token for no further payment.
 */
export type StoredMethodChange =
  | { readonly kind: 'updated'; readonly card: KnownCard | null }
  | { readonly kind: 'disabled' };

/** True for a notice about a stored payment method. Other notices are about an operation or a dispute. */
export const isStoredMethodNotice = <Other extends object>(
  notice: Other | StoredMethodNotice,
): notice is StoredMethodNotice => 'storedMethod' in notice;

/**
 * A provider's answer about a stored payment method.
 *
 * - `found`: the provider stores the method. The card is null for a method that is no card.
 * - `not_found`: the provider does not have the token.
 * - `unknown`: everything else.
 */
export type StoredMethodAnswer =
  | { readonly kind: 'found'; readonly card: KnownCard | null }
  | { readonly kind: 'not_found' }
  | Unknown;
