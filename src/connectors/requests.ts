import type { Money } from '../kernel/money.ts';
import type { ThreeDSecureData } from './three-d-secure.ts';

/** A card in clear. Held in memory for one call. The security code is null on every attempt after the first. */
export type Card = {
  readonly number: string;
  /** MM/YY. */
  readonly expirationDate: string;
  readonly securityCode: string | null;
};

/**
 * A request to authorise a payment. Its `key` is the operation's id: the same on every attempt, never the
 * caller's idempotency key.
 */
export type AuthorizeRequest = {
  readonly key: string;
  readonly money: Money;
  /** Null if the token pays, or if the buyer chooses how to pay on the provider's own page. */
  readonly card: Card | null;
  /**
   * The provider's own name of the payment method that pays. Held in memory for one call. With a token, `card`
   * is null.
   */
  readonly token: string | null;
  /** The relation of the payment to others with the same payment method. */
  readonly series: Series;
  /** Our page on which a sandbox's buyer approves. Null if the definition needs no approval. */
  readonly approvalPage: string | null;
  /**
   * The client of the buyer, in which a provider with sessions asks for approval. Null: the buyer uses the
   * provider's page.
   */
  readonly integrationClient: IntegrationClient | null;
  /** True to authorise and capture in one step. */
  readonly capture: boolean;
  /** Number of instalments. Null means a single payment. */
  readonly installmentCount: number | null;
  /** Text for the buyer's statement. Null: the provider uses the text on file for the merchant. */
  readonly statementDescriptor: StatementDescriptor | null;
  /** Postal code of the buyer's billing address, for address verification. */
  readonly postalCode: string | null;
  /** Result of the buyer's authentication. Null without an authentication or without an answer. */
  readonly threeDSecure: ThreeDSecureData | null;
  /** Connection options of the payment for this definition, unchanged. Null if the merchant gave none. */
  readonly options: Readonly<Record<string, unknown>> | null;
};

/** Text for the buyer's statement. */
export type StatementDescriptor = {
  readonly name: string | null;
  readonly description: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly phoneNumber: string | null;
  readonly url: string | null;
  readonly postalCode: string | null;
};

export type IntegrationClient = 'ios' | 'android' | 'web';

/**
 * Facts that issuers and schemes require about a payment with a stored payment method. A payment that stores
 * its method carries them too.
 */
export type Series = {
  /** True to store the payment method. The provider may return its own name of the method. */
  readonly store: boolean;
  readonly source: 'ecommerce' | 'moto' | 'recurring' | 'installment' | 'card_on_file';
  readonly merchantInitiated: boolean;
  readonly isSubsequentPayment: boolean;
  /** The scheme's id of an earlier payment. Null if no earlier payment has one. */
  readonly schemeTransactionId: string | null;
};

/** A request about an authorised payment. `reference` is the provider's id of the payment. */
export type FollowUpRequest = { readonly key: string; readonly reference: string; readonly money: Money };

/**
 * A request to capture. `final` means no capture follows, so the provider releases the rest. False needs a
 * provider with multiple captures.
 */
export type CaptureRequest = FollowUpRequest & { readonly final: boolean };

/**
 * A request to end a payment that is not authorised yet. `authorizationKey` names the authorisation, whose
 * reference may be unknown.
 *
 * After an approval the provider authorises nothing more under that key. The provider releases an earlier
 * authorisation.
 */
export type CancelRequest = {
  readonly key: string;
  readonly authorizationKey: string;
  readonly reference: string | null;
  readonly money: Money;
};

/** A request for the outcome of an operation: its key, its verb and its payment. */
export type LookupRequest = {
  readonly key: string;
  readonly verb: Verb;
  readonly reference: string | null;
  readonly money: Money;
  /**
   * The buyer's decision on our own page. Null if the page was not used.
   *
   * Stays `pending` for a session that the buyer completed. A separate call completes the payment at the
   * provider, and a look-up only reads the result.
   */
  readonly approval: ApprovalState | null;
};

/** The buyer's decision. `expired`: the buyer did not decide in time. */
export type ApprovalState = 'pending' | 'approved' | 'refused' | 'expired';

export type Verb = 'authorize' | 'capture' | 'refund' | 'void' | 'cancel';
