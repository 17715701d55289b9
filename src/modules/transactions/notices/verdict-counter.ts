import { Counter } from 'prom-client';
import type { App } from '../../../app.ts';
import type { WebhookRefusal } from '../../../connectors/notices/webhook.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Result } from '../../../kernel/result.ts';

const counterOf: (db: Db) => Counter<'provider' | 'verdict'> = oncePer(
  () =>
    new Counter({
      name: 'paygraph_inbound_webhooks_total',
      help: 'Webhooks that providers sent to this process, by provider and verdict.',
      labelNames: ['provider', 'verdict'],
      registers: [],
    }),
);

/** The verdict on a webhook that was taken. */
export type News = 'stored' | 'look_up' | 'nothing_new';

type Refusal = WebhookRefusal | 'unavailable';

/**
 * Counts the verdict on a webhook of a provider, which is the id of a connector. The verdict is one of these:
 *
 * - `stored`: the webhook brought something new
 * - `look_up`: the webhook named a payment of the payment service to look up, and brought nothing else
 * - `nothing_new`: the webhook was a repeat, or nothing in it was readable
 * - `not_stored`: storing it failed
 * - the refusal
 */
export async function countVerdict<Received, Refused extends Refusal>(
  { db }: Pick<App, 'db'>,
  provider: string,
  receiving: Promise<Result<Received, Refused>>,
  newsOf: (received: Received) => News,
): Promise<Result<Received, Refused>> {
  const received = await receiving.catch((fault: unknown) => {
    counterOf(db).inc({ provider, verdict: 'not_stored' });
    throw fault;
  });
  counterOf(db).inc({
    provider,
    verdict: received.ok ? newsOf(received.value) : received.refusals[0],
  });
  return received;
}

/** Returns the counter of the webhooks that providers sent to this process. */
export const verdictCounter = ({ db }: Pick<App, 'db'>): Counter => counterOf(db);
