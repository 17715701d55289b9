/**
 * Time that a buyer has to approve, in milliseconds from the creation of the payment. The connection option
 * that `option` names takes precedence, in unix seconds.
 */
export type ApprovalWindow = {
  readonly defaultMs: number;
  readonly maxMs: number;
  readonly option: string | null;
};

export type Feature =
  | 'cancel'
  | 'delayed_capture'
  | 'dispute_acceptance'
  | 'dispute_evidence'
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
  | 'verify_credentials'
  | 'void';

export type DefinitionField = {
  readonly key: string;
  readonly displayName: string;
  readonly required: boolean;
  readonly format: 'text' | 'multiline' | 'file' | 'number' | 'timezone' | 'boolean';
  readonly secret: boolean;
};

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
};
