import type { PaymentNeed } from '../buyer/needs.ts';
import type { BuyerProfile } from '../buyer/profile.ts';

/**
 * Time that a buyer has to approve, in milliseconds from the creation of the payment. The connection option
 * that `option` names takes precedence, in unix seconds.
 */
export type ApprovalWindow = {
  readonly defaultMs: number;
  readonly maxMs: number;
  readonly option: string | null;
  /**
   * The time within which the provider may still tell of a payment that the buyer made in time, in milliseconds. A shop tells of
   * a voucher days later. The payment is ended after this time. Absent: the provider tells at once.
   */
  readonly toldWithinMs?: number;
};

/**
 * The parts of the interface that a definition has.
 *
 * - `apple_pay`, `google_pay`: a wallet's token pays.
 * - `card_network_choice`: the provider gets the network that the buyer chose for a co-badged card. `cardNetworks` lists the
 *   networks.
 * - `card_page`: the buyer gives a card on the provider's page, and the payment is a redirect with the method `card`.
 * - `installments`: the provider gets the number of instalments, and the issuer bills the buyer in that many parts.
 * - `merchant_profile`: the provider reads the merchant's profile at the card's scheme.
 * - `network_tokens`: a network token with a cryptogram pays. If the definition has a field of this name, the field must also
 *   be `true`.
 * - `provider_tokens`: a token pays that the provider's software made in the buyer's client.
 * - `raw_card_data`: a card in clear pays. If the definition has a field of this name, the field must also be `true`.
 * - `splits`: the provider shares the money of a payment among accounts. A connector refuses shares that the provider lacks.
 * - `three_d_secure_by_provider`: the provider itself authenticates the buyer if `threeDSecureEnabled` asks for it, and
 *   decides about buyers without an authentication. Needs `three_d_secure_hosted`.
 */
export type Feature =
  | 'apple_pay'
  | 'cancel'
  | 'card_network_choice'
  | 'card_page'
  | 'delayed_capture'
  | 'dispute_acceptance'
  | 'dispute_evidence'
  | 'google_pay'
  | 'incremental_authorization'
  | 'installments'
  | 'merchant_profile'
  | 'multiple_captures'
  | 'network_tokens'
  | 'network_tokens_default'
  | 'network_tokens_toggle'
  | 'open_loop'
  | 'open_loop_toggle'
  | 'partial_refunds'
  | 'payment_method_tokenization'
  | 'payment_method_tokenization_toggle'
  | 'provider_tokens'
  | 'raw_card_data'
  | 'reauthorization'
  | 'refunds'
  | 'settlement_reporting'
  | 'splits'
  | 'sync'
  | 'three_d_secure_by_provider'
  | 'three_d_secure_hosted'
  | 'three_d_secure_pass_through'
  | 'verify_credentials'
  | 'void';

/** All features off. Each definition turns on its own. */
export const noFeatures: Readonly<Record<Feature, boolean>> = {
  apple_pay: false,
  cancel: false,
  card_network_choice: false,
  card_page: false,
  delayed_capture: false,
  dispute_acceptance: false,
  dispute_evidence: false,
  google_pay: false,
  incremental_authorization: false,
  installments: false,
  merchant_profile: false,
  multiple_captures: false,
  network_tokens: false,
  network_tokens_default: false,
  network_tokens_toggle: false,
  open_loop: false,
  open_loop_toggle: false,
  partial_refunds: false,
  payment_method_tokenization: false,
  payment_method_tokenization_toggle: false,
  provider_tokens: false,
  raw_card_data: false,
  reauthorization: false,
  refunds: false,
  settlement_reporting: false,
  splits: false,
  sync: false,
  three_d_secure_by_provider: false,
  three_d_secure_hosted: false,
  three_d_secure_pass_through: false,
  verify_credentials: false,
  void: false,
};

export type DefinitionField = {
  readonly key: string;
  readonly displayName: string;
  readonly required: boolean;
  readonly format: 'text' | 'multiline' | 'file' | 'number' | 'timezone' | 'boolean';
  readonly secret: boolean;
};

/** Makes a field of a definition. A field is an optional text without a secret, unless `given` says otherwise. */
export const definitionField = (
  given: Pick<DefinitionField, 'key' | 'displayName'> & Partial<DefinitionField>,
): DefinitionField => ({ ...{ required: false, format: 'text', secret: false }, ...given });

/** One kind of service that a connector offers. The catalogue lists all definitions. */
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
  /** The only currency of each country that has one. Absent: any currency in any country. */
  readonly localCurrencies?: Readonly<Record<string, string>>;
  /** The networks whose choice the provider takes, in the API's words. Absent without `card_network_choice`. */
  readonly cardNetworks?: readonly string[];
  /** Time that a buyer has to approve. Null if no payment waits for the buyer. */
  readonly approvalWindow: ApprovalWindow | null;
  /**
   * The time within which the provider decides about an operation that it accepted, in milliseconds from the acceptance.
   * An operation without a decision then counts as unknown, and a person can find it. Paygraph keeps asking.
   *
   * A payment that waits for the buyer has at least until an hour after the end of the approval.
   */
  readonly decisionWindowMs: number;
  /**
   * Time limit of one call, in milliseconds. Card issuers may take 30 seconds. After the limit the outcome is unknown.
   * `PAYGRAPH_PROVIDER_DEADLINE_MS` replaces the limit.
   */
  readonly deadlineMs: number;
  readonly sandboxOnly: boolean;
  /** The buyer data that the provider takes. Absent: the connector gets the data as the merchant gave it. */
  readonly buyer?: BuyerProfile;
  /** The data without which the provider refuses a payment. Links with less data do not offer the method. */
  readonly needs?: readonly PaymentNeed[];
  /** The package of the connector. Paygraph writes the field at its start. Absent for its own connectors. */
  readonly package?: PackageName;
};

/** The name and the version in the `package.json` of a package. */
export type PackageName = { readonly name: string; readonly version: string };
