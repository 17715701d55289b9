import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { envelopeText } from '../../event-log/index.ts';
import { parseInput } from '../../../platform/validate.ts';
import { shownOf } from './attempt.ts';
import { postWebhook } from './send-webhook.ts';
import { findSealedEndpoint } from '../endpoints/secrets.sql.ts';

/** What is asked for. */
export type SendTestEvent = {
  readonly id: string;
  /** `webhook-endpoint.test` when left out. */
  readonly name?: string | null | undefined;
};

/** What came of a test event. */
export type TestAttempt = {
  /** The event's id, as the header `webhook-id` carried it. */
  readonly webhookId: string;
  readonly durationMs: number;
  /** Null when there was no reply. */
  readonly statusCode: number | null;
  /** Why there was no reply, for example `timeout`. */
  readonly error: string | null;
  readonly replyStart: string | null;
};

const NAME_LENGTH_MAX = 100;

const eventName = z
  .string()
  .max(NAME_LENGTH_MAX, `Must be at most ${NAME_LENGTH_MAX} characters.`)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'Must be an event name such as transaction.captured.');

/**
 * Posts one event about the endpoint itself to it, at once and whatever state it is in, as a delivery is posted. Stores
 * nothing: the event is in no feed and so has no sequence, is never retried, and says nothing about the endpoint's health.
 * Takes up to 5 s.
 */
export async function sendTestEvent(
  app: App,
  viewer: Viewer,
  { id, name }: SendTestEvent,
): Promise<Result<TestAttempt, InvalidInput | NotFound>> {
  const parsed = parseInput(eventName, name ?? 'webhook-endpoint.test', 'name');
  if (!parsed.ok) return parsed;
  const { merchantAccountId } = viewer;
  const now = app.clock.now();
  const endpoint = await findSealedEndpoint(app.db, merchantAccountId, id, now);
  if (!endpoint) return refuse(notFound('webhook endpoint'));
  const event = {
    merchantAccountId,
    id: app.ids.uuid(),
    name: parsed.value,
    createdAt: now,
    production: app.config.production,
    target: { type: 'webhook-endpoint', id: endpoint.endpointId },
  };
  const webhook = { merchantAccountId, ...endpoint, id: event.id, body: envelopeText(event) };
  const { durationMs, statusCode, error, replyStart } = shownOf(await postWebhook(app, webhook, now));
  return ok({ webhookId: event.id, durationMs, statusCode, error, replyStart });
}
