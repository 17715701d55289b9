import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Service } from '../../../src/main.ts';
import { systemClock, type Clock } from '../../../src/platform/clock.ts';
import { parseConfig } from '../../../src/platform/process/config.ts';
import { query } from '../../support/database.ts';
import { authorization, DOCUMENTS, payloadOf } from '../../support/payments.ts';
import type { BenchOptions } from '../benches.ts';
import { startChild } from '../child.ts';
import { inDatabase, type BenchSettings } from '../database.ts';
import { whenDelivered, whenNone } from '../events-log.ts';
import { heldMb } from '../memory.ts';
import { table } from '../results.ts';
import { paymentsOf, sizesOf } from './sizes.ts';

/** Events go after so many days. The service allows no fewer. */
const RETENTION_DAYS = 8;
const DAY_MS = 86_400_000;

/** The longest pause of a background loop. A day passes here in seconds. */
const PAUSE_MS = 100;

const AT_ONCE = 8;

export const daysExtent = ({ quick }: BenchOptions) =>
  quick ? { days: 10, payments: 20, every: 2 } : { days: 60, payments: 200, every: 6 };

type DayClock = Clock & { passDay(): void };

/** A clock that goes on by days. Background loops pause for a moment only. */
function createDayClock(): DayClock {
  let offset = 0;
  return {
    now: () => new Date(Date.now() + offset),
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, PAUSE_MS), signal),
    passDay: () => void (offset += DAY_MS),
  };
}

/**
 * Lets a service live for 60 days of its own clock, since idempotency keys live for 30. Each day has the same number of payments, and a
 * webhook for each event. At the end of each day all expired rows are gone, and Postgres has cleaned up.
 */
export const measureDays = (options: BenchOptions): Promise<string> =>
  inDatabase('disk', async (base) => {
    const folder = await mkdtemp(join(tmpdir(), 'paygraph-soak-'));
    const clock = createDayClock();
    const service = await startService(configOf(base, folder), { overrides: { clock } });
    const receiver = startChild('webhook-receiver.ts');
    try {
      await createEndpoint(service, `${await receiver.ask<string>('open')}/webhooks`);
      const rows: string[][] = [];
      const { days, every } = daysExtent(options);
      for (let day = 1; day <= days; day += 1) {
        await payFor(service, daysExtent(options).payments);
        await whenDelivered(base.DATABASE_URL);
        await receiver.ask('reset');
        clock.passDay();
        await whenClean(base.DATABASE_URL, clock);
        options.progress(`day ${day}`);
        if (day % every === 0) rows.push([String(day), ...(await describeDay(base.DATABASE_URL))]);
      }
      return describeDays(options, rows);
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
    PAYGRAPH_LOG_PARTITION: '1000',
    PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '0',
  });

async function ask(service: Service, document: string, variables: object): Promise<string> {
  const token = await service.sandbox?.token();
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: document, variables }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

async function createEndpoint(service: Service, url: string): Promise<void> {
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

/** Waits until the expired keys and events are gone. A last partition keeps some older events. */
async function whenClean(url: string, clock: Clock): Promise<void> {
  const at = `timestamptz '${clock.now().toISOString()}'`;
  await whenNone(
    url,
    `SELECT count(*)::int AS left FROM idempotency_key WHERE expires_at < ${at} - interval '1 h'`,
  );
  await whenNone(
    url,
    `SELECT count(*)::int AS left FROM feed_entry WHERE created_at < ${at} - interval '${RETENTION_DAYS} d 1 h'`,
  );
  await query(url, 'VACUUM ANALYZE');
}

async function describeDay(url: string): Promise<string[]> {
  const [sizes, payments] = [await sizesOf(url), await paymentsOf(url)];
  const [row] = await query<{ events: number; keys: number }>(
    url,
    'SELECT (SELECT count(*) FROM event)::int AS events, (SELECT count(*) FROM idempotency_key)::int AS keys',
  );
  return [
    String(payments),
    String(row?.events),
    String(row?.keys),
    (sizes.passing / 1e6).toFixed(2),
    (sizes.lasting / 1e3 / payments).toFixed(2),
    ((await heldMb(process.pid)) ?? NaN).toFixed(0),
  ];
}

const describeDays = (options: BenchOptions, rows: readonly string[][]): string =>
  [
    `**${daysExtent(options).days} days of the service's clock.** Each day has ${daysExtent(options).payments} payments that are authorised ` +
      `and captured, with a webhook for each event. Events are kept for ${RETENTION_DAYS} days, and idempotency keys for 30.`,
    table([
      [
        'day',
        'payments',
        'events',
        'keys',
        'MB of rows that go',
        'kB a payment of rows that stay',
        'memory in MB',
      ],
      ...rows,
    ]),
  ].join('\n\n');
