import type { Money } from '../kernel/money.ts';
import type { HttpClient } from '../platform/http-client.ts';
import type { GiftCards } from './gift-cards.ts';
import type { Revocation, RevocationRequest } from './mandates.ts';
import type { ThreeDSecureData } from './three-d-secure.ts';
import type { Sessions } from './sessions.ts';
import type { Webhooks } from './webhook.ts';

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

/** A card in clear, in memory for one call. The security code is null on every attempt after the first. */
export type Card = {
  readonly number: string;
  /** MM/YY. */
  readonly expirationDate: string;
  readonly securityCode: string | null;
};

/** Credentials and settings of one payment service, secrets in clear, in memory for one call. */
export type Credentials = Readonly<Record<string, string>>;

/** What every call of a provider carries. */
export type CallContext = {
  /** What the service is configured as. */
  readonly definition: Definition;
  readonly credentials: Credentials;
  readonly http: HttpClient;
  /** Milliseconds that the call may take in all. */
  readonly deadlineMs: number;
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

/** How a provider lets an operation of unknown outcome be resolved. Times are milliseconds since it was last sent. */
export type Recovery =
  /** Sent again under the same key it is not done twice, for as long as the provider remembers keys. */
  | { readonly kind: 'keys'; readonly windowMs: number }
  /** Found by our reference. What it does not know after the quiescence will not arrive any more and is sent again. */
  | { readonly kind: 'lookup'; readonly quiescenceMs: number }
  /** Neither: the reservation is held until a webhook or a person decides. */
  | { readonly kind: 'none' };

/** One kind of service that a connector can be configured as; the catalogue shows it. */
export type Definition = {
  readonly id: string;
  readonly displayName: string;
  readonly method: string;
  readonly fields: readonly DefinitionField[];
  readonly reportingFields: readonly DefinitionField[];
  /** Empty means any. */
  readonly supportedCurrencies: readonly string[];
  readonly supportedCountries: readonly string[];
  readonly supportedFeatures: Readonly<Record<Feature, boolean>>;
  /** How long a buyer has to approve; null when nothing here waits for the buyer. */
  readonly approvalWindow: ApprovalWindow | null;
  readonly sandboxOnly: boolean;
};

/** Milliseconds from the creation of the payment. `option`: the connection option, in unix seconds, that wins over all. */
export type ApprovalWindow = {
  readonly defaultMs: number;
  readonly maxMs: number;
  readonly option: string | null;
};

export type Feature =
  | 'cancel'
  | 'delayed_capture'
  | 'multiple_captures'
  | 'network_tokens_default'
  | 'network_tokens_toggle'
  | 'open_loop'
  | 'open_loop_toggle'
  | 'partial_refunds'
  | 'payment_method_tokenization'
  | 'payment_method_tokenization_toggle'
  | 'refunds'
  | 'settlement_reporting'
  | 'sync'
  | 'three_d_secure_hosted'
  | 'void';

export type DefinitionField = {
  readonly key: string;
  readonly displayName: string;
  readonly required: boolean;
  readonly format: 'text' | 'multiline' | 'file' | 'number' | 'timezone' | 'boolean';
  readonly secret: boolean;
};

/**
 * A payment provider. Stateless: credentials are an argument, and it imports only the kernel and the http client.
 * What a definition's features do not have is refused before the call. A verb may throw: the caller makes that `unknown`.
 */
export interface Connector {
  readonly id: string;
  readonly definitions: readonly Definition[];
  readonly recovery: Recovery;
  /** Left out: the provider tells nothing by itself. */
  readonly webhooks?: Webhooks;
  /** Left out: none of its definitions is of the method `gift-card`. */
  readonly giftCards?: GiftCards;
  /** Left out: its buyers approve at its own page, never in a client of the merchant's. */
  readonly sessions?: Sessions;
  authorize(context: CallContext, request: AuthorizeRequest): Promise<Outcome>;
  capture(context: CallContext, request: CaptureRequest): Promise<Outcome>;
  refund(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  void(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  cancel(context: CallContext, request: CancelRequest): Promise<Outcome>;
  /** What became of an operation; null when the provider does not know it (which alone proves nothing). */
  lookup(context: CallContext, request: LookupRequest): Promise<Outcome | null>;
  /** Left out: buyers give no mandates to it. Revoking twice, with the same key or another one, is revoking once. */
  revokeMandate?(context: CallContext, request: RevocationRequest): Promise<Revocation>;
}
