/** References that no account restricts, by statement. A number counts the query levels with that reference. */
type Across = Readonly<Record<string, readonly string[]>>;

/** The logs of money, read by position. */
const LEDGER = ['ledger_entry', 'ledger_entry e', 'operation', 'operation e'];

const TOTALS = ['INSERT report_bucket', 'INSERT report_buyer', 'INSERT report_histogram'];

/** The browser of a buyer, or a provider, knows a secret and no account. The secret names one row. */
const BY_SECRET: Across = {
  approval_find_by_token: ['approval a'],
  approval_find_by_session_digest: ['approval a'],
  approval_find_by_completion_digest: ['approval a'],
  approval_find_by_return_digest: ['approval a'],
  approval_return: ['approval a'],
  approval_decide: ['approval'],
  session_complete: ['approval a'],
  find_payment_link: ['payment_link l'],
  payment_service_of_webhook: ['payment_service s'],
};

/** Background work takes what is due, of all accounts in one order. */
export const CLAIMS: Across = {
  claim_books_sweeps: ['books_sweep b'],
  claim_dispute_responses: ['dispute_response r'],
  claim_due_attempts: ['payment_link_attempt d'],
  claim_due_operations: ['operation', 'operation o (3)'],
  claim_due_refund_approval: ['refund_approval'],
  claim_due_retry_plans: ['transaction_retry_plan', 'transaction_retry_plan p'],
  claim_fraud_reports: ['anti_fraud_service s (2)'],
  claim_export: ['export'],
  claim_inbound_reviews: ['inbound_review'],
  claim_inbound_webhooks: ['inbound_webhook'],
  claim_reported_payments: ['reported_payment r'],
  claim_routing_figures_round: ['routing_figures_round'],
  claim_routing_simulation: ['routing_simulation'],
  claim_settlement_lines: ['settlement'],
  claim_settlement_sources: ['settlement_source f'],
  delivery_claim: ['delivery (4)', 'delivery d', 'event', 'feed_entry f'],
  replay_take: ['delivery d', 'replay_job j'],
};

/** The dispatcher writes to the deliveries of its own claim, by endpoint and position. */
const CLAIMED: Across = { delivery_give_back: ['delivery d'], delivery_settle: ['delivery d (2)'] };

/** Background work ends, adds or removes what time has overtaken, of all accounts. */
export const SWEEPS: Across = {
  add_books_sweeps: ['payment_service s'],
  add_settlement_sources: ['payment_service s'],
  approval_expire: ['approval'],
  ask_unanswered_again: ['unanswered_payment'],
  delivery_cancel: ['delivery (3)', 'delivery d'],
  make_undecided_due: ['operation'],
  delivery_drain: ['delivery', 'delivery d', 'webhook_endpoint'],
  delivery_expire: ['delivery (3)', 'delivery d'],
  delivery_release: ['delivery', 'delivery d'],
  expire_exports: ['export'],
  lock_lapsed_payment_links: ['payment_link l'],
  remove_export_chunks: ['export'],
  replay_orphans: ['replay_job j'],
  retention_accounts: ['feed_head h'],
  sweep_keys: ['idempotency_key'],
  sweep_presented_cards: ['presented_card'],
};

/** The readers of a log go by position, through the entries of all accounts. */
const LOGS: Across = {
  audit_unchained: ['audit_entry', 'audit_entry e'],
  feed_check_deliveries: ['delivery d', 'event e', 'feed_entry f'],
  feed_check_end: ['event'],
  feed_check_events: ['event e', 'feed_entry f'],
  feed_check_mark: ['event e', 'feed_entry f'],
  log_end: ['event (2)'],
  outlet_backlog: ['feed_head h'],
  outlet_waiting: ['feed_head h'],
  partitions_expired: ['event', 'event e', 'feed_entry (2)'],
  partitions_room: ['delivery', 'event'],
  partitions_uncovered: ['event'],
  partitions_whole: ['feed_entry'],
  relay_move: ['event', 'event e', 'feed_entry f'],
  relay_oldest: ['event', 'event e'],
};

/**
 * The reports count a log of all accounts, and write sums by account. Their INSERT takes the sums with a star, in the order of
 * the columns.
 */
const REPORTS: Across = {
  report_uncounted: LEDGER,
  reports_accounts: ['merchant_account'],
  reports_buyer_differences: LEDGER,
  reports_differences: LEDGER,
  reports_fill: [...TOTALS, ...LEDGER],
  reports_histogram_differences: LEDGER,
  reports_oldest: [...LEDGER, 'report_pending'],
  reports_project: [...TOTALS, ...LEDGER, 'report_pending (2)'],
};

/** The start checks one data key under each key, tells of services without a connector, and records packages. */
const START: Across = {
  count_unserved: ['payment_service s'],
  record_connector_packages: ['payment_service s'],
  vault_one_data_key_of_each: ['data_key'],
};

/** The metrics and the file for a support case count rows of all accounts, up to a bound. */
const METRICS: Across = {
  count_backlog: ['delivery', 'delivery d (3)'],
  count_endpoint_failures: ['webhook_endpoint'],
  count_fetch_failures: ['settlement_source'],
  count_fraud_reports: ['anti_fraud_report r'],
  count_gift_card_payments: ['merchant_account m'],
  count_open_approvals: ['refund_approval (2)'],
  count_open_circuits: ['payment_service_circuit c'],
  count_open_differences: ['difference'],
  count_payments_to_prove: ['payment_service s'],
  count_reports_to_book: ['inbound_webhook'],
  count_running_replays: ['replay_job'],
  count_undecided: ['operation'],
  count_unknown_causes: ['operation'],
  count_unread_webhooks: ['unread_webhook'],
  count_unfinished_exports: ['export'],
  count_unfinished_routing_simulations: ['routing_simulation'],
  count_unknown_outcomes: ['operation'],
  count_waiting_webhooks: ['inbound_webhook'],
};

/** Every statement that reaches rows of several accounts, with its references that do. */
export const ACROSS_ACCOUNTS: Across = {
  ...BY_SECRET,
  ...CLAIMS,
  ...CLAIMED,
  ...SWEEPS,
  ...LOGS,
  ...REPORTS,
  ...START,
  ...METRICS,
};
