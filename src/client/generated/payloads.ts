// Written by `npm run docs`. Change the schemas of payloads, and run the command again.

/** The version of payloads that these types describe. */
export type PayloadVersion = 1;

/** The target of events `anti-fraud-service.*`. */
export type AntiFraudServiceTarget = {
  readonly type: 'anti-fraud-service';
  readonly id: string;
  readonly anti_fraud_service_definition_id: string;
  readonly active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `api-key-pair.*`. */
export type ApiKeyPairTarget = {
  readonly type: 'api-key-pair';
  readonly id: string;
  readonly display_name: string;
  readonly active: boolean;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `buyer.*`. */
export type BuyerTarget = {
  readonly type: 'buyer';
  readonly id: string;
  readonly reconciliation_id: string;
  readonly external_identifier: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `capture.*`. */
export type CaptureTarget = {
  readonly type: 'capture';
  readonly id: string;
  readonly status: 'pending' | 'succeeded' | 'declined' | 'failed';
  readonly transaction_id: string;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly external_identifier: string | null;
  /** A code of the query `declineCodes`. */
  readonly error_code: string | null;
  /** Minor units of `currency`. */
  readonly reversed_amount: number;
  /** A code of the query `declineCodes`. Null without a reversal. */
  readonly reversal_code: string | null;
  /** `provider`: made at the provider, without a request from here. */
  readonly origin: 'requested' | 'provider';
  readonly created_at: string;
  readonly final: boolean;
  /** The shares of accounts in this operation. Null without any. */
  readonly splits:
    | readonly {
        readonly kind: 'recipient' | 'platform_fee';
        /** The provider's id of the account. Null for the platform's own account. */
        readonly account: string | null;
        /** Minor units of `currency`. */
        readonly amount: number;
        readonly reference: string | null;
      }[]
    | null;
};

/** The target of events `dispute.*`. */
export type DisputeTarget = {
  readonly type: 'dispute';
  readonly id: string;
  readonly transaction_id: string;
  readonly payment_service_id: string;
  readonly payment_service_dispute_id: string;
  readonly stage: 'inquiry' | 'chargeback' | 'pre_arbitration';
  readonly status: 'needs_response' | 'under_review' | 'expired' | 'won' | 'lost' | 'accepted' | 'closed';
  readonly reason:
    | 'fraudulent'
    | 'unrecognized'
    | 'duplicate'
    | 'incorrect_amount'
    | 'product_not_received'
    | 'product_unacceptable'
    | 'subscription_canceled'
    | 'credit_not_processed'
    | 'processing_error'
    | 'general';
  /** The provider's or the scheme's own code of the reason. */
  readonly reason_code: string | null;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  /** Booked as lost, in minor units of the currency of the payment. */
  readonly lost_amount: number;
  readonly respond_by: string | null;
  /** The merchant's response that caused the event. Null for a report of the provider. */
  readonly response: {
    readonly id: string;
    readonly kind: 'evidence' | 'acceptance';
    readonly stage: 'inquiry' | 'chargeback' | 'pre_arbitration';
    readonly status: 'pending' | 'succeeded' | 'failed';
    /** The provider's code of a refusal, or `unknown_outcome`. */
    readonly error_code: string | null;
  } | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `gift-card.*`. */
export type GiftCardTarget = {
  readonly type: 'gift-card';
  readonly id: string;
  readonly buyer_id: string | null;
  readonly bin: string;
  readonly sub_bin: string;
  readonly last4: string;
  readonly currency: string;
  /** Minor units of `currency`. */
  readonly balance: number;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `payment-link.*`. */
export type PaymentLinkTarget = {
  readonly type: 'payment-link';
  readonly id: string;
  readonly status: 'active' | 'processing' | 'completed' | 'expired';
  readonly external_identifier: string | null;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly buyer_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly expires_at: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `payment-link.receipt-requested`. */
export type PaymentLinkReceiptRequestedTarget = {
  readonly type: 'payment-link';
  readonly id: string;
  readonly status: 'active' | 'processing' | 'completed' | 'expired';
  readonly external_identifier: string | null;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly buyer_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly expires_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** The payment of the receipt. */
  readonly transaction_id: string;
  /** The address that the buyer entered, not verified. */
  readonly email_address: string;
};

/** The target of events `payment-method.*`. */
export type PaymentMethodTarget = {
  readonly type: 'payment-method';
  readonly id: string;
  readonly method: string;
  readonly status:
    | 'processing'
    | 'buyer_approval_required'
    | 'succeeded'
    | 'failed'
    | 'paused'
    | 'deleting'
    | 'deleted';
  readonly buyer_id: string | null;
  readonly external_identifier: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `recurring.token.created`. */
export type RecurringTokenCreatedTarget = {
  readonly type: 'payment-method';
  readonly id: string;
  readonly method: string;
  readonly status:
    | 'processing'
    | 'buyer_approval_required'
    | 'succeeded'
    | 'failed'
    | 'paused'
    | 'deleting'
    | 'deleted';
  readonly buyer_id: string | null;
  readonly external_identifier: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly payment_service_id: string;
};

/** The target of events `recurring.token.disabled`. */
export type RecurringTokenDisabledTarget = {
  readonly type: 'payment-method';
  readonly id: string;
  readonly method: string;
  readonly status:
    | 'processing'
    | 'buyer_approval_required'
    | 'succeeded'
    | 'failed'
    | 'paused'
    | 'deleting'
    | 'deleted';
  readonly buyer_id: string | null;
  readonly external_identifier: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly payment_service_id: string;
};

/** The target of events `payment-service.*`. */
export type PaymentServiceTarget = {
  readonly type: 'payment-service';
  readonly id: string;
  readonly opened_at: string;
  /** Requests of one process in the last minute before the opening. */
  readonly calls: number;
  /** The technical failures among `calls`. */
  readonly failures: number;
  /** Trials that failed since the opening. */
  readonly failed_trials: number;
};

/** The target of events `payout.*`. */
export type PayoutTarget = {
  readonly type: 'payout';
  readonly id: string;
  readonly payment_service_id: string;
  readonly payment_service_payout_id: string | null;
  /** To the bank account, in minor units of `currency`. */
  readonly amount: number;
  /** Minor units of `currency`. */
  readonly fee: number;
  readonly currency: string;
  readonly settled_on: string;
  readonly created_at: string;
};

/** The target of events `refund.*`. */
export type RefundTarget = {
  readonly type: 'refund';
  readonly id: string;
  readonly status: 'pending' | 'succeeded' | 'declined' | 'failed';
  readonly transaction_id: string;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly external_identifier: string | null;
  /** A code of the query `declineCodes`. */
  readonly error_code: string | null;
  /** Minor units of `currency`. */
  readonly reversed_amount: number;
  /** A code of the query `declineCodes`. Null without a reversal. */
  readonly reversal_code: string | null;
  /** `provider`: made at the provider, without a request from here. */
  readonly origin: 'requested' | 'provider';
  readonly created_at: string;
  readonly reason: string | null;
  /** The shares of accounts in this operation. Null without any. */
  readonly splits:
    | readonly {
        readonly kind: 'recipient' | 'platform_fee';
        /** The provider's id of the account. Null for the platform's own account. */
        readonly account: string | null;
        /** Minor units of `currency`. */
        readonly amount: number;
        readonly reference: string | null;
      }[]
    | null;
};

/** The target of events `refund-approval.*`. */
export type RefundApprovalTarget = {
  readonly type: 'refund-approval';
  readonly id: string;
  readonly transaction_id: string;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly status: 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'failed';
  readonly reason: string | null;
  readonly external_identifier: string | null;
  readonly requested_by: string;
  readonly decided_by: string | null;
  readonly decision_reason: string | null;
  /** The reason of a failure, a value of `ErrorCode` in lower case. */
  readonly error_code: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly decided_at: string | null;
};

/** The target of events `retry-plan.*`. */
export type RetryPlanTarget = {
  readonly type: 'retry-plan';
  readonly id: string;
  readonly transaction_id: string;
  readonly status: 'active' | 'succeeded' | 'exhausted' | 'stopped' | 'ended';
  /** A value of `RetryPlanReason` in lower case. Null before the end. */
  readonly reason: string | null;
  readonly tries: number;
  readonly next_try_at: string | null;
  readonly ends_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `routing-activation.*`. */
export type RoutingActivationTarget = {
  readonly type: 'routing-activation';
  readonly id: string;
  readonly version_id: string | null;
  readonly api_key_pair_id: string | null;
  readonly active_from: string;
  readonly created_at: string;
};

/** The target of events `routing-rule-set.*`. */
export type RoutingRuleSetTarget = {
  readonly type: 'routing-rule-set';
  readonly id: string;
  readonly name: string;
  readonly latest_version: number;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `routing-value-set.*`. */
export type RoutingValueSetTarget = {
  readonly type: 'routing-value-set';
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `settlement.*`. */
export type SettlementTarget = {
  readonly type: 'settlement';
  readonly id: string;
  readonly payment_service_id: string;
  readonly payment_service_settlement_id: string;
  readonly kind:
    | 'charge'
    | 'refund'
    | 'reversal'
    | 'chargeback'
    | 'chargeback_reversal'
    | 'fee'
    | 'payout'
    | 'payout_reversal'
    | 'adjustment'
    | 'unknown'
    | 'unreadable';
  readonly payment_service_kind: string | null;
  readonly report_line: number | null;
  readonly transaction_id: string | null;
  readonly operation_id: string | null;
  /** Minor units of `currency`. */
  readonly gross: number;
  /** Minor units of `currency`. */
  readonly fee: number;
  /** Minor units of `currency`. */
  readonly net: number;
  readonly currency: string;
  readonly settled_on: string;
  readonly difference:
    | 'no_such_operation'
    | 'no_such_dispute'
    | 'operation_not_succeeded'
    | 'other_amount'
    | 'other_currency'
    | 'already_settled'
    | 'adjustment'
    | 'unknown_kind'
    | 'unreadable'
    | null;
  readonly explanation: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `shipping-details.*`. */
export type ShippingDetailsTarget = {
  readonly type: 'shipping-details';
  readonly id: string;
  readonly buyer_id: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `three-ds-scenario.*`. */
export type ThreeDsScenarioTarget = {
  readonly type: 'three-ds-scenario';
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `transaction.*`. */
export type TransactionTarget = {
  readonly type: 'transaction';
  readonly id: string;
  readonly status:
    | 'processing'
    | 'buyer_approval_pending'
    | 'authorization_succeeded'
    | 'authorization_declined'
    | 'authorization_failed'
    | 'authorization_void_pending'
    | 'authorization_voided'
    | 'capture_pending'
    | 'capture_succeeded';
  readonly payment_method: { readonly method: string };
  /** The facts for the notice to the payer. Null for other payments. */
  readonly bank: {
    readonly scheme: 'ach' | 'sepa' | 'bacs';
    readonly last_four: string;
    readonly mandate_reference: string | null;
    /** The day of the debit as YYYY-MM-DD. */
    readonly debits_on: string | null;
    readonly creditor_id: string | null;
  } | null;
  readonly external_identifier: string | null;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  /** Minor units of `currency`. */
  readonly authorized_amount: number;
  /** Minor units of `currency`. */
  readonly captured_amount: number;
  /** Minor units of `currency`. */
  readonly refunded_amount: number;
  /** The shares of accounts in the payment. Null without any. */
  readonly splits:
    | readonly {
        readonly kind: 'recipient' | 'platform_fee';
        /** The provider's id of the account. Null for the platform's own account. */
        readonly account: string | null;
        /** Minor units of `currency`. */
        readonly amount: number;
        readonly reference: string | null;
        /** Minor units of `currency`. */
        readonly captured_amount: number;
        /** Minor units of `currency`. */
        readonly refunded_amount: number;
      }[]
    | null;
  readonly payment_service_transaction_id: string | null;
  readonly payment_link_id: string | null;
  readonly anti_fraud_decision:
    | 'pending'
    | 'accept'
    | 'reject'
    | 'review'
    | 'error'
    | 'exception'
    | 'skipped'
    | null;
  readonly pending_review: boolean;
  readonly has_gift_card_redemptions: boolean;
  /** A code of the query `declineCodes`. */
  readonly error_code: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** `provider`: made at the provider, without a request from here. */
  readonly origin: 'requested' | 'provider';
  readonly created_at: string;
  readonly updated_at: string;
};

/** The target of events `webhook-endpoint.*`. */
export type WebhookEndpointTarget = {
  readonly type: 'webhook-endpoint';
  readonly id: string;
  readonly url: string;
  readonly state: 'active' | 'failing' | 'paused' | 'disabled';
  readonly state_reason: string | null;
  readonly failing_since: string | null;
};

/** The target of each event, by the name of the event. */
export type EventTargets = {
  readonly 'anti-fraud-service.created': AntiFraudServiceTarget;
  readonly 'anti-fraud-service.updated': AntiFraudServiceTarget;
  readonly 'anti-fraud-service.deleted': AntiFraudServiceTarget;
  readonly 'api-key-pair.created': ApiKeyPairTarget;
  readonly 'api-key-pair.updated': ApiKeyPairTarget;
  readonly 'buyer.created': BuyerTarget;
  readonly 'buyer.updated': BuyerTarget;
  readonly 'buyer.deleted': BuyerTarget;
  readonly 'capture.pending': CaptureTarget;
  readonly 'capture.succeeded': CaptureTarget;
  readonly 'capture.declined': CaptureTarget;
  readonly 'capture.failed': CaptureTarget;
  readonly 'capture.reversed': CaptureTarget;
  readonly 'dispute.created': DisputeTarget;
  readonly 'dispute.updated': DisputeTarget;
  readonly 'dispute.won': DisputeTarget;
  readonly 'dispute.lost': DisputeTarget;
  readonly 'gift-card.created': GiftCardTarget;
  readonly 'gift-card.updated': GiftCardTarget;
  readonly 'gift-card.deleted': GiftCardTarget;
  readonly 'payment-link.created': PaymentLinkTarget;
  readonly 'payment-link.updated': PaymentLinkTarget;
  readonly 'payment-link.receipt-requested': PaymentLinkReceiptRequestedTarget;
  readonly 'payment-method.created': PaymentMethodTarget;
  readonly 'payment-method.updated': PaymentMethodTarget;
  readonly 'payment-method.deleted': PaymentMethodTarget;
  readonly 'payment-method.paused': PaymentMethodTarget;
  readonly 'payment-method.resumed': PaymentMethodTarget;
  readonly 'payment-service.circuit-opened': PaymentServiceTarget;
  readonly 'payment-service.circuit-closed': PaymentServiceTarget;
  readonly 'payout.created': PayoutTarget;
  readonly 'recurring.token.created': RecurringTokenCreatedTarget;
  readonly 'recurring.token.disabled': RecurringTokenDisabledTarget;
  readonly 'refund.pending': RefundTarget;
  readonly 'refund.succeeded': RefundTarget;
  readonly 'refund.declined': RefundTarget;
  readonly 'refund.failed': RefundTarget;
  readonly 'refund.reversed': RefundTarget;
  readonly 'refund-approval.requested': RefundApprovalTarget;
  readonly 'refund-approval.approved': RefundApprovalTarget;
  readonly 'refund-approval.rejected': RefundApprovalTarget;
  readonly 'refund-approval.withdrawn': RefundApprovalTarget;
  readonly 'refund-approval.expired': RefundApprovalTarget;
  readonly 'refund-approval.failed': RefundApprovalTarget;
  readonly 'retry-plan.scheduled': RetryPlanTarget;
  readonly 'retry-plan.succeeded': RetryPlanTarget;
  readonly 'retry-plan.exhausted': RetryPlanTarget;
  readonly 'retry-plan.stopped': RetryPlanTarget;
  readonly 'retry-plan.ended': RetryPlanTarget;
  readonly 'routing-activation.created': RoutingActivationTarget;
  readonly 'routing-activation.canceled': RoutingActivationTarget;
  readonly 'routing-rule-set.created': RoutingRuleSetTarget;
  readonly 'routing-rule-set.updated': RoutingRuleSetTarget;
  readonly 'routing-value-set.created': RoutingValueSetTarget;
  readonly 'routing-value-set.updated': RoutingValueSetTarget;
  readonly 'settlement.difference-found': SettlementTarget;
  readonly 'settlement.difference-resolved': SettlementTarget;
  readonly 'settlement.difference-explained': SettlementTarget;
  readonly 'shipping-details.created': ShippingDetailsTarget;
  readonly 'shipping-details.updated': ShippingDetailsTarget;
  readonly 'shipping-details.deleted': ShippingDetailsTarget;
  readonly 'three-ds-scenario.created': ThreeDsScenarioTarget;
  readonly 'three-ds-scenario.updated': ThreeDsScenarioTarget;
  readonly 'three-ds-scenario.deleted': ThreeDsScenarioTarget;
  readonly 'transaction.anti-fraud-decided': TransactionTarget;
  readonly 'transaction.authentication-pending': TransactionTarget;
  readonly 'transaction.authenticated': TransactionTarget;
  readonly 'transaction.authorized': TransactionTarget;
  readonly 'transaction.declined': TransactionTarget;
  readonly 'transaction.failed': TransactionTarget;
  readonly 'transaction.increase-pending': TransactionTarget;
  readonly 'transaction.authorization-increased': TransactionTarget;
  readonly 'transaction.increase-declined': TransactionTarget;
  readonly 'transaction.increase-failed': TransactionTarget;
  readonly 'transaction.reauthorize-pending': TransactionTarget;
  readonly 'transaction.reauthorized': TransactionTarget;
  readonly 'transaction.reauthorize-declined': TransactionTarget;
  readonly 'transaction.reauthorize-failed': TransactionTarget;
  readonly 'transaction.capture-pending': TransactionTarget;
  readonly 'transaction.captured': TransactionTarget;
  readonly 'transaction.capture-failed': TransactionTarget;
  readonly 'transaction.capture-reversed': TransactionTarget;
  readonly 'transaction.late-authorization': TransactionTarget;
  readonly 'transaction.late-authorization-released': TransactionTarget;
  readonly 'transaction.late-authorization-kept': TransactionTarget;
  readonly 'transaction.void-pending': TransactionTarget;
  readonly 'transaction.voided': TransactionTarget;
  readonly 'transaction.void-declined': TransactionTarget;
  readonly 'transaction.void-failed': TransactionTarget;
  readonly 'transaction.expired': TransactionTarget;
  readonly 'transaction.modified': TransactionTarget;
  readonly 'transaction.review-accepted': TransactionTarget;
  readonly 'transaction.review-rejected': TransactionTarget;
  readonly 'webhook-endpoint.failing': WebhookEndpointTarget;
  readonly 'webhook-endpoint.recovered': WebhookEndpointTarget;
  readonly 'webhook-endpoint.disabled': WebhookEndpointTarget;
};
