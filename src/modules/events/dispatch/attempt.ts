import type { App } from '../../../app.ts';
import { tracedAfter, tracedBetween } from '../../../platform/tracing/trace.ts';
import { resultOf } from '../delivery/attempt-result.ts';
import { postWebhook, type PostOutcome } from '../delivery/send-webhook.ts';
import { webhookBody } from '../delivery/webhook-body.ts';
import { nextAttemptAt, parseRetryAfter, probedAgainAt } from './schedule.ts';
import type { ClaimedDelivery } from './store/claim.sql.ts';
import type { SettledAttempt, Verdict } from './settled-attempt.ts';

/** The pause after a 429 without Retry-After. A 429 uses no attempt, so these pauses do not grow. */
const THROTTLED_MS = 60_000;

/**
 * Posts a delivery once with a new signature, and decides the next step. Stores nothing. Never rejects. The attempt is a part of
 * the trace of its event.
 */
export function attemptDelivery(app: App, delivery: ClaimedDelivery): Promise<SettledAttempt> {
  const { traceparent, merchantAccountId, endpointId, eventId, attempt, writtenAt, relayedAt } = delivery;
  const attributes = {
    'paygraph.merchant_account.id': merchantAccountId,
    'paygraph.webhook_endpoint.id': endpointId,
    'paygraph.event.id': eventId,
    'paygraph.attempt': attempt + 1,
  };
  return tracedAfter(traceparent, { name: 'webhook attempt', attributes }, async () => {
    if (attempt === 0) tracedBetween({ name: 'relay' }, writtenAt, relayedAt);
    return post(app, delivery);
  });
}

async function post(app: App, delivery: ClaimedDelivery): Promise<SettledAttempt> {
  const startedAt = app.clock.now();
  const body = webhookBody(delivery, delivery.bodyFormat);
  const outcome = await postWebhook(app, { ...delivery, id: delivery.eventId, ...body }, startedAt);
  const { merchantAccountId, endpointId, position, lease, attempt, probe } = delivery;
  return {
    id: app.ids.uuid(),
    ...{ merchantAccountId, endpointId, position, lease, attempt, probe, startedAt },
    ...resultOf(outcome),
    ...decide(app, delivery, outcome),
  };
}

type Decision = Pick<SettledAttempt, 'state' | 'nextAt' | 'verdict'>;

function decide(
  { clock, ids }: App,
  { windowStart, attempt, probe }: ClaimedDelivery,
  outcome: PostOutcome,
): Decision {
  const verdict = verdictOf(outcome);
  if (verdict === 'success') return { state: 'done', nextAt: null, verdict };
  const failedAt = clock.now();
  const requested =
    'reply' in outcome ? parseRetryAfter(outcome.reply.headers['retry-after'], failedAt) : null;
  const retryAfterMs = requested ?? (verdict === 'throttled' ? THROTTLED_MS : null);
  const chance = ids.random(4).readUInt32BE() / 0xffff_ffff;
  const nextAt = probe
    ? probedAgainAt({ windowStart, failedAt, retryAfterMs })
    : nextAttemptAt({ windowStart, failedAt, retry: attempt + 1, retryAfterMs, chance });
  return { state: nextAt ? 'pending' : 'expired', nextAt, verdict };
}

/** Returns the verdict of an outcome. A redirect is a failure: following it would let a receiver choose any address. */
function verdictOf(outcome: PostOutcome): Verdict {
  if ('failure' in outcome) return 'failure';
  const { status } = outcome.reply;
  if (status >= 200 && status < 300) return 'success';
  if (status === 429) return 'throttled';
  return status === 410 ? 'gone' : 'failure';
}
