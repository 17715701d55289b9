import { createHmac } from 'node:crypto';
import { SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';
import { applyDueWebhooks } from '../../src/modules/transactions/index.ts';
import { untilFound as until } from '../support/until.ts';
import type { Harness } from './harness.ts';

export { until };

/** The body of a webhook from the sandbox's provider. */
export type Reported = Readonly<Record<string, unknown>>;

/** The webhook address of a payment service, as the provider sees it. */
export type Inbox = {
  readonly url: string;
  /** Posts a webhook, signed when there is a secret. Returns the status. */
  tell(reported: Reported, secret?: string): Promise<number>;
  post(body: NonNullable<RequestInit['body']>, headers?: Readonly<Record<string, string>>): Promise<Response>;
};

/** Returns the webhook address of the named payment service, by default of the newest. */
export async function inboxOf(harness: Harness, serviceId?: string): Promise<Inbox> {
  const { paymentServices } = await harness.ask<{
    paymentServices: { nodes: readonly { id: string; webhookUrl: string }[] };
  }>('{ paymentServices(first: 100) { nodes { id webhookUrl } } }');
  const url = paymentServices.nodes.find(({ id }) => !serviceId || id === serviceId)?.webhookUrl ?? '';
  return inboxAt(url);
}

/** Returns the same for a known address. */
export function inboxAt(url: string): Inbox {
  const post: Inbox['post'] = (body, headers = {}) => fetch(url, { method: 'POST', body, headers });
  return {
    url,
    post,
    tell: async (reported, secret) => {
      const body = JSON.stringify(reported);
      const signature = secret && createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'content-type': 'application/json' };
      const response = await post(body, {
        ...headers,
        ...(signature && { [SIGNATURE_HEADER]: `sha256=${signature}` }),
      });
      await response.arrayBuffer();
      return response.status;
    },
  };
}

export type InboundRow = {
  readonly id: string;
  readonly state: string;
  readonly transactionId: string | null;
  readonly nextAttemptAt: Date | null;
};

/** Reads the stored webhooks, oldest first. */
export const inboundRows = (harness: Harness): Promise<readonly InboundRow[]> =>
  harness.server.app.db.prisma.inboundWebhook.findMany({
    orderBy: { id: 'asc' },
    select: { id: true, state: true, transactionId: true, nextAttemptAt: true },
  });

/** Waits until so many webhooks have ended. Returns the state of the last stored webhook. */
export async function ended(harness: Harness, count: number): Promise<string> {
  const rows = await until(async () => {
    const all = await inboundRows(harness);
    return all.filter(({ state }) => state !== 'parked').length >= count ? all : null;
  });
  return rows.at(-1)?.state ?? '';
}

/** Waits until the last stored webhook is postponed, because its match found nothing. */
export async function putOff(harness: Harness): Promise<void> {
  await until(async () => {
    const last = (await inboundRows(harness)).at(-1);
    // The storing process owns a webhook for ten seconds. A webhook postponed for the first time is due within two.
    const dueMs = (last?.nextAttemptAt?.getTime() ?? Infinity) - harness.clock.now().getTime();
    return last?.state === 'parked' && dueMs < 2_000 ? true : null;
  });
}

/**
 * Waits for the webhooks under way, advances the clock, then applies the due webhooks. A webhook that is applied twice
 * at once would be read before its end.
 */
export async function applyAfter(harness: Harness, ms: number): Promise<void> {
  await harness.server.http.webhooksApplied();
  await harness.pass(ms);
  while (await applyDueWebhooks(harness.server.app));
}
