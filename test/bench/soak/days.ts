import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, type Service } from '../../../src/main.ts';
import { KEY_DAYS } from '../../../src/modules/idempotency/index.ts';
import { systemClock, type Clock } from '../../../src/platform/clock.ts';
import { collectAll } from '../../../src/platform/process/collect-garbage.ts';
import { parseConfig } from '../../../src/platform/process/config.ts';
import { query } from '../../support/database.ts';
import { authorization, DOCUMENTS, payloadOf } from '../../support/payments.ts';
import type { BenchOptions } from '../benches.ts';
import { startChild } from '../child.ts';
import type { BenchSettings } from '../database.ts';
import { whenDelivered, whenNone } from '../events-log.ts';
import { heldMb } from '../memory.ts';
import { inSoak } from './kept.ts';
import { sizesOf, type Sizes } from './sizes.ts';

/** Events go after so many days. The service allows no fewer. */
export const RETENTION_DAYS = 8;
const DAY_MS = 86_400_000;

/** Events of a partition. They go together. */
export const PARTITION = 1_000;

/** The longest pause of a background loop. A day passes here in seconds. */
const PAUSE_MS = 100;

const AT_ONCE = 8;

/** Without `--slice`, twice as many days as idempotency keys live. */
const DAYS = 2 * KEY_DAYS;

const extentOf = ({ quick, slice }: BenchOptions) =>
  quick ? { days: 10, payments: 20 } : { days: slice?.count ?? DAYS, payments: 200 };

/** The measurements at the end of a day. */
type Day = { readonly day: number; readonly memoryMb: number; readonly sizes: Sizes };

/** The days of one process. */
export type DaysPart = { readonly days: readonly Day[] };

type DayClock = Clock & { passDay(): void };

/** A clock that goes on by days. Background loops pause for a moment only. */
function createDayClock(daysBefore: number): DayClock {
  let offset = daysBefore * DAY_MS;
  return {
    now: () => new Date(Date.now() + offset),
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, PAUSE_MS), signal),
    passDay: () => void (offset += DAY_MS),
  };
}

/**
 * Lets a service live for days of its own clock. Each day has the same number of payments, and a webhook for each event. At the end
 * of each day all expired rows are gone, and Postgres has cleaned up. Returns all slices so far.
 */
export const soakForDays = (options: BenchOptions): Promise<readonly DaysPart[]> =>
  inSoak<DaysPart, readonly DaysPart[]>('days', options, async ({ settings, earlier, keep }) => {
    const folder = await mkdtemp(join(tmpdir(), 'paygraph-soak-'));
    const daysBefore = earlier.reduce((sum, { days }) => sum + days.length, 0);
    const clock = createDayClock(daysBefore);
    const service = await startService(configOf(settings, folder), { overrides: { clock } });
    const receiver = startChild('webhook-receiver.ts');
    const url = settings.DATABASE_URL;
    try {
      await createEndpoint(service, `${await receiver.ask<string>('open')}/webhooks`);
      const days: Day[] = [];
      for (const extent = extentOf(options); days.length < extent.days;) {
        await payFor(service, extent.payments);
        await whenDelivered(url, CLEAN_MS);
        await receiver.ask('reset');
        clock.passDay();
        await whenClean(url, clock);
        const day = daysBefore + days.length + 1;
        // A process with much free memory keeps its garbage for days. Garbage is no growth.
        collectAll();
        days.push({ day, memoryMb: (await heldMb(process.pid)) ?? NaN, sizes: await sizesOf(url) });
        await keep({ days });
        options.progress(`day ${day}`);
      }
      return [...earlier, { days }];
    } finally {
      await service.stop();
      await receiver.end();
      await rm(folder, { recursive: true, force: true });
    }
  });

const configOf = (base: BenchSettings, folder: string) =>
  parseConfig({
    ...base,
    PORT: '0',
    PAYGRAPH_DATA_DIR: folder,
    PAYGRAPH_EVENT_RETENTION_DAYS: String(RETENTION_DAYS),
    PAYGRAPH_LOG_PARTITION: String(PARTITION),
    PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '0',
  });

/** A busy machine may lack a connection for some seconds. A client then sends the same mutation again, under the same key. */
const TRIES = 10;
const RETRY_MS = 1_000;

async function ask(service: Service, document: string, variables: object): Promise<string> {
  const token = await service.sandbox?.token();
  for (let tried = 1; ; tried += 1) {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: document, variables }),
    });
    const text = await response.text();
    if (response.ok) return text;
    if (response.status !== 503 || tried === TRIES) throw new Error(text);
    await delay(RETRY_MS);
  }
}

/** Leaves one endpoint. The receivers of earlier slices are gone, and retries to them would hold a day back. */
async function createEndpoint(service: Service, url: string): Promise<void> {
  const listed = await ask(service, '{ webhookEndpoints(first: 100) { nodes { id } } }', {});
  for (const [, id] of listed.matchAll(/"id":"([^"]+)"/g))
    await ask(service, 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { userErrors { message } } }', {
      id,
    });
  const answer = await ask(
    service,
    'mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { webhookEndpoint { id } userErrors { message } } }',
    { url },
  );
  if (!answer.includes('"userErrors":[]')) throw new Error(answer);
}

/** Authorises and captures so many payments. */
async function payFor(service: Service, payments: number): Promise<void> {
  const { variables } = authorization(1_299, null);
  let left = payments;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const made = payloadOf(
        await ask(service, DOCUMENTS.authorize, { ...variables, key: crypto.randomUUID() }),
      );
      const capture = { id: made?.transaction?.id, input: {}, key: crypto.randomUUID() };
      const captured = payloadOf(await ask(service, DOCUMENTS.capture, capture));
      if (captured?.transaction?.status !== 'CAPTURE_SUCCEEDED') throw new Error(JSON.stringify(captured));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/**
 * Waits until the expired keys and events are gone. A last partition keeps some older events. Rows that stay too long hold no day
 * back: the judgement then names their table.
 */
async function whenClean(url: string, clock: Clock): Promise<void> {
  const at = `timestamptz '${clock.now().toISOString()}'`;
  await whenNone(
    url,
    `SELECT count(*)::int AS left FROM idempotency_key WHERE expires_at < ${at} - interval '1 h'`,
    CLEAN_MS,
  );
  await whenNone(
    url,
    `SELECT count(*)::int AS left FROM feed_entry WHERE created_at < ${at} - interval '${RETENTION_DAYS} d 1 h'`,
    CLEAN_MS,
  );
  await query(url, 'VACUUM ANALYZE');
}

/** The longest wait for the webhooks and the retention of a day. Each takes seconds. */
const CLEAN_MS = 120_000;
