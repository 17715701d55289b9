/**
 * Tables whose rows are few, however many payments an installation takes. They have a row for each merchant account, endpoint,
 * connection, person or process. Every other table grows, also a table that is new.
 */
export const SMALL: ReadonlySet<string> = new Set([
  'anti_fraud_report',
  'anti_fraud_service',
  'api_key_pair',
  'audit_chain',
  'dashboard_passkey',
  'dashboard_person',
  'data_key',
  'feed_head',
  'installation_fact',
  'log_cursor',
  'merchant_account',
  'outlet',
  'outlet_position',
  'payment_service',
  'payment_service_circuit',
  'routing_activation',
  'routing_rule_set',
  'routing_rule_set_version',
  'routing_value_set',
  'settlement_source',
  'three_ds_scenario',
  'webhook_endpoint',
  'webhook_secret',
]);

/** Tables that have partitions. Postgres builds no index of the whole table concurrently. */
export const PARTITIONED: ReadonlySet<string> = new Set(['delivery_attempt', 'event']);

/**
 * Names that no statement uses any more, each with the first version that does not. A migration of a later version drops it.
 * The names are of tables (`buyer`), columns (`buyer.name`), functions (`mark()`) and keys (`buyer_pkey`).
 */
export const UNREAD: Readonly<Record<string, string>> = { event_pending: '0.1.0' };
