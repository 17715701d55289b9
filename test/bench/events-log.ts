import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { envelopeText, eventExpressions } from '../../src/modules/event-log/index.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { query } from '../support/database.ts';
import { COUNT_WAITING } from '../support/waiting-events.ts';

/** Bytes of a webhook's body. */
export const BODY_BYTES = 1_024;

/** Creates merchant accounts, and the table that stands for their business. */
export async function prepareLog(url: string, count: number): Promise<readonly string[]> {
  const accounts = Array.from({ length: count }, (_, index) => `bench-${index + 1}`);
  await query(
    url,
    `INSERT INTO merchant_account (id, display_name, created_at, updated_at) SELECT id, id, now(), now() FROM unnest($1::text[]) id`,
    [accounts],
  );
  await query(
    url,
    'CREATE TABLE bench_change (id uuid PRIMARY KEY, merchant_account_id text NOT NULL, amount int NOT NULL)',
  );
  return accounts;
}

/** A statement for the driver. */
export type BareStatement = { readonly name: string; readonly text: string; readonly values: unknown[] };

const CHANGE = 'INSERT INTO bench_change (id, merchant_account_id, amount) VALUES ($1, $2, 1299)';

/** Builds a business change without an event. */
export const change = (account: string): BareStatement => ({
  name: 'bench_change',
  text: CHANGE,
  values: [systemIds.uuid(), account],
});

const TOLD = `
  WITH changed AS (${CHANGE} RETURNING id, merchant_account_id),
  told AS (
    SELECT merchant_account_id, $3::uuid AS event_id, 'transaction.captured' AS event_name,
           'transaction' AS target_type, id::text AS target_id, $4::text AS payload, $5::timestamptz AS created_at
    FROM changed),
  ${eventExpressions('told', 'event', 'NULL')}
  SELECT`;

/**
 * Builds the same change with its event, as operations write it: in one statement with the module's own expressions.
 */
export function changeWithEvent(account: string): { readonly id: string; readonly statement: BareStatement } {
  const id = systemIds.uuid();
  const createdAt = new Date();
  const target = systemIds.uuid();
  const values = [target, account, id, bodyOf({ id, account, target, createdAt }), createdAt];
  return { id, statement: { name: 'bench_change_told', text: TOLD, values } };
}

/** Commits so many events of each account, in turn. */
export async function writeEvents(url: string, accounts: readonly string[], each: number): Promise<void> {
  const [account = ''] = accounts;
  const payload = bodyOf({ id: randomUUID(), account, target: randomUUID(), createdAt: new Date() });
  await query(
    url,
    `WITH told AS (
       SELECT account AS merchant_account_id, gen_random_uuid() AS event_id, 'transaction.captured' AS event_name,
              'transaction' AS target_type, gen_random_uuid()::text AS target_id, $3::text AS payload, now() AS created_at
       FROM generate_series(1, $2::int) nth CROSS JOIN unnest($1::text[]) account ORDER BY nth),
     ${eventExpressions('told', 'event', 'NULL')}
     SELECT`,
    [accounts, each, payload],
  );
}

type Notified = {
  readonly id: string;
  readonly account: string;
  readonly target: string;
  readonly createdAt: Date;
};

/** Builds an envelope that reaches the size of a webhook's body together with the sequence. */
function bodyOf({ id, account, target, createdAt }: Notified): string {
  const text = (note: string): string =>
    envelopeText({
      merchantAccountId: account,
      id,
      name: 'transaction.captured',
      createdAt,
      production: false,
      target: { type: 'transaction', id: target, note },
    });
  return text('x'.repeat(BODY_BYTES - text('').length - '"sequence":10000,'.length));
}

/** Waits until the relay has moved every event to the feed. */
export async function whenRelayed(url: string): Promise<void> {
  await whenNone(url, `SELECT waiting AS left FROM (${COUNT_WAITING}) w`);
}

/** Waits until every delivery exists and its attempt is stored, or until the time in milliseconds is over. */
export async function whenDelivered(url: string, withinMs = Infinity): Promise<void> {
  await whenNone(
    url,
    `SELECT count(*)::int AS left FROM delivery WHERE state IN ('pending', 'leased')`,
    withinMs,
  );
}

/** Asks a statement every 20 ms until its `left` is zero, or until the time in milliseconds is over. */
export async function whenNone(url: string, statement: string, withinMs = Infinity): Promise<void> {
  const until = performance.now() + withinMs;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    while ((await client.query<{ left: number }>(statement)).rows[0]?.left !== 0 && performance.now() < until)
      await delay(20);
  } finally {
    await client.end();
  }
}

/** Opens connections of the bare driver. */
export async function openClients(url: string, count: number): Promise<readonly pg.Client[]> {
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: url }));
  // The end of a connection also fails its running statement.
  clients.forEach((client) => client.on('error', () => undefined));
  await Promise.all(clients.map((client) => client.connect()));
  return clients;
}
