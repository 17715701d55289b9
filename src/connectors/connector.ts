import type { Money } from '../kernel/money.ts';
import type { HttpClient } from '../platform/http-client.ts';

/**
 * What a provider said. Only its explicit yes is `succeeded` and only its explicit no is `declined` or `failed`;
 * a timeout, a 5xx or an unknown word is `unknown`, and reconciliation asks again.
 */
export type Outcome =
  | ({ readonly kind: 'succeeded'; readonly reference: string; readonly money: Money } & ProviderWords)
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
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

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
  readonly credentials: Credentials;
  readonly http: HttpClient;
  /** Milliseconds that the call may take in all. */
  readonly deadlineMs: number;
};

/** `key` is the operation's id: one per operation, the same on every attempt, never the caller's idempotency key. */
export type AuthorizeRequest = {
  readonly key: string;
  readonly money: Money;
  readonly card: Card;
  /** True: authorise and capture in one step. */
  readonly capture: boolean;
  /** Postal code of the buyer's billing address, for address verification. */
  readonly postalCode: string | null;
};

/** `reference` is the provider's id of the payment. */
export type FollowUpRequest = { readonly key: string; readonly reference: string; readonly money: Money };

export type Verb = 'authorize' | 'capture' | 'refund' | 'void';

/** How a provider lets an ambiguous call be resolved: resend under the same key, or look it up by our reference. */
export type Recovery = 'keys' | 'lookup' | 'none';

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
  readonly sandboxOnly: boolean;
};

export type Feature =
  | 'delayed_capture'
  | 'network_tokens_default'
  | 'network_tokens_toggle'
  | 'open_loop'
  | 'open_loop_toggle'
  | 'partial_refunds'
  | 'payment_method_tokenization'
  | 'payment_method_tokenization_toggle'
  | 'refunds'
  | 'settlement_reporting'
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
 * A verb that is not in `supports` is refused before the call. A verb may throw: the caller makes that `unknown`.
 */
export interface Connector {
  readonly id: string;
  readonly definitions: readonly Definition[];
  readonly supports: ReadonlySet<Verb>;
  readonly recovery: Recovery;
  authorize(context: CallContext, request: AuthorizeRequest): Promise<Outcome>;
  capture(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  refund(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  void(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  /** What became of the operation with this key; null when the provider does not know it (which proves nothing). */
  lookup(context: CallContext, key: string): Promise<Outcome | null>;
}
