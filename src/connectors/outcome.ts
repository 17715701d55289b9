import type { Money } from '../kernel/money.ts';

/**
 * A provider's answer to an operation.
 *
 * - Only an explicit approval is `succeeded`.
 * - Only an explicit refusal is `declined` or `failed`.
 * - A timeout, a 5xx or an unexpected answer is `unknown`. Reconciliation asks again.
 */
export type Outcome =
  | ({ readonly kind: 'succeeded'; readonly reference: string; readonly money: Money } & ProviderWords &
      Known)
  /** Accepted, and decided later. A webhook or a look-up reports the decision. */
  | ({ readonly kind: 'accepted'; readonly reference: string } & Awaits & ProviderWords)
  /** Refused by the issuer or the provider. No money moved. */
  | ({
      readonly kind: 'declined';
      readonly reference: string | null;
      readonly errorCode: string;
    } & ProviderWords)
  /** Failed for a technical reason. The provider itself states that nothing happened. */
  | ({
      readonly kind: 'failed';
      readonly reference: string | null;
      readonly errorCode: string;
    } & ProviderWords)
  /** `sent: false` means that this request never left. An earlier request with the same key may have left. */
  | { readonly kind: 'unknown'; readonly cause: UnknownCause; readonly sent?: false };

/** The step of the buyer for which an accepted authorisation waits. Empty if the provider alone decides. */
export type Awaits = {
  /** The page on which the buyer approves. With a payment reference, the page says how to pay. */
  readonly approvalUrl?: string;
  /** The payment waits for the buyer's client, which gets a session. */
  readonly session?: true;
  /** The reference that the buyer of a push payment names at a shop or bank. */
  readonly paymentReference?: string;
};

/** The names under which later payments refer to a payment that succeeded. */
export type Known = {
  /** Sent to the scheme with later payments of the same payment method. */
  readonly schemeTransactionId?: string | null;
  /**
   * The provider's own name of a stored payment method, a secret. Absent unless the payment asked to store the
   * method.
   */
  readonly recurringToken?: string | null;
};

export type UnknownCause = 'timeout' | 'connection' | 'server_error' | 'unreadable';

/** The provider's own codes. Null where the provider gave no code. */
export type ProviderWords = {
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
  readonly authResponseCode?: string | null;
  readonly avsResponseCode?: string | null;
  readonly cvvResponseCode?: string | null;
};
