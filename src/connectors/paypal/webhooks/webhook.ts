import type { z } from 'zod';
import {
  ok,
  refuse,
  parseJson,
  timeOf,
  type Result,
  type PartReceiver,
  type UnreadReason,
  type WebhookNotice,
  type Webhooks,
  type Outcome,
} from '../../door.ts';
import { dispute } from '../disputes/dispute-answers.ts';
import { reportOf } from '../disputes/dispute-report.ts';
import { moneyFromWire } from '../amount.ts';
import { authorizationOutcome, captureOutcome, refundOutcome } from '../payments/payment-outcome.ts';
import type { EventOf } from '../event.ts';
import {
  eventSchema,
  payeeResource,
  order,
  paymentResource,
  storedToken,
  type PaymentResource,
} from './event.ts';
import { disputeNotices } from '../disputes/dispute-notice.ts';
import { approvedNotices, authorizationNotices, tokenNotices } from './authorization-notices.ts';
import { captureNotices, refundNotices, reversalNotices } from './money-notices.ts';
import { certificateOf, refusalOfSignature, type PayPalSignings } from './signature.ts';

/** The webhooks of PayPal, signed with a certificate that PayPal publishes. */
export const webhooksOf = (signings: PayPalSignings): Webhooks => ({
  material: (request) => certificateOf(request, signings),
  verify: (request) => {
    const refusal = refusalOfSignature(request, signings);
    return refusal === null
      ? ok({ parts: [String(request.rawBody)], unsigned: 0, isSigned: true })
      : refuse(refusal);
  },
  read: readPayPalEvent,
});

/**
 * Reads an event of PayPal.
 *
 * - Events of other types give no notice.
 * - An event that names another merchant than the payment service gives no notice. An app of a platform gets the events of all
 *   its merchants.
 */
function readPayPalEvent(
  part: string,
  { credentials }: PartReceiver,
): Result<readonly WebhookNotice[], UnreadReason> {
  const given = eventSchema.safeParse(parseJson(part)).data;
  if (!given) return refuse('unreadable_body');
  const merchantId = credentials['merchant_id'] ?? '';
  const reader = READERS.get(given.event_type);
  if (!reader) return isNewKind(given, merchantId) ? refuse('unknown_kind') : ok([]);
  const notices = reader(given, merchantId);
  return notices === null ? refuse('unreadable_item') : ok(notices);
}

/** The types of events about payments and disputes. PayPal may add one, and nobody knows yet whether the event moves money. */
const OF_PAYMENTS = /^(PAYMENT\.(AUTHORIZATION|CAPTURE|REFUND)|CUSTOMER\.DISPUTE)\./;

type Event = z.output<typeof eventSchema>;

/** True for a type that may move money of this merchant. The resource has an unknown form, and may name another merchant. */
function isNewKind({ event_type: type, resource }: Event, merchantId: string): boolean {
  if (!OF_PAYMENTS.test(type)) return false;
  const named = payeeResource.safeParse(resource).data?.payee?.merchant_id;
  return merchantId === '' || named == null || named === merchantId;
}

/** Reads the notices of an event for a merchant. Null if the resource of the event is not readable. */
type Reader = (event: Event, merchantId: string) => readonly WebhookNotice[] | null;

/** Reads an event whose resource has this schema. */
const reads =
  <Resource>(
    schema: z.ZodType<Resource>,
    notices: (event: EventOf<Resource>) => readonly WebhookNotice[] | null,
    merchantsOf: (resource: Resource) => readonly (string | null | undefined)[] = () => [],
  ): Reader =>
  ({ id, event_type: type, create_time: created, resource }, merchantId) => {
    const read = schema.safeParse(resource);
    if (!read.success) return null;
    const isOfAnother = merchantsOf(read.data).some((named) => named != null && named !== merchantId);
    if (merchantId !== '' && isOfAnother) return [];
    return notices({ id, type, occurredAt: timeOf(created), resource: read.data });
  };

const payeeOf = ({ payee }: PaymentResource): readonly (string | null | undefined)[] => [payee?.merchant_id];

/** Reads the notices of an event. Null for an event without a notice whose resource has an unknown word or amount. */
const unlessOdd =
  <Resource>(
    notices: (event: EventOf<Resource>) => readonly WebhookNotice[],
    isOdd: (resource: Resource) => boolean,
  ) =>
  (event: EventOf<Resource>): readonly WebhookNotice[] | null => {
    const told = notices(event);
    return told.length === 0 && isOdd(event.resource) ? null : told;
  };

const isUnknown = ({ kind }: Outcome): boolean => kind === 'unknown';

const readsAuthorization = reads(
  paymentResource,
  unlessOdd(authorizationNotices, (made) => isUnknown(authorizationOutcome(made, made.id))),
  payeeOf,
);
const readsCapture = reads(
  paymentResource,
  unlessOdd(captureNotices, (made) => isUnknown(captureOutcome(made))),
  payeeOf,
);
const readsRefund = reads(
  paymentResource,
  unlessOdd(refundNotices, (made) => isUnknown(refundOutcome(made))),
  payeeOf,
);
const readsReversal = reads(
  paymentResource,
  unlessOdd(reversalNotices, ({ amount }) => moneyFromWire(amount) === null),
  payeeOf,
);
const readsDispute = reads(
  dispute,
  unlessOdd(disputeNotices, (disputed) => reportOf(disputed) === null),
  ({ disputed_transactions: disputed }) => disputed.map(({ seller }) => seller?.merchant_id),
);

/** The types of events that tell something new. */
const READERS: ReadonlyMap<string, Reader> = new Map([
  [
    'CHECKOUT.ORDER.APPROVED',
    reads(order, approvedNotices, ({ purchase_units: units }) =>
      units.map(({ payee }) => payee?.merchant_id),
    ),
  ],
  ['PAYMENT.AUTHORIZATION.CREATED', readsAuthorization],
  ['PAYMENT.AUTHORIZATION.PENDING', readsAuthorization],
  ['PAYMENT.AUTHORIZATION.DENIED', readsAuthorization],
  ['PAYMENT.AUTHORIZATION.VOIDED', readsAuthorization],
  ['PAYMENT.CAPTURE.COMPLETED', readsCapture],
  ['PAYMENT.CAPTURE.PENDING', readsCapture],
  ['PAYMENT.CAPTURE.DENIED', readsCapture],
  ['PAYMENT.CAPTURE.DECLINED', readsCapture],
  ['PAYMENT.CAPTURE.REVERSED', readsReversal],
  ['PAYMENT.CAPTURE.REFUNDED', readsRefund],
  ['PAYMENT.REFUND.PENDING', readsRefund],
  ['PAYMENT.REFUND.FAILED', readsRefund],
  ['VAULT.PAYMENT-TOKEN.CREATED', reads(storedToken, tokenNotices)],
  ['CUSTOMER.DISPUTE.CREATED', readsDispute],
  ['CUSTOMER.DISPUTE.UPDATED', readsDispute],
  ['CUSTOMER.DISPUTE.RESOLVED', readsDispute],
]);
