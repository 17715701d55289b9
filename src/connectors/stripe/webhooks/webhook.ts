import { z } from 'zod';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { WebhookNotice, WebhookRefusal, WebhookRequest } from '../../webhook.ts';
import { paymentIntent, refund, setupIntent, storedMethod } from '../api/answers.ts';
import { dispute } from '../disputes/dispute-answers.ts';
import { disputeNotice } from '../disputes/dispute-report.ts';
import {
  authorizedNotices,
  canceledNotices,
  processingNotices,
  refundNotices,
  refusedNotices,
  setupNotices,
  succeededNotices,
} from './notices.ts';
import { methodDetachedNotices, methodUpdatedNotices } from './method-notices.ts';
import type { EventOf } from '../api/event.ts';
import { isSigned } from './signature.ts';
import { parseJson } from '../../../kernel/json.ts';

/**
 * Reads an event of Stripe. Events come in the version of the endpoint, so only fields are read that are the same since
 * 2022-11-15.
 *
 * - Events of other types give no notice, and neither do thin events.
 * - An event of another connected account gives no notice. One endpoint of a platform may get the events of all accounts.
 * - Authorisations and stored methods without our key give no notice: another system made them. Captures, releases and refunds
 *   do, because somebody may have made them for a payment of ours.
 */
export function readStripeWebhook(request: WebhookRequest): Result<readonly WebhookNotice[], WebhookRefusal> {
  if (!isSigned(request)) return refuse('bad_signature');
  const body = parseJson(request.rawBody);
  if (thinEvent.safeParse(body).success) return ok([]);
  const given = eventSchema.safeParse(body).data;
  if (!given) return refuse('unreadable');
  const reader = READERS[given.type];
  if (!reader || isOfAnother(given, request)) return ok([]);
  const notices = reader(given);
  return notices === null ? refuse('unreadable') : ok(notices);
}

/** An event that names its object alone. None of them is about a payment of ours. */
const thinEvent = z.object({ object: z.literal('v2.core.event') });

/** True for an event of another connected account. An event of the endpoint's own account names none. */
const isOfAnother = ({ account }: Event, { credentials }: WebhookRequest): boolean =>
  account != null && account !== credentials['stripe_account'];

const eventSchema = z.object({
  id: z.string().min(1).max(255),
  object: z.literal('event'),
  type: z.string().max(255),
  account: z.string().max(255).nullish(),
  created: z.int().min(0),
  data: z.object({
    object: z.object({ object: z.string() }).loose(),
    previous_attributes: z.record(z.string(), z.unknown()).nullish().catch(null),
  }),
});

type Event = z.output<typeof eventSchema>;

/** Reads the notices of an event. Null if the object of the event is not readable. */
type Reader = (event: Event) => readonly WebhookNotice[] | null;

/** Reads an event whose object has this schema. */
const reads =
  <Subject>(
    schema: z.ZodType<Subject>,
    notices: (event: EventOf<Subject>) => readonly WebhookNotice[],
  ): Reader =>
  (event) => {
    const object = schema.safeParse(event.data.object);
    if (!object.success) return null;
    const { id, created, data } = event;
    return notices({
      id,
      occurredAt: new Date(created * 1_000),
      object: object.data,
      previous: data.previous_attributes ?? null,
      previousStatus: data.previous_attributes?.['status'] ?? null,
    });
  };

const readsRefund = reads(refund, refundNotices);
const readsDispute = reads(dispute, disputeNotice);
const readsUpdatedMethod = reads(storedMethod, methodUpdatedNotices);

/** The types of events that tell something new. `charge.refunded` and `charge.captured` do not say which operation. */
const READERS: Readonly<Record<string, Reader | undefined>> = {
  'payment_intent.amount_capturable_updated': reads(paymentIntent, authorizedNotices),
  'payment_intent.succeeded': reads(paymentIntent, succeededNotices),
  'payment_intent.payment_failed': reads(paymentIntent, refusedNotices),
  // A page for the buyer is in no event, so `payment_intent.requires_action` is left to look-ups.
  'payment_intent.processing': reads(paymentIntent, processingNotices),
  'payment_intent.canceled': reads(paymentIntent, canceledNotices),
  'setup_intent.succeeded': reads(setupIntent, setupNotices),
  'setup_intent.setup_failed': reads(setupIntent, setupNotices),
  'refund.created': readsRefund,
  'refund.updated': readsRefund,
  'refund.failed': readsRefund,
  'charge.refund.updated': readsRefund,
  // The network told Stripe of a new card, or somebody changed the method at Stripe.
  'payment_method.automatically_updated': readsUpdatedMethod,
  'payment_method.updated': readsUpdatedMethod,
  'payment_method.detached': reads(storedMethod, methodDetachedNotices),
  'charge.dispute.created': readsDispute,
  'charge.dispute.updated': readsDispute,
  'charge.dispute.closed': readsDispute,
  'charge.dispute.funds_withdrawn': readsDispute,
  'charge.dispute.funds_reinstated': readsDispute,
};
