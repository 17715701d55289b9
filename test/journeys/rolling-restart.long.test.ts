import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startBalancer, type Balancer } from '../support/balancer.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { makeNextVersion, type NextVersion } from '../support/next-version.ts';
import { DOCUMENTS } from '../support/payments.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import { createService } from '../transactions/harness.ts';
import { followFeed } from './follow-feed.ts';

// Two processes behind a balancer are replaced one by one, with those of the next version, which migrates the database. Then the
// operator goes back to this version. Clients pay meanwhile, and a consumer follows the events.

const PAYMENTS_PER_SECOND = 10;
const REQUESTS_EACH = 2;
/** Authorised, capture succeeded, captured. */
const EVENTS_EACH = 3;
const AMOUNT = 1299;
const PROVIDER_MS = 300;

/** Keeps the requests at the provider, so that each stop meets requests under way. */
const gate = (() => {
  const waiting: (() => void)[] = [];
  let open = true;
  return {
    pass: (): Promise<void> =>
      open ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve)),
    waiting: (): number => waiting.length,
    close: (): void => void (open = false),
    open: (): void => {
      open = true;
      for (const goOn of waiting.splice(0)) goOn();
    },
  };
})();

let database: TestDatabase;
let provider: FakeProvider;
let balancer: Balancer;
let processes: ServerProcess[];
let nextVersion: NextVersion;
let service: string;
let token: string;

const MASTER_KEY = randomBytes(32).toString('base64');

/** Starts a process of the version in a folder. */
const start = (folder: string): Promise<ServerProcess> =>
  startProcess({ DATABASE_URL: database.url, PAYGRAPH_MASTER_KEY: MASTER_KEY }, folder);

const THIS_VERSION = '.';

beforeAll(async () => {
  [nextVersion, database, provider, balancer] = await Promise.all([
    makeNextVersion(),
    createTestDatabase(),
    startFakeProvider({ delayMs: () => PROVIDER_MS, mayWork: gate.pass }),
    startBalancer(),
  ]);
  processes = [await start(THIS_VERSION), await start(THIS_VERSION)];
  for (const { url } of processes) balancer.add(url);
  const [first] = processes;
  if (!first) throw new Error('No process has started');
  service = await createService(first, provider.url);
  ({ token } = first);
}, 60_000);
afterAll(async () => {
  await balancer.close();
  await Promise.all(processes.map((each) => each.stop()));
  await Promise.all([provider.close(), database.drop(), nextVersion.remove()]);
});

/** The answer of a request: what a client must know of it. */
type Answered = {
  readonly status: number;
  readonly id: string;
  readonly state: string;
  readonly replayed: boolean;
};

async function post(path: string, body: object, key: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${balancer.url}${path}`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', authorization: `Bearer ${token}` },
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    throw new Error(`${response.status}: ${text}`);
  }
}

/** Sends a mutation. Throws for an answer that is no clean success. */
async function mutate(verb: 'authorize' | 'capture', variables: object): Promise<Answered> {
  const answer = await post('/graphql', { query: DOCUMENTS[verb], variables }, randomUUID());
  const { data } = answer.body as {
    data?: {
      payload: {
        transaction: { id: string; status: string } | null;
        userErrors: unknown[];
        replayed: boolean;
      };
    };
  };
  const { transaction, userErrors = [], replayed = true } = data?.payload ?? {};
  if (!transaction || userErrors.length > 0) throw new Error(JSON.stringify(answer));
  return { status: answer.status, id: transaction.id, state: transaction.status, replayed };
}

/** Sends a request to a REST path. Throws for an answer that is no clean success. */
async function rest(path: string, sent: object): Promise<Answered> {
  const { status, body } = await post(path, sent, randomUUID());
  const { id, status: state } = body as { readonly id?: string; readonly status: string };
  if (status >= 300 || id === undefined) throw new Error(JSON.stringify({ status, body }));
  return { status, id, state, replayed: false };
}

const CARD = { number: '4111 1111 1111 1111', expirationDate: '12/40', securityCode: '100' };

/** Authorises and captures by GraphQL. */
async function payByGraph(): Promise<string> {
  const input = { amount: AMOUNT, currency: 'USD', paymentServiceId: service, paymentMethod: { card: CARD } };
  const { id, replayed } = await mutate('authorize', { input });
  const captured = await mutate('capture', { id, input: { amount: AMOUNT } });
  expect([replayed, captured]).toMatchObject([false, { state: 'CAPTURE_SUCCEEDED', replayed: false }]);
  return id;
}

/** Authorises and captures by the REST paths. */
async function payByRest(): Promise<string> {
  const { id } = await rest('/transactions', {
    ...{ amount: AMOUNT, currency: 'USD', country: 'US', payment_service_id: service },
    payment_method: { method: 'card', number: CARD.number, expiration_date: '12/40', security_code: '100' },
  });
  await rest(`/transactions/${id}/capture`, { amount: AMOUNT });
  return id;
}

/** True while no new payment begins. */
let isPaused = false;

/** Pays at a fixed rate until the work ends, whatever the answers. Returns the ids of all payments. */
async function payDuring(work: Promise<void>): Promise<readonly string[]> {
  const sent: Promise<string>[] = [];
  const over = new AbortController();
  void work.finally(() => over.abort());
  while (!over.signal.aborted) {
    if (isPaused) {
      await delay(10);
      continue;
    }
    const payment = sent.length % 2 === 0 ? payByGraph() : payByRest();
    // Each failure fails the test at the end.
    payment.catch(() => undefined);
    sent.push(payment);
    await delay(1_000 / PAYMENTS_PER_SECOND);
  }
  await work;
  return Promise.all(sent);
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

type Stops = { readonly codes: (number | null)[]; readonly underWay: number[] };

/**
 * Replaces each process by one of a version: starts this one, waits until it is ready, and stops the former. Both versions work
 * side by side meanwhile.
 */
async function replaceAll(version: string, { codes, underWay }: Stops): Promise<void> {
  for (const former of [...processes]) {
    const next = await start(version);
    // Without this, a balancer would have no process during the migrations.
    expect(await (await fetch(`${former.url}/ready`)).json()).toMatchObject({ checks: { migrations: 'ok' } });
    balancer.add(next.url);
    const everywhere = [...processes, next];
    gate.close();
    await until(() => balancer.underWay(former.url) > 0, 'a request under way');
    // Every request under way then comes to wait at the gate, so none ends before the stop.
    isPaused = true;
    const allWait = () => gate.waiting() === sumOf(everywhere.map(({ url }) => balancer.underWay(url)));
    await until(() => balancer.underWay(former.url) > 0 && allWait(), 'requests at the gate');
    await balancer.remove(former.url);
    underWay.push(balancer.underWay(former.url));
    const stopped = former.stop();
    gate.open();
    isPaused = false;
    codes.push((await stopped).code);
    processes = everywhere.filter((each) => each !== former);
  }
}

it('no request fails, none is done twice and no event is lost during an upgrade and the way back', async () => {
  const feed = followFeed({ url: balancer.url, token });
  const stops: Stops = { codes: [], underWay: [] };
  const upgradeAndBack = async (): Promise<void> => {
    for (const version of [nextVersion.folder, THIS_VERSION]) await replaceAll(version, stops);
  };

  const paid = await payDuring(upgradeAndBack());

  expect(stops.codes).toEqual([0, 0, 0, 0]);
  // The stops met requests.
  expect(Math.min(...stops.underWay)).toBeGreaterThan(0);
  expect(paid.length).toBeGreaterThan(PAYMENTS_PER_SECOND);
  expect(new Set(paid).size).toBe(paid.length);
  expect(provider.books.size).toBe(paid.length * REQUESTS_EACH);
  expect(provider.calls).toHaveLength(paid.length * REQUESTS_EACH);
  const rows = await query(database.url, "SELECT id FROM transaction WHERE status = 'capture_succeeded'");
  expect(rows).toHaveLength(paid.length);

  const total = paid.length * EVENTS_EACH;
  await until(() => feed.seen.length >= total, 'the events');
  feed.stop();
  expect(feed.breaks.length).toBeGreaterThan(0);
  expect(feed.seen.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: total }, (_, nth) => nth + 1),
  );
  for (const id of paid)
    expect(feed.seen.filter(({ payload }) => payload.includes(id))).toHaveLength(EVENTS_EACH);
}, 300_000);
