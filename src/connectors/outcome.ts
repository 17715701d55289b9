import type { Money } from '../kernel/money.ts';

/**
 * What a provider said. Only its explicit yes is `succeeded` and only its explicit no is `declined` or `failed`;
 * a timeout, a 5xx or an unknown word is `unknown`, and reconciliation asks again.
 */
export type Outcome =
  | ({ readonly kind: 'succeeded'; readonly reference: string; readonly money: Money } & ProviderWords &
      Known)
  /** Taken on, to be decided later: a webhook or a look-up tells. */
  | ({ readonly kind: 'accepted'; readonly reference: string } & Awaits & ProviderWords)
  /** The issuer or the provider refused; nothing was moved. */
  | ({
      readonly kind: 'declined';
      readonly reference: string | null;
      readonly errorCode: string;
    } & ProviderWords)
  /** A technical failure that the provider itself states had no effect. */
  | ({
      readonly kind: 'failed';
      readonly reference: string | null;
      readonly errorCode: string;
    } & ProviderWords)
  /** `sent` false: this request surely never left, which says nothing of an earlier one of the same key. */
  | { readonly kind: 'unknown'; readonly cause: UnknownCause; readonly sent?: false };

/** What an authorisation that was taken on awaits of the buyer. Nothing of it: the provider alone decides. */
export type Awaits = {
  /** It waits for the buyer there; with a payment reference, the page says how to pay. */
  readonly approvalUrl?: string;
  /** It waits for the buyer's client, which is given a session. */
  readonly session?: true;
  /** A push payment: what the buyer names where they pay, at a shop or a bank. */
  readonly paymentReference?: string;
};

/** What a payment that succeeded is known by for later ones. */
export type Known = {
  /** Given to the scheme with later payments of the same payment method. */
  readonly schemeTransactionId?: string | null;
  /** What the provider calls the payment method from now on, when it was asked to store it: a secret. */
  readonly recurringToken?: string | null;
};

export type UnknownCause = 'timeout' | 'connection' | 'server_error' | 'unreadable';

/** The provider's own codes; null where it gave none. */
export type ProviderWords = {
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
  readonly authResponseCode?: string | null;
  readonly avsResponseCode?: string | null;
  readonly cvvResponseCode?: string | null;
};
