import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyDueWebhooks, reconcileDue, sweepDue } from '../../src/modules/transactions/index.ts';
import { paygraph, type Ended } from '../support/command.ts';
import type { TestDatabase } from '../support/database.ts';
import { dumpAndRestore } from '../support/dump.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { authorization, DOCUMENTS, type Order, type Payload } from '../support/payments.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { createService } from '../transactions/harness.ts';

// A backup is taken, and payments go on. The database is then restored to the backup, and payments are held back until
// it knows what the provider knows. The tests are the steps of an operator, in order.

const AMOUNT = 1000;
const HOUR_MS = 3_600_000;

let provider: FakeProvider;
let server: TestServer;
let backup: TestDatabase;
/** Two processes on the restored database. The second one shares nothing with the first but the database. */
let first: TestServer;
let second: TestServer;
let backupAt: string;
const clock = createShiftedClock();
const settings = {
  PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
  PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '6000',
};

/** A request of a client, which the client repeats after the restore. */
type Sent = Order & { readonly key: string };
/** The ids of the payments by their names in this story. */
const ids: Record<string, string> = {};
const requests: Sent[] = [];

async function send(at: TestServer, { verb, variables, key }: Sent): Promise<Payload> {
  const { body } = await at.graphql<{ payload: Payload }>(
    DOCUMENTS[verb],
    { ...variables, key },
    { token: await at.mint() },
  );
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.payload;
}

/** Sends a request before the restore, and remembers it. */
async function request(order: Order): Promise<Payload> {
  const sent = { ...order, key: randomUUID() };
  requests.push(sent);
  const payload = await send(server, sent);
  expect(payload.userErrors).toEqual([]);
  return payload;
}

async function authorize(name: string): Promise<void> {
  const service = ids['service'] ?? '';
  ids[name] = (await request(authorization(AMOUNT, service))).transaction?.id ?? '';
}

const act = (verb: 'capture' | 'refund', name: string, amount: number): Promise<Payload> =>
  request({ verb, variables: { id: ids[name], input: { amount } } });

const voidOf = (name: string): Promise<Payload> => request({ verb: 'void', variables: { id: ids[name] } });

const restored = (...args: readonly string[]): Promise<Ended> =>
  paygraph(['restored', ...args], { ...settings, DATABASE_URL: backup.url }).ended;

/** Runs the comparison and the applier of reports. A refund above its captures waits an hour for the report of a capture. */
async function compareAll(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    clock.advance(HOUR_MS / 2);
    await sweepDue(first.app);
    while (await applyDueWebhooks(first.app));
  }
}

beforeAll(async () => {
  provider = await startFakeProvider({ keepsPayments: true, now: () => clock.now() });
  server = await startTestServer({ settings, clock });
  ids['service'] = await createService(server, provider.url);
  for (const name of ['refunded', 'captured', 'voided', 'untouched', 'above']) await authorize(name);
  for (const name of ['refunded', 'untouched', 'above']) await act('capture', name, AMOUNT);
  provider.failNext('lose_answer');
  await authorize('undecided');

  backup = await dumpAndRestore(server.app.config.DATABASE_URL ?? '');
  backupAt = clock.now().toISOString();

  await act('refund', 'refunded', 400);
  await act('capture', 'captured', 700);
  await voidOf('voided');
  clock.advance(HOUR_MS);
  await reconcileDue(server.app);
  await act('capture', 'undecided', 600);
  await authorize('later');
  await act('capture', 'later', AMOUNT);
  await act('refund', 'later', 300);
  provider.hand.refund(await providerIdOf(server, 'above'), AMOUNT + 1);
  await server.stop();
  clock.advance(HOUR_MS);
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await provider.close();
});

const providerIdOf = async (at: TestServer, name: string): Promise<string> => {
  const found = await at.app.db.prisma.transaction.findFirstOrThrow({ where: { id: ids[name] ?? '' } });
  return found.paymentServiceTransactionId ?? '';
};

describe('after a restore, the operator', () => {
  it('holds payments back with a command, before any process starts', async () => {
    const { code, stdout } = await restored('--since', backupAt);

    expect([code, stdout]).toEqual([0, expect.stringContaining(`The backup is of ${backupAt}.`)]);
    expect(stdout).toContain('Provider of the test of default: 0 payments compared, 5 left.');
    expect(stdout).toContain('Operations without an outcome: 1.');
    first = await startTestServer({ settings, clock, database: backup });
    second = await startTestServer({ settings, clock, database: { ...backup, drop: async () => undefined } });
  });

  it('sees every payment refused in every process, and the provider is not called', async () => {
    const calls = provider.calls.length;
    const orders: readonly Order[] = [
      authorization(AMOUNT, ids['service'] ?? ''),
      { verb: 'capture', variables: { id: ids['captured'], input: { amount: 700 } } },
      { verb: 'refund', variables: { id: ids['refunded'], input: { amount: 400 } } },
      { verb: 'void', variables: { id: ids['voided'] } },
    ];

    const answers = await Promise.all(
      [first, second].flatMap((at) => orders.map((order) => send(at, { ...order, key: randomUUID() }))),
    );

    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ code }) => code))).toEqual(
      answers.map(() => 'PAYMENTS_HELD'),
    );
    expect(provider.calls).toHaveLength(calls);
  });

  it('sees a request from before the backup answered from its key', async () => {
    const [known] = requests;
    if (!known) throw new Error('Nothing was requested');

    expect(await send(second, known)).toMatchObject({ replayed: true, userErrors: [] });
  });

  it('cannot end the hold before the comparison', async () => {
    const { code, stderr } = await restored('--end');

    expect([code, stderr]).toEqual([1, expect.stringContaining('Payments are not compared yet.')]);
    expect(stderr).toContain('Operations have no outcome yet: 1.');
  });

  it('cannot end the hold for a payment that was undecided when its turn came', async () => {
    // The provider tells this payment in a form that nobody can read.
    provider.paymentBooks.set(await providerIdOf(first, 'untouched'), { result: 'found' } as never);
    await compareAll();
    await reconcileDue(first.app);

    const { code, stderr } = await restored('--end');

    expect([code, stderr]).toEqual([1, expect.stringContaining('Payments are not compared yet.')]);
    expect(stderr).not.toContain('Operations have no outcome yet');
  });

  it('lets the comparison book what the provider knows, and sees the rest as a difference', async () => {
    await compareAll();

    expect(await amounts('refunded', 'captured', 'voided', 'untouched', 'above', 'undecided')).toEqual([
      'capture_succeeded 1000 400',
      'capture_succeeded 700 0',
      'authorization_voided 0 0',
      'capture_succeeded 1000 0',
      'capture_succeeded 1000 1001',
      'capture_succeeded 600 0',
    ]);
    expect(await openDifferences()).toEqual([
      expect.objectContaining({ finding: 'REFUNDED_EXCEEDS_CAPTURED' }),
    ]);
    const { code, stderr } = await restored('--end');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Differences are open: 1.')]);
  });

  it('sees the payment that could not be compared, and asks again when the provider answers', async () => {
    for (const { id } of await openDifferences()) await adopt(id);

    const refused = await restored('--end', '--anyway');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('because their providers gave no answer: 1.'),
    ]);
    expect((await restored()).stdout).toContain(
      'Not compared: 1, because the answer of the provider is not readable. The next try is at',
    );
    provider.paymentBooks.clear();
    const { stdout } = await restored('--ask-again');
    expect(stdout).toContain('Not compared: 1,');
    await compareAll();
    expect((await restored()).stdout).not.toContain('Not compared');
  });

  it('ends the hold, and the audit log has both ends of it', async () => {
    const { code, stdout, stderr } = await restored('--end');

    expect([code, stderr, stdout]).toEqual([0, '', 'Payments are not held back.\n']);
    const entries = await first.app.db.prisma.auditEntry.findMany({
      where: { targetType: 'installation' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, actorKind, actorId }) => [action, actorKind, actorId])).toEqual([
      ['payments.held', 'command', 'restored'],
      ['payments.released', 'command', 'restored'],
    ]);
  });

  it('lets the clients repeat all requests, and nothing is done twice', async () => {
    const effects = new Map(provider.books);
    const known = new Map(Object.values(ids).map((id) => [id, id]));
    for (const sent of requests) {
      const { id = '' } = sent.variables as { readonly id?: string };
      const variables = { ...sent.variables, ...(id && { id: known.get(id) }) };
      const { transaction, userErrors } = await send(second, { ...sent, variables });
      expect(userErrors).toEqual([]);
      // The payment of after the backup has another id now.
      if (transaction && !known.has(transaction.id)) known.set(ids['later'] ?? '', transaction.id);
    }
    clock.advance(HOUR_MS);
    await reconcileDue(first.app);
    await compareAll();

    expect(provider.books).toEqual(effects);
    const ours = await ourBooks();
    expect(ours.size).toBe(7);
    expect(ours).toEqual(await theirBooks());
  });

  it('pays as before', async () => {
    const paid = await send(first, { ...authorization(AMOUNT, ids['service'] ?? ''), key: randomUUID() });

    expect(paid).toMatchObject({ transaction: { status: 'AUTHORIZATION_SUCCEEDED' }, userErrors: [] });
  });
});

async function amounts(...names: readonly string[]): Promise<readonly string[]> {
  const rows = await Promise.all(
    names.map((name) => first.app.db.prisma.transaction.findFirstOrThrow({ where: { id: ids[name] ?? '' } })),
  );
  return rows.map(({ status, capturedAmount, refundedAmount }) =>
    [status, capturedAmount, refundedAmount].join(' '),
  );
}

async function openDifferences(): Promise<readonly { readonly id: string; readonly finding: string }[]> {
  const { body } = await first.graphql<{
    differences: { nodes: readonly { id: string; finding: string }[] };
  }>(
    '{ differences(filter: { state: [OPEN] }) { nodes { id finding } } }',
    {},
    { token: await first.mint() },
  );
  return body.data?.differences.nodes ?? [];
}

async function adopt(id: string): Promise<void> {
  const document = 'mutation ($id: ID!) { adoptDifference(id: $id) { userErrors { code } } }';
  const { body } = await first.graphql(document, { id }, { token: await first.mint() });
  expect(body).toEqual({ data: { adoptDifference: { userErrors: [] } } });
}

/** The captured and the refunded sum by the provider's id of the payment. */
type Sums = ReadonlyMap<string | null, readonly [captured: number, refunded: number]>;

const payments = (): Promise<
  readonly { readonly id: string; readonly paymentServiceTransactionId: string | null }[]
> => first.app.db.prisma.transaction.findMany({ orderBy: { id: 'asc' } });

type Entry = { readonly kind: string; readonly amount: number };

const sumOf = (entries: readonly Entry[], kind: string): number =>
  entries.reduce((sum, each) => sum + (each.kind === kind ? each.amount : 0), 0);

/** Sums our ledger. */
async function ourBooks(): Promise<Sums> {
  const entries = await first.app.db.prisma.ledgerEntry.findMany();
  const rows = await payments();
  return new Map(
    rows.map(({ id, paymentServiceTransactionId: reference }) => {
      const own = entries.filter(({ transactionId }) => transactionId === id);
      return [reference, [sumOf(own, 'capture'), sumOf(own, 'refund')]];
    }),
  );
}

/** Sums the books that the provider tells. */
async function theirBooks(): Promise<Sums> {
  const sums = new Map<string | null, readonly [number, number]>();
  for (const { paymentServiceTransactionId: reference } of await payments()) {
    const body = JSON.stringify({ operation: 'books', payment_id: reference, currency: 'USD' });
    const answer = await fetch(provider.url, { method: 'POST', body });
    const { events } = (await answer.json()) as {
      readonly events: readonly { readonly event: string; readonly amount: number }[];
    };
    const told = events.map(({ event, amount }) => ({ kind: event, amount }));
    sums.set(reference, [sumOf(told, 'capture.succeeded'), sumOf(told, 'refund.succeeded')]);
  }
  return sums;
}
