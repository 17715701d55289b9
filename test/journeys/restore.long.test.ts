import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '../support/database.ts';
import { dumpAndRestore } from '../support/dump.ts';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createService } from '../transactions/harness.ts';
import { DOCUMENTS, authorization, type Order, type Payload, type Verb } from '../support/payments.ts';

// Clients authorise, capture and refund under load. A backup is taken meanwhile and restored later, so the payments
// after the backup are lost. Each client then repeats its requests under their idempotency keys.

const CLIENTS = 8;
const ROUNDS = { before: 5, meanwhile: 5, after: 2 } as const;
const VERBS = ['authorize', 'capture', 'refund'] as const satisfies readonly Verb[];
const AMOUNT = 1299;

/** Longer than the lease of an operation. */
const LEASE_MS = 61_000;

type Keys = Readonly<Record<(typeof VERBS)[number], string>>;

let provider: FakeProvider;
let server: TestServer;
let service: string;
let restored: TestServer;
let backup: TestDatabase;
const payments: Keys[] = [];
let onBackup: number;

const send = async (at: TestServer, { verb, variables }: Order, key: string): Promise<Payload> => {
  const { body } = await at.graphql<{ payload: Payload }>(DOCUMENTS[verb], { ...variables, key });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.payload;
};

/** Authorises, captures and refunds a payment. Returns the payloads. */
async function play(at: TestServer, keys: Keys): Promise<readonly Payload[]> {
  const created = await send(at, authorization(AMOUNT, service), keys.authorize);
  const id = created.transaction?.id;
  const variables = { id, input: { amount: AMOUNT } };
  const captured = await send(at, { verb: 'capture', variables }, keys.capture);
  return [created, captured, await send(at, { verb: 'refund', variables }, keys.refund)];
}

/** Plays new payments one after another. */
async function pay(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const keys = newKeys();
    payments.push(keys);
    await play(server, keys);
  }
}

const newKeys = (): Keys => ({ authorize: randomUUID(), capture: randomUUID(), refund: randomUUID() });

beforeAll(async () => {
  provider = await startFakeProvider();
  const settings = { PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64') };
  server = await startTestServer({ settings });
  service = await createService(server, provider.url);
  let taken: Promise<TestDatabase> | null = null;
  const client = async (): Promise<void> => {
    await pay(ROUNDS.before);
    taken ??= dumpAndRestore(server.app.config.DATABASE_URL ?? '');
    await pay(ROUNDS.meanwhile);
    await taken;
    await pay(ROUNDS.after);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  backup = await (taken as unknown as Promise<TestDatabase>);
  const clock = createShiftedClock();
  restored = await startTestServer({ settings, clock, database: backup });
  // The background work settles the operations that were pending at the moment of the backup.
  clock.advance(LEASE_MS);
  await reconcileDue(restored.app);
  onBackup = await restored.app.db.prisma.transaction.count();
});
afterAll(async () => {
  await Promise.all([server.stop(), restored.stop()]);
  await provider.close();
});

describe('after the restore of a backup that was taken under load', () => {
  it('payments are missing, and the provider still has them', () => {
    expect(onBackup).toBeGreaterThan(0);
    expect(onBackup).toBeLessThan(payments.length);
    expect(provider.books.size).toBe(payments.length * VERBS.length);
  });

  it('a repeat under its idempotency key does nothing twice at the provider', async () => {
    const before = new Map(provider.books);
    const answers = await Promise.all(payments.map((keys) => play(restored, keys)));

    expect(provider.books).toEqual(before);
    expect(answers.flat().flatMap(({ userErrors }) => userErrors)).toEqual([]);
    const amounts = { authorizedAmount: AMOUNT, capturedAmount: AMOUNT, refundedAmount: AMOUNT };
    expect(answers.map((payloads) => payloads.at(-1)?.transaction)).toEqual(
      payments.map(() => expect.objectContaining(amounts)),
    );
  });

  it('each payment has its effects once, in our books as in those of the provider', async () => {
    const { prisma } = restored.app.db;
    const ledger = await prisma.ledgerEntry.groupBy({ by: ['kind'], _sum: { amount: true } });
    const ours = new Map(ledger.map(({ kind, _sum }) => [kind, _sum.amount]));
    const theirs = new Map<string, number>();
    const effects = [...provider.books].filter(([, { result }]) => result === 'approved');
    for (const [key, { amount }] of effects) {
      const operation = provider.calls.find((call) => call.idempotency_key === key)?.operation ?? '';
      theirs.set(operation, (theirs.get(operation) ?? 0) + amount);
    }
    expect(ours).toEqual(theirs);
    expect(ours.get('refund')).toBe(AMOUNT * payments.length);
  });
});
