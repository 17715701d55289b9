import { TARGET_SCHEMAS } from '../../../src/modules/event-log/target-schemas.ts';

/** A field of events whose words are an enum of the API in lower case. */
export type Spelling = {
  readonly events: keyof typeof TARGET_SCHEMAS;
  readonly field: string;
  readonly enum: string;
  /** Words of events that differ from the API, with the value of the API. Null without one. */
  readonly others?: Readonly<Record<string, string | null>>;
};

/** Every such field. A test compares the words with the schema. */
export const SPELLINGS: readonly Spelling[] = [
  { events: 'transaction', field: 'status', enum: 'TransactionStatus' },
  { events: 'transaction', field: 'anti_fraud_decision', enum: 'AntiFraudDecision' },
  { events: 'capture', field: 'status', enum: 'OperationStatus' },
  { events: 'refund', field: 'status', enum: 'RefundStatus', others: { pending: 'PROCESSING' } },
  { events: 'transaction', field: 'origin', enum: 'OperationOrigin' },
  { events: 'capture', field: 'origin', enum: 'OperationOrigin' },
  { events: 'refund', field: 'origin', enum: 'OperationOrigin' },
  { events: 'refund-approval', field: 'status', enum: 'RefundApprovalStatus' },
  { events: 'retry-plan', field: 'status', enum: 'RetryPlanStatus' },
  { events: 'dispute', field: 'stage', enum: 'DisputeStage' },
  { events: 'dispute', field: 'status', enum: 'DisputeStatus' },
  { events: 'dispute', field: 'reason', enum: 'DisputeReason' },
  { events: 'settlement', field: 'kind', enum: 'SettlementKind' },
  { events: 'settlement', field: 'difference', enum: 'SettlementDifferenceReason' },
  { events: 'payment-link', field: 'status', enum: 'PaymentLinkStatus' },
  { events: 'payment-link.receipt-requested', field: 'status', enum: 'PaymentLinkStatus' },
  { events: 'payment-method', field: 'status', enum: 'PaymentMethodStatus', others: { deleted: null } },
  {
    ...{ events: 'recurring.token.created', field: 'status', enum: 'PaymentMethodStatus' },
    others: { deleted: null },
  },
  {
    ...{ events: 'recurring.token.disabled', field: 'status', enum: 'PaymentMethodStatus' },
    others: { deleted: null },
  },
  { events: 'webhook-endpoint', field: 'state', enum: 'WebhookEndpointState' },
];

/** Returns the words of a field in events. */
export function wordsOf({ events, field }: Pick<Spelling, 'events' | 'field'>): readonly string[] {
  const { properties } = TARGET_SCHEMAS[events] as {
    readonly properties: Readonly<Record<string, { readonly enum?: readonly (string | null)[] }>>;
  };
  return (properties[field]?.enum ?? []).filter((word) => word !== null);
}
