import type { Money } from '../kernel/money.ts';
import type { ThreeDSecureData } from './three-d-secure.ts';

/** A card in clear, in memory for one call. The security code is null on every attempt after the first. */
export type Card = {
  readonly number: string;
  /** MM/YY. */
  readonly expirationDate: string;
  readonly securityCode: string | null;
};

/** `key` is the operation's id: one per operation, the same on every attempt, never the caller's idempotency key. */
export type AuthorizeRequest = {
  readonly key: string;
  readonly money: Money;
  /** Null: the token pays, or the buyer says at the provider's own page how to pay. */
  readonly card: Card | null;
  /** What the provider itself calls the payment method that pays, in memory for one call; then there is no card. */
  readonly token: string | null;
  /** How the payment belongs to others with the same payment method. */
  readonly series: Series;
  /** The page of our own at which a sandbox's buyer approves; null when nothing of the definition waits for the buyer. */
  readonly approvalPage: string | null;
  /** Where the buyer's side of the integration runs, which a provider with sessions approves in; null: at its page. */
  readonly integrationClient: IntegrationClient | null;
  /** True: authorise and capture in one step. */
  readonly capture: boolean;
  /** In how many instalments the buyer pays; null: in one. */
  readonly installmentCount: number | null;
  /** What the buyer's statement is to say; null: what the provider has for the merchant. */
  readonly statementDescriptor: StatementDescriptor | null;
  /** Postal code of the buyer's billing address, for address verification. */
  readonly postalCode: string | null;
  /** How the buyer was authenticated; null: they were not, or nothing was answered. */
  readonly threeDSecure: ThreeDSecureData | null;
  /** The payment's connection options for this definition, as the merchant gave them; null when there are none. */
  readonly options: Readonly<Record<string, unknown>> | null;
};

/** What the buyer's statement is to say (facts 3.3). */
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

/** What issuers and schemes ask of a payment with something that is stored, or is to be. */
export type Series = {
  /** The payment method is stored, and the provider may give it a name of its own. */
  readonly store: boolean;
  readonly source: 'ecommerce' | 'moto' | 'recurring' | 'installment' | 'card_on_file';
  readonly merchantInitiated: boolean;
  readonly isSubsequentPayment: boolean;
  /** What the scheme knows an earlier payment by; null when none is known. */
  readonly schemeTransactionId: string | null;
};

/** `reference` is the provider's id of the payment. */
export type FollowUpRequest = { readonly key: string; readonly reference: string; readonly money: Money };

/** `final`: nothing is captured after it, so that the provider lets go of what is left. False only where it takes several. */
export type CaptureRequest = FollowUpRequest & { readonly final: boolean };

/**
 * Ends a payment that is not authorised yet. The authorisation is named by its key, for its reference may not be known. After
 * a yes nothing is authorised under that key any more; what was authorised before it is released.
 */
export type CancelRequest = {
  readonly key: string;
  readonly authorizationKey: string;
  readonly reference: string | null;
  readonly money: Money;
};

/** Asks what became of an operation: its key, what it was, and the payment that it belongs to. */
export type LookupRequest = {
  readonly key: string;
  readonly verb: Verb;
  readonly reference: string | null;
  readonly money: Money;
  /**
   * What the buyer has said on our own page; null when there was nothing to say. `pending` also of a session that the buyer has
   * completed: completing it is asked of the provider by itself, so that a look-up only finds what came of that.
   */
  readonly approval: ApprovalState | null;
};

/** `expired`: the buyer said nothing in time. */
export type ApprovalState = 'pending' | 'approved' | 'refused' | 'expired';

export type Verb = 'authorize' | 'capture' | 'refund' | 'void' | 'cancel';
