import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from 'graphql-ws';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

type Seen = {
  readonly id: string;
  readonly sequence: number;
  readonly name: string;
  readonly payload: string;
  readonly cursor: string;
  readonly target: { readonly id: string };
};

/** The names of the processes at Postgres. */
type Name = 'left' | 'right';

const PAYMENTS_EACH = 8;
/** Authorised, capture succeeded, captured. */
const EVENTS_EACH = 3;

let database: TestDatabase;
let receiver: Receiver;
let secret: string;
let left: ServerProcess;
let right: ServerProcess;
const sockets: Client[] = [];

beforeAll(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
  [left, right] = await Promise.all([start('left'), start('right')]);
  secret = await createEndpoint(left);
}, 30_000);

afterAll(async () => {
  for (const socket of sockets) await socket.dispose();
  await Promise.all([left.stop(), right.stop()]);
  await Promise.all([receiver.close(), database.drop()]);
});

const MASTER_KEY = randomBytes(32).toString('base64');

/**
 * Starts a process as on a separate machine: a new data folder, the same database and master key. Postgres knows the
 * process by its name.
 */
const start = (name: Name): Promise<ServerProcess> => {
  const url = new URL(database.url);
  url.searchParams.set('application_name', name);
  return startProcess({ DATABASE_URL: url.href, PAYGRAPH_MASTER_KEY: MASTER_KEY });
};

describe('two processes on one database', () => {
  it('serve one feed: each event once and in order, on sockets of both and in signed webhooks', async () => {
    const followed = [follow(left), follow(right)];

    // Authorised in one process and captured in the other.
    const paid = await Promise.all([
      ...times(PAYMENTS_EACH, () => pay(left, right)),
      ...times(PAYMENTS_EACH, () => pay(right, left)),
    ]);

    const total = paid.length * EVENTS_EACH;
    await until(() => followed.every((seen) => seen.length >= total), 'the subscribers');
    const [first = [], second] = followed;
    expect(first.map(({ sequence }) => sequence)).toEqual(times(total, (index) => index + 1));
    expect(second).toEqual(first);
    for (const id of paid)
      expect(namesOf(first, id)).toEqual([
        'transaction.authorized',
        'capture.succeeded',
        'transaction.captured',
      ]);
    await until(() => receiver.received.length >= total, 'the webhooks');
    expect(verified().sort(bySequence)).toEqual(first.map(({ payload }) => payload));
  });

  it('continue when the process with the active relay is killed', async () => {
    const before = await sequenceOf(left);
    const delivered = receiver.received.length;
    const followed = { left: follow(left, before.cursor), right: follow(right, before.cursor) };
    const release = await holdFeed();
    const paid = await Promise.all([pay(left, left), pay(right, right)]);

    const killed = await relayHolder();
    await { left, right }[killed].kill();
    await release();

    const survivor = killed === 'left' ? right : left;
    const seen = followed[killed === 'left' ? 'right' : 'left'];
    paid.push(await pay(survivor, survivor));
    const total = paid.length * EVENTS_EACH;
    await until(() => seen.length >= total, 'the subscriber');
    expect(seen.map(({ sequence }) => sequence)).toEqual(
      times(total, (index) => before.sequence + index + 1),
    );
    for (const id of paid)
      expect(namesOf(seen, id)).toEqual([
        'transaction.authorized',
        'capture.succeeded',
        'transaction.captured',
      ]);
    // Followers of the killed process connect to the other one with the last cursor.
    const resumed = follow(survivor, followed[killed].at(-1)?.cursor ?? before.cursor);
    await until(() => followed[killed].length + resumed.length >= total, 'who connected again');
    expect([...followed[killed], ...resumed]).toEqual(seen);
    await until(() => receiver.received.length >= delivered + total, 'the webhooks');
    expect(verified().slice(delivered).sort(bySequence)).toEqual(seen.map(({ payload }) => payload));
  });
});

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function createEndpoint(server: ServerProcess): Promise<string> {
  const { body } = await server.graphql<{ createWebhookEndpoint: { secret: string } }>(
    'mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { secret userErrors { message } } }',
    { url: receiver.url },
  );
  return body.data?.createWebhookEndpoint.secret ?? '';
}

/** Authorises through one process and captures through the other. Returns the transaction's id. */
async function pay(authorizer: ServerProcess, capturer: ServerProcess): Promise<string> {
  const made = await authorizer.graphql<{ createTransaction: { transaction: { id: string } } }>(
    `mutation { createTransaction(input: { amount: 1299, currency: "USD",
      paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40" } } }) { transaction { id } } }`,
  );
  const id = made.body.data?.createTransaction.transaction.id ?? '';
  const captured = await capturer.graphql<{ captureTransaction: { capture: { status: string } | null } }>(
    'mutation ($id: ID!) { captureTransaction(id: $id) { capture { status } userErrors { message } } }',
    { id },
  );
  expect(captured.body.data?.captureTransaction.capture?.status).toBe('SUCCEEDED');
  return id;
}

const SUBSCRIPTION = `subscription ($after: String!) {
  events(after: $after) { id sequence name payload cursor target { id } } }`;

/** Subscribes from a cursor. The returned list grows. */
function follow(server: ServerProcess, after = 'BEGIN'): readonly Seen[] {
  const socket = server.socket();
  sockets.push(socket);
  const seen: Seen[] = [];
  socket.subscribe<{ events: Seen }>(
    { query: SUBSCRIPTION, variables: { after } },
    {
      next: ({ data }) => {
        if (data) seen.push(data.events);
      },
      // The socket of a killed process breaks.
      error: () => undefined,
      complete: () => undefined,
    },
  );
  return seen;
}

/** Lists the names of the events of one transaction and its capture, in order. */
const namesOf = (seen: readonly Seen[], transactionId: string): string[] =>
  seen.filter(({ payload }) => payload.includes(transactionId)).map(({ name }) => name);

/** Reads the end of the feed. */
async function sequenceOf(server: ServerProcess): Promise<Seen> {
  const { body } = await server.graphql<{ events: { nodes: Seen[] } }>(
    '{ events(first: 100) { nodes { sequence cursor } } }',
  );
  return body.data?.events.nodes.at(-1) as Seen;
}

/** Returns the bodies of all webhooks after a check of their signatures. Throws when a signature is wrong. */
function verified(): string[] {
  const webhook = new Webhook(secret);
  return receiver.received.map(({ headers, body }) => {
    const parsed = webhook.verify(body, headers as Record<string, string>) as { readonly id: string };
    expect(headers['webhook-id']).toBe(parsed.id);
    return body;
  });
}

const bySequence = (one: string, other: string): number => sequenceIn(one) - sequenceIn(other);
const sequenceIn = (body: string): number => (JSON.parse(body) as { readonly sequence: number }).sequence;

/** Stops the relay in the middle of a batch, until the returned function is called. */
async function holdFeed(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT sequence FROM feed_head FOR UPDATE');
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
}

/** Finds the process whose relay holds the lock and is moving a batch. */
async function relayHolder(): Promise<Name> {
  const holders = (): Promise<readonly { name: Name }[]> =>
    query(
      database.url,
      `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database()
         AND a.wait_event_type = 'Lock' AND a.query LIKE '%FROM log_cursor WHERE name = ''feed''%'`,
    );
  let found = await holders();
  await until(async () => (found = await holders()).length > 0, 'the relay');
  return (found[0] as { name: Name }).name;
}
