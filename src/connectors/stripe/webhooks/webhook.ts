import { z } from 'zod';
import {
  ok,
  refuse,
  parseJson,
  type Result,
  type Credentials,
  type PartReceiver,
  type UnreadReason,
  type WebhookNotice,
  type Webhooks,
} from '../../door.ts';
import { paymentIntent, refund, setupIntent, storedMethod } from '../api/answers.ts';
import { dispute } from '../disputes/dispute-answers.ts';
import { disputeNotice, reportOf } from '../disputes/dispute-report.ts';
import { refundOutcome } from '../payments/refund.ts';
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

/** The reader of Stripe's webhooks. Each has one event, and its signature covers the whole body. */
export const stripeWebhooks: Webhooks = {
  verify: (request) =>
    isSigned(request)
      ? ok({ parts: [String(request.rawBody)], unsigned: 0, isSigned: true })
      : refuse('bad_signature'),
  read: readStripeEvent,
};

/**
 * Reads an event of Stripe. Events come in the version of the endpoint, so only fields are read that are the same since
 * 2022-11-15.
 *
 * - Events of other types give no notice, and neither do thin events.
 * - An event of another connected account gives no notice. One endpoint of a platform may get the events of all accounts.
 * - Authorisations and stored methods without our key give no notice: another system made them. Captures, releases and refunds
 *   do, because somebody may have made them for a payment of ours.
 */
function readStripeEvent(
  part: string,
  { credentials }: PartReceiver,
): Result<readonly WebhookNotice[], UnreadReason> {
  const body = parseJson(part);
  if (thinEvent.safeParse(body).success) return ok([]);
  const given = eventSchema.safeParse(body).data;
  if (!given) return refuse('unreadable_body');
  if (isOfAnother(given, credentials)) return ok([]);
  const reader = READERS[given.type];
  if (!reader) return isNewKind(given.type) ? refuse('unknown_kind') : ok([]);
  const notices = reader(given);
  return notices === null ? refuse('unreadable_item') : ok(notices);
}

/** An event that names its object alone. None of them is about a payment of ours. */
const thinEvent = z.object({ object: z.literal('v2.core.event') });

/** True for an event of another connected account. An event of the endpoint's own account names none. */
const isOfAnother = ({ account }: Event, credentials: Credentials): boolean =>
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
    notices: (event: EventOf<Subject>) => readonly WebhookNotice[] | null,
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

/** Reads the notices of an event. Null for an event without a notice whose object has an unknown word or amount. */
const unlessOdd =
  <Subject>(
    notices: (event: EventOf<Subject>) => readonly WebhookNotice[],
    isOdd: (object: Subject) => boolean,
  ) =>
  (event: EventOf<Subject>): readonly WebhookNotice[] | null => {
    const told = notices(event);
    return told.length === 0 && isOdd(event.object) ? null : told;
  };

const readsRefund = reads(
  refund,
  unlessOdd(refundNotices, (made) => refundOutcome(made).kind === 'unknown'),
);
const readsDispute = reads(
  dispute,
  unlessOdd(disputeNotice, (disputed) => reportOf(disputed) === null),
);
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

/** True for a type of event about a payment that Stripe has added since. Nobody knows yet whether the event moves money. */
const isNewKind = (type: string): boolean => OF_PAYMENTS.test(type) && !OF_NO_CONCERN.has(type);

const OF_PAYMENTS = /^(payment_intent|setup_intent|charge|refund|payment_method)\./;

/** The types of events about payments that tell nothing new. Another event, a look-up or an answer tells the same. */
const OF_NO_CONCERN: ReadonlySet<string> = new Set([
  ...['payment_intent.created', 'payment_intent.requires_action', 'payment_intent.partially_funded'],
  ...['setup_intent.created', 'setup_intent.requires_action', 'setup_intent.canceled'],
  ...['charge.captured', 'charge.expired', 'charge.failed', 'charge.pending', 'charge.refunded'],
  ...[
    'charge.succeeded',
    'charge.updated',
    'payment_method.attached',
    'payment_method.card_automatically_updated',
  ],
]);
