import { describe, expect, it } from '@jest/globals';
import { readModel } from '../../src/graph/federation/subgraph-model.ts';
import { toUserErrors, type Refusal } from '../../src/graph/resolvers/refusals.ts';
import { readSdl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';

/** One example of each kind. A new kind does not compile without an example here. */
const EXAMPLES: { readonly [Kind in Refusal['kind']]: Refusal & { readonly kind: Kind } } = {
  InvalidInput: { kind: 'InvalidInput', path: ['input', 'amount'], message: 'Must be 1 to 5.' },
  NotFound: { kind: 'NotFound', what: 'transaction', path: ['id'] },
  DuplicateRecord: {
    kind: 'DuplicateRecord',
    path: ['input', 'id'],
    message: 'There is one already.',
    resourceId: 'a',
  },
  OperationNotAllowed: { kind: 'OperationNotAllowed', operation: 'capture', status: 'authorization_voided' },
  OperationNotSupported: { kind: 'OperationNotSupported', operation: 'cancel', feature: 'cancel' },
  OperationNotUnresolved: { kind: 'OperationNotUnresolved', status: 'declined' },
  AuthorizationHeld: { kind: 'AuthorizationHeld', by: 'increase' },
  CaptureHeld: { kind: 'CaptureHeld', review: 'pending' },
  ReviewNotPending: { kind: 'ReviewNotPending', review: 'accepted' },
  PaymentLinkNotActive: { kind: 'PaymentLinkNotActive', status: 'completed' },
  RoutingActivationBegun: { kind: 'RoutingActivationBegun' },
  TransactionSessionEnded: { kind: 'TransactionSessionEnded', status: 'capture_succeeded' },
  ProviderUnavailable: { kind: 'ProviderUnavailable' },
  PaymentsHeld: { kind: 'PaymentsHeld' },
  CredentialsRefused: { kind: 'CredentialsRefused', reason: 'No such key.' },
  CaptureTooLarge: { kind: 'CaptureTooLarge', capturable: { amount: 299, currency: 'USD' } },
  RefundTooLarge: { kind: 'RefundTooLarge', refundable: { amount: 0, currency: 'USD' } },
  RefundApprovalRequired: {
    ...{ kind: 'RefundApprovalRequired', requested: { amount: 600, currency: 'USD' } },
    ...{ approvalId: 'a', status: 'pending' },
  },
  RefundApprovalEnded: { kind: 'RefundApprovalEnded', status: 'rejected' },
  SecondPersonRequired: { kind: 'SecondPersonRequired' },
  DifferenceNotOpen: { kind: 'DifferenceNotOpen', state: 'dismissed' },
  DifferenceNotAdoptable: { kind: 'DifferenceNotAdoptable' },
  DisputeOpen: { kind: 'DisputeOpen', openDisputes: 1 },
  DisputeNotRespondable: { kind: 'DisputeNotRespondable', reason: 'status', status: 'lost' },
  NoPaymentService: { kind: 'NoPaymentService', passedOver: [] },
  RefusedByRoutingRule: { kind: 'RefusedByRoutingRule', ruleCode: 'not_here', ruleName: 'Closed' },
  GiftCardRefused: {
    kind: 'GiftCardRefused',
    path: ['input', 'number'],
    message: 'The gift card has expired.',
    giftCardErrorCode: 'expired_card',
  },
  TooManyCardNumbers: {
    ...{ kind: 'TooManyCardNumbers', limit: 'numbers', retryAfterSeconds: 60 },
    path: ['input', 'paymentMethod', 'card', 'number'],
  },
  IdempotencyKeyReused: { kind: 'IdempotencyKeyReused', differingPaths: ['input.amount'] },
  IdempotencyInProgress: { kind: 'IdempotencyInProgress', retryAfterMs: 2_000 },
  SandboxOnly: { kind: 'SandboxOnly', what: 'A toy' },
};

const SENTENCES: {
  readonly [Kind in Refusal['kind']]: readonly [code: string, path: readonly string[], message: string];
} = {
  InvalidInput: ['invalid_input', ['input', 'amount'], 'Must be 1 to 5.'],
  NotFound: ['not_found', ['id'], 'The token has access to no transaction with this id.'],
  DuplicateRecord: ['duplicate', ['input', 'id'], 'There is one already.'],
  OperationNotAllowed: [
    'operation_not_allowed',
    ['id'],
    'The transaction cannot be captured while its status is AUTHORIZATION_VOIDED.',
  ],
  OperationNotSupported: [
    'operation_not_supported',
    ['id'],
    'The payment service of this transaction cannot do this cancel: its definition lacks the feature cancel.',
  ],
  OperationNotUnresolved: [
    'operation_not_unresolved',
    ['id'],
    'The outcome of this operation is known: DECLINED. resolveOperation needs an operation of unknown outcome.',
  ],
  AuthorizationHeld: [
    'operation_not_allowed',
    ['id'],
    'An increase of the transaction is in progress. Wait for its outcome. resolveOperation ends an operation whose outcome stays unknown.',
  ],
  CaptureHeld: [
    'operation_not_allowed',
    ['id'],
    'A fraud review of the transaction is open. Accept the payment with resolveReview before a capture, or void the transaction.',
  ],
  RoutingActivationBegun: [
    'operation_not_allowed',
    ['id'],
    'The activation has begun, and payments may have followed it. Activate another version with activateRoutingRuleSet.',
  ],
  RefusedByRoutingRule: [
    'refused_by_rule',
    [],
    'The routing rule "Closed" refuses the payment with the code not_here. Nothing was stored, and no provider was called. Change the payment, or activate other rules with activateRoutingRuleSet.',
  ],
  RefundApprovalRequired: [
    'refund_approval_required',
    ['input', 'amount'],
    'A second person must approve a refund of this amount. The request is stored, and nothing was refunded. See `approval`.',
  ],
  RefundApprovalEnded: [
    'operation_not_allowed',
    ['id'],
    'The request does not wait for a decision any more: its status is REJECTED.',
  ],
  SecondPersonRequired: [
    'second_person_required',
    ['id'],
    'A second person must decide, who is signed in at the dashboard. Neither the person who asked nor a token can approve.',
  ],
  DifferenceNotOpen: [
    'operation_not_allowed',
    ['id'],
    'The difference has ended: its state is DISMISSED. Only an open difference can be adopted or dismissed.',
  ],
  DifferenceNotAdoptable: [
    'operation_not_allowed',
    ['id'],
    'The report cannot be booked on this payment. Compare the payment with the provider, and end the difference with dismissDifference.',
  ],
  ReviewNotPending: [
    'operation_not_allowed',
    ['id'],
    'The fraud review has ended: it accepted the transaction.',
  ],
  PaymentLinkNotActive: [
    'operation_not_allowed',
    ['id'],
    'The payment link cannot be expired while its status is COMPLETED: the status must be ACTIVE.',
  ],
  TransactionSessionEnded: [
    'operation_not_allowed',
    ['id'],
    'The payment does not wait for its buyer any more: its status is CAPTURE_SUCCEEDED.',
  ],
  CredentialsRefused: [
    'credentials_refused',
    ['input', 'fields'],
    'The provider refused the credentials: No such key. Nothing was stored.',
  ],
  PaymentsHeld: [
    'payments_held',
    [],
    'The operator holds payments back after a restore of the database. Nothing was done. Send the request again later, with the same idempotencyKey.',
  ],
  ProviderUnavailable: [
    'provider_unavailable',
    [],
    'The provider gave no usable answer. Nothing was changed. Try again.',
  ],
  CaptureTooLarge: [
    'capture_too_large',
    ['input', 'amount'],
    'The amount is too large. At most 299 minor units of USD are left to capture. Omit the amount to capture all of it.',
  ],
  DisputeNotRespondable: [
    'operation_not_allowed',
    ['id'],
    'The provider waits for no response: the status must be NEEDS_RESPONSE.',
  ],
  DisputeOpen: [
    'dispute_open',
    ['input', 'force'],
    'A dispute of this payment is open, and a refund could pay the buyer twice. Wait for the end, or send force: true to refund all the same.',
  ],
  RefundTooLarge: ['refund_too_large', ['input', 'amount'], 'Nothing is left to refund.'],
  NoPaymentService: [
    'no_payment_service',
    [],
    'No active payment service accepts this method, currency and country. `passedOver` lists the reasons. Create one with createPaymentService, or change one with updatePaymentService.',
  ],
  TooManyCardNumbers: [
    'too_many_card_numbers',
    ['input', 'paymentMethod', 'card', 'number'],
    'The merchant account presented too many different card numbers with these first eight and last four digits. Nothing was stored, and no provider was called. Try again after 60 seconds.',
  ],
  GiftCardRefused: ['gift_card_refused', ['input', 'number'], 'The gift card has expired.'],
  IdempotencyKeyReused: [
    'idempotency_key_reused',
    ['idempotencyKey'],
    'This idempotency key was used before with other input (input.amount). Send the input of the first request, or a new key.',
  ],
  IdempotencyInProgress: [
    'idempotency_in_progress',
    ['idempotencyKey'],
    'The first request with this idempotency key has not finished. Send the same request with the same key again after 2000 ms.',
  ],
  SandboxOnly: [
    'sandbox_only',
    [],
    'A toy works in the sandbox only, and this installation runs in production (NODE_ENV=production).',
  ],
};

describe('a refusal', () => {
  it.each(Object.values(EXAMPLES))('of the kind $kind has its sentence and its data', (refusal) => {
    const { kind, ...data } = refusal;
    const [code, path, message] = SENTENCES[kind];

    expect(toUserErrors([refusal])).toEqual([
      kind === 'InvalidInput'
        ? { __typename: kind, code, path, message }
        : { ...data, __typename: kind, code, path, message },
    ]);
  });

  it('is shown by a type of the schema, and each such type shows one', () => {
    const shown = SUBGRAPHS.flatMap(
      (name) => readModel({ name, resolvers: {} }, readSdl(name)).abstracts.get('UserError') ?? [],
    );

    expect([...new Set(shown)].sort()).toEqual(Object.keys(EXAMPLES).sort());
  });
});
