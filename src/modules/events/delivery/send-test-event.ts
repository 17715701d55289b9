import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { envelopeText } from '../../event-log/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { resultOf } from './attempt-result.ts';
import { webhookBody } from './webhook-body.ts';
import { postWebhook } from './send-webhook.ts';
import { findSealedEndpoint } from '../endpoints/secrets.sql.ts';

/** The request for a test event. */
export type SendTestEvent = {
  readonly id: string;
  /** The default is `webhook-endpoint.test`. */
  readonly name?: string | null | undefined;
};

/** The result of a test event. */
export type TestAttempt = {
  /** The event's id, as in the header `webhook-id`. */
  readonly webhookId: string;
  readonly durationMs: number;
  /** Null without a reply. */
  readonly statusCode: number | null;
  /** The reason for a missing reply, for example `timeout`. */
  readonly error: string | null;
  readonly replyStart: string | null;
};

const NAME_LENGTH_MAX = 100;

const eventName = z
  .string()
  .max(NAME_LENGTH_MAX, `Must be at most ${NAME_LENGTH_MAX} characters.`)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'Must be an event name such as transaction.captured.');

/**
 * Posts a test event to an endpoint at once, in every state of the endpoint, as a delivery is posted. Takes up to 5 s.
 *
 * Stores nothing. The event is in no feed and has no sequence. It is never retried and does not change the endpoint's
 * health.
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
  const body = webhookBody({ payload: envelopeText(event), sequence: null }, endpoint.bodyFormat);
  const webhook = { merchantAccountId, ...endpoint, id: event.id, ...body };
  const { durationMs, statusCode, error, replyStart } = resultOf(await postWebhook(app, webhook, now));
  return ok({ webhookId: event.id, durationMs, statusCode, error, replyStart });
}
