import type { Money } from '../../kernel/money.ts';
import type {
  IdempotencyRefusal,
  InvalidInput,
  NotFound,
  ProviderUnavailable,
} from '../../kernel/refusal.ts';
import { unreachable } from '../../kernel/result.ts';
import type { DuplicateRecord } from '../../modules/accounts/index.ts';
import type { DisputeNotRespondable, DisputeRefusal } from '../../modules/disputes/index.ts';
import type { GiftCardRefused, TooManyCardNumbers } from '../../modules/payment-methods/index.ts';
import type { RoutingActivationBegun } from '../../modules/routing/index.ts';
import type { PaymentLinkNotActive } from '../../modules/payment-links/index.ts';
import type { SandboxOnly } from '../../modules/three-ds/index.ts';
import type { CredentialsRefused } from '../../modules/payment-services/index.ts';
import type {
  NoPaymentService,
  PaymentsHeld,
  RefundApprovalEnded,
  RefundApprovalRequired,
  RefusedByRoutingRule,
  SecondPersonRequired,
  TransactionRefusal,
} from '../../modules/transactions/index.ts';
import { unknownRecord } from './not-found-sentence.ts';
import { tooLateFor } from './too-late-sentence.ts';
import { credentialsRefused, PAYMENTS_HELD, PROVIDER_UNAVAILABLE } from './provider-sentences.ts';
import { noPaymentService, refusedByRule } from './route-sentences.ts';

/** Every refusal of a mutation. `kind` is the name of its GraphQL type. */
export type Refusal =
  | InvalidInput
  | NotFound
  | IdempotencyRefusal
  | CredentialsRefused
  | DisputeRefusal
  | DuplicateRecord
  | GiftCardRefused
  | PaymentLinkNotActive
  | ProviderUnavailable
  | RoutingActivationBegun
  | SandboxOnly
  | TransactionRefusal;

/** A refusal in `userErrors`, with the fields of its own type. */
export type UserErrorValue = {
  readonly __typename: Refusal['kind'];
  readonly code: Code;
  readonly message: string;
  readonly path: readonly string[];
};

/** The values of ErrorCode, in lower case like all enum values inside the code. */
type Code =
  | 'invalid_input'
  | 'not_found'
  | 'duplicate'
  | 'operation_not_allowed'
  | 'operation_not_supported'
  | 'operation_not_unresolved'
  | 'capture_too_large'
  | 'refund_too_large'
  | 'dispute_open'
  | 'no_payment_service'
  | 'refused_by_rule'
  | 'payments_held'
  | 'provider_unavailable'
  | 'credentials_refused'
  | 'gift_card_refused'
  | 'too_many_card_numbers'
  | 'refund_approval_required'
  | 'second_person_required'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'sandbox_only';

/** Maps refusals to user errors. Messages name the correction and the remaining amount, and repeat no input. */
export const toUserErrors = (refusals: readonly Refusal[]): UserErrorValue[] => refusals.map(toUserError);

function toUserError(refusal: Refusal): UserErrorValue {
  switch (refusal.kind) {
    case 'InvalidInput':
      return shown(refusal, 'invalid_input', refusal.message, refusal.path);
    case 'NotFound':
      return shown(refusal, 'not_found', unknownRecord(refusal.what), refusal.path);
    case 'DuplicateRecord':
      return shown(refusal, 'duplicate', refusal.message, refusal.path);
    case 'GiftCardRefused':
      return shown(refusal, 'gift_card_refused', refusal.message, refusal.path);
    case 'TooManyCardNumbers':
      return shown(refusal, 'too_many_card_numbers', tooManyNumbers(refusal), refusal.path);
    case 'OperationNotAllowed':
      return shown(refusal, 'operation_not_allowed', notAllowed(refusal.operation, refusal.status), ['id']);
    case 'AuthorizationHeld':
      return shown(refusal, 'operation_not_allowed', AUTHORIZATION_HELD[refusal.by], ['id']);
    case 'CaptureHeld':
      return shown(refusal, 'operation_not_allowed', CAPTURE_HELD[refusal.review], ['id']);
    case 'ReviewNotPending':
      return shown(refusal, 'operation_not_allowed', REVIEW_NOT_PENDING[refusal.review ?? 'none'], ['id']);
    case 'OperationNotSupported':
      return shown(refusal, 'operation_not_supported', notSupported(refusal.operation, refusal.feature), ID);
    case 'OperationNotUnresolved':
      return shown(refusal, 'operation_not_unresolved', notUnresolved(refusal.status), ['id']);
    case 'DifferenceNotOpen':
    case 'DifferenceNotAdoptable':
    case 'PaymentLinkNotActive':
    case 'RoutingActivationBegun':
      return shown(refusal, 'operation_not_allowed', tooLateFor(refusal), ID);
    case 'CaptureTooLarge':
      return shown(refusal, 'capture_too_large', tooLarge(refusal.capturable, 'capture'), AMOUNT);
    case 'RefundTooLarge':
      return shown(refusal, 'refund_too_large', tooLarge(refusal.refundable, 'refund'), AMOUNT);
    case 'RefundApprovalRequired':
    case 'RefundApprovalEnded':
    case 'SecondPersonRequired':
      return approvalError(refusal);
    case 'DisputeOpen':
      return shown(refusal, 'dispute_open', disputeOpen(refusal.openDisputes), ['input', 'force']);
    case 'DisputeNotRespondable':
      return shown(refusal, ...NOT_RESPONDABLE[refusal.reason], ['id']);
    case 'TransactionSessionEnded':
      return shown(refusal, 'operation_not_allowed', sessionEnded(refusal.status), ['id']);
    case 'CredentialsRefused':
      return shown(refusal, 'credentials_refused', credentialsRefused(refusal.reason), ['input', 'fields']);
    case 'ProviderUnavailable':
    case 'PaymentsHeld':
      return laterError(refusal);
    case 'NoPaymentService':
    case 'RefusedByRoutingRule':
      return routeError(refusal);
    case 'IdempotencyKeyReused':
    case 'IdempotencyInProgress':
      return keyError(refusal);
    case 'SandboxOnly':
      return shown(refusal, 'sandbox_only', sandboxOnly(refusal), []);
    default:
      return unreachable(refusal);
  }
}

const laterError = (refusal: PaymentsHeld | ProviderUnavailable): UserErrorValue =>
  refusal.kind === 'PaymentsHeld'
    ? shown(refusal, 'payments_held', PAYMENTS_HELD, [])
    : shown(refusal, 'provider_unavailable', PROVIDER_UNAVAILABLE, []);

const keyError = (refusal: IdempotencyRefusal): UserErrorValue =>
  refusal.kind === 'IdempotencyKeyReused'
    ? shown(refusal, 'idempotency_key_reused', keyReused(refusal.differingPaths), ['idempotencyKey'])
    : shown(refusal, 'idempotency_in_progress', inProgress(refusal.retryAfterMs), ['idempotencyKey']);

const routeError = (refusal: NoPaymentService | RefusedByRoutingRule): UserErrorValue =>
  refusal.kind === 'NoPaymentService'
    ? shown(refusal, 'no_payment_service', noPaymentService(refusal.passedOver), [])
    : shown(refusal, 'refused_by_rule', refusedByRule(refusal), []);

const AMOUNT = ['input', 'amount'];
const ID = ['id'];

/** Maps the refusals of refunds that need a second person. */
function approvalError(
  refusal: RefundApprovalRequired | RefundApprovalEnded | SecondPersonRequired,
): UserErrorValue {
  if (refusal.kind === 'SecondPersonRequired')
    return shown(refusal, 'second_person_required', SECOND_PERSON, ['id']);
  return refusal.kind === 'RefundApprovalRequired'
    ? shown(refusal, 'refund_approval_required', APPROVAL_REQUIRED[refusal.status], AMOUNT)
    : shown(refusal, 'operation_not_allowed', approvalEnded(refusal.status), ['id']);
}

/** Adds the common fields to a refusal's own data. */
function shown<Each extends Refusal>(
  refusal: Each,
  code: Code,
  message: string,
  path: readonly string[],
): UserErrorValue {
  const { kind, ...data } = refusal;
  return { ...data, __typename: kind, code, message, path };
}

const tooManyNumbers = ({ limit, retryAfterSeconds }: TooManyCardNumbers): string =>
  `${TOO_MANY_NUMBERS[limit]} Nothing was stored, and no provider was called. Try again after ${retryAfterSeconds} seconds.`;

const TOO_MANY_NUMBERS = {
  numbers:
    'The merchant account presented too many different card numbers with these first eight and last four digits.',
  failures: 'Too many payments with card numbers of these first eight digits failed.',
} as const;

const sessionEnded = (status: string): string =>
  status === 'buyer_approval_pending'
    ? 'The time for the buyer to approve is over, or the payment is being completed. Create a new transaction if the payment fails.'
    : `The payment does not wait for its buyer any more: its status is ${status.toUpperCase()}.`;

const notAllowed = (operation: string, status: string): string =>
  `The transaction cannot be ${PARTICIPLES[operation] ?? 'changed'} while its status is ${status.toUpperCase()}.`;

const PARTICIPLES: Readonly<Record<string, string>> = {
  authorize: 'authorised',
  increase: 'increased',
  reauthorize: 'authorised again',
  capture: 'captured',
  refund: 'refunded',
  void: 'voided',
  cancel: 'cancelled',
};

const CHANGE_HELD = (what: string): string =>
  `${what} of the transaction is in progress. Wait for its outcome. resolveOperation ends an operation whose outcome stays unknown.`;

const AUTHORIZATION_HELD = {
  review:
    'A fraud review holds the transaction, so its authorisation cannot be changed. Accept the payment with resolveReview first.',
  increase: CHANGE_HELD('An increase'),
  reauthorize: CHANGE_HELD('A re-authorisation'),
} as const;

const CAPTURE_HELD = {
  pending:
    'A fraud review of the transaction is open. Accept the payment with resolveReview before a capture, or void the transaction.',
  rejected: 'The fraud review has rejected the transaction, so captures are refused. Void the transaction.',
} as const;

const REVIEW_NOT_PENDING = {
  none: 'The transaction has no open fraud review. resolveReview needs a transaction with pendingReview true.',
  pending:
    'A void of the transaction is in progress. If the provider refuses the void, resolve the review again.',
  accepted: 'The fraud review has ended: it accepted the transaction.',
  rejected: 'The fraud review has ended: it rejected the transaction.',
  ended: 'The fraud review has ended: the transaction was voided.',
} as const;

const notSupported = (operation: string, feature: string): string =>
  `The payment service of this transaction cannot do this ${operation}: its definition lacks the feature ${feature}.`;

const notUnresolved = (status: string): string =>
  status === 'pending'
    ? 'Paygraph is asking the provider about this operation now. Check the operation again in a minute.'
    : `The outcome of this operation is known: ${status.toUpperCase()}. resolveOperation needs an operation of unknown outcome.`;

const tooLarge = ({ amount, currency }: Money, verb: string): string =>
  amount === 0
    ? `Nothing is left to ${verb}.`
    : `The amount is too large. At most ${amount} minor units of ${currency} are left to ${verb}. Omit the amount to ${verb} all of it.`;

const APPROVAL_REQUIRED = {
  pending:
    'A second person must approve a refund of this amount. The request is stored, and nothing was refunded. See `approval`.',
  approved: 'A second person has approved the refund, and it starts within a minute.',
  rejected: 'A second person has rejected this refund. Nothing was refunded.',
  withdrawn: 'The request for this refund was withdrawn. Nothing was refunded.',
  expired: 'Nobody approved this refund in time. Nothing was refunded. Ask again with a new idempotency key.',
  failed:
    'The payment did not allow this refund any more after its approval. Nothing was refunded. Ask again with a new idempotency key.',
} as const;

const approvalEnded = (status: string): string =>
  `The request does not wait for a decision any more: its status is ${status.toUpperCase()}.`;

const SECOND_PERSON =
  'A second person must decide, who is signed in at the dashboard. Neither the person who asked nor a token can approve.';

const disputeOpen = (count: number): string =>
  `${count === 1 ? 'A dispute' : `${count} disputes`} of this payment ${count === 1 ? 'is' : 'are'} open, and a refund could pay the buyer twice. Wait for the end, or send force: true to refund all the same.`;

const NOT_RESPONDABLE: Readonly<
  Record<DisputeNotRespondable['reason'], readonly [code: Code, message: string]>
> = {
  status: ['operation_not_allowed', 'The provider waits for no response: the status must be NEEDS_RESPONSE.'],
  too_late: ['operation_not_allowed', 'The time to respond is over: `respondBy` has passed.'],
  under_way: [
    'operation_not_allowed',
    'The outcome of an earlier response is not known yet. Paygraph sends that response again. Check `responses` in a minute.',
  ],
  not_supported: [
    'operation_not_supported',
    "The payment service cannot respond so: its definition lacks the feature. Respond at the provider's own pages.",
  ],
};

const keyReused = (paths: readonly string[]): string =>
  `This idempotency key was used before with other input (${paths.length > 0 ? paths.join(', ') : 'other fields'}). Send the input of the first request, or a new key.`;

const inProgress = (ms: number): string =>
  `The first request with this idempotency key has not finished. Send the same request with the same key again after ${ms} ms.`;

/** Returns the message for a function of the sandbox. Queries throw the message. */
export const sandboxOnly = ({ what }: SandboxOnly): string =>
  `${what} works in the sandbox only, and this installation runs in production (NODE_ENV=production).`;
