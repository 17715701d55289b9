import type { z } from 'zod';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { WebhookNotice, WebhookRefusal, WebhookRequest, Webhooks } from '../../webhook.ts';
import { dispute } from '../disputes/dispute-answers.ts';
import { timeOf } from '../disputes/dispute-report.ts';
import type { EventOf } from '../event.ts';
import { eventSchema, order, paymentResource, storedToken, type PaymentResource } from './event.ts';
import { disputeNotices } from '../disputes/dispute-notice.ts';
import { approvedNotices, authorizationNotices, tokenNotices } from './authorization-notices.ts';
import { captureNotices, refundNotices, reversalNotices } from './money-notices.ts';
import { certificateOf, refusalOfSignature, type PayPalSignings } from './signature.ts';
import { parseJson } from '../../../kernel/json.ts';

/** The webhooks of PayPal, signed with a certificate that PayPal publishes. */
export const webhooksOf = (signings: PayPalSignings): Webhooks => ({
  material: (request) => certificateOf(request, signings),
  verifyAndRead: (request) => readPayPalWebhook(request, signings),
});

/**
 * Reads an event of PayPal.
 *
 * - Events of other types give no notice.
 * - An event that names another merchant than the payment service gives no notice. An app of a platform gets the events of all
 *   its merchants.
 */
function readPayPalWebhook(
  request: WebhookRequest,
  signings: PayPalSignings,
): Result<readonly WebhookNotice[], WebhookRefusal> {
  const refusal = refusalOfSignature(request, signings);
  if (refusal !== null) return refuse(refusal);
  const given = eventSchema.safeParse(parseJson(request.rawBody)).data;
  if (!given) return refuse('unreadable');
  const reader = READERS.get(given.event_type);
  if (!reader) return ok([]);
  const notices = reader(given, request.credentials['merchant_id'] ?? '');
  return notices === null ? refuse('unreadable') : ok(notices);
}

type Event = z.output<typeof eventSchema>;

/** Reads the notices of an event for a merchant. Null if the resource of the event is not readable. */
type Reader = (event: Event, merchantId: string) => readonly WebhookNotice[] | null;

/** Reads an event whose resource has this schema. */
const reads =
  <Resource>(
    schema: z.ZodType<Resource>,
    notices: (event: EventOf<Resource>) => readonly WebhookNotice[],
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

const readsAuthorization = reads(paymentResource, authorizationNotices, payeeOf);
const readsCapture = reads(paymentResource, captureNotices, payeeOf);
const readsRefund = reads(paymentResource, refundNotices, payeeOf);
const readsDispute = reads(dispute, disputeNotices, ({ disputed_transactions: disputed }) =>
  disputed.map(({ seller }) => seller?.merchant_id),
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
  ['PAYMENT.CAPTURE.REVERSED', reads(paymentResource, reversalNotices, payeeOf)],
  ['PAYMENT.CAPTURE.REFUNDED', readsRefund],
  ['PAYMENT.REFUND.PENDING', readsRefund],
  ['PAYMENT.REFUND.FAILED', readsRefund],
  ['VAULT.PAYMENT-TOKEN.CREATED', reads(storedToken, tokenNotices)],
  ['CUSTOMER.DISPUTE.CREATED', readsDispute],
  ['CUSTOMER.DISPUTE.UPDATED', readsDispute],
  ['CUSTOMER.DISPUTE.RESOLVED', readsDispute],
]);
