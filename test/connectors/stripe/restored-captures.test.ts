import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ACCEPTANCES,
  applyDueWebhooks,
  holdPayments,
  releasePayments,
  sweepDue,
} from '../../../src/modules/transactions/index.ts';
import { dumpAndRestore } from '../../support/dump.ts';
import { DOCUMENTS, type Payload } from '../../support/payments.ts';
import { sandboxConnectors } from '../../support/sandbox-connectors.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { openShop } from '../kit/shop.ts';
import { startStripe } from './start.ts';

// All captures of a payment have the id of its charge at Stripe. Only our keys tell lost captures apart.

const PART = 300;
const settings = {
  PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
  PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '6000',
};

let started: Awaited<ReturnType<typeof startStripe>>;
const shop = await openShop(async (now) => (started = await startStripe({ now })), {
  fields: { multiple_captures: 'true' },
  settings,
});
const { harness } = shop;

/** The number of captures before and after the backup. */
const STORIES = {
  one: { kept: 0, lost: 1 },
  last: { kept: 1, lost: 1 },
  both: { kept: 0, lost: 2 },
} as const;
type Story = keyof typeof STORIES;
const stories = Object.keys(STORIES) as readonly Story[];

const ids = new Map<Story, string>();
let restored: TestServer;

const keyOf = (story: Story, nth: number): string => `capture ${nth} of ${story}`;

async function capture(at: TestServer, story: Story, nth: number): Promise<Payload> {
  const variables = { id: ids.get(story), input: { amount: PART, final: false }, key: keyOf(story, nth) };
  const { body } = await at.graphql<{ payload: Payload }>(DOCUMENTS.capture, variables, {
    token: await at.mint(),
  });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.payload;
}

/** Captures parts, of the numbers from `first` to before `end`. */
async function captureAll(story: Story, first: number, end: number): Promise<void> {
  for (let nth = first; nth < end; nth += 1)
    expect(await capture(harness.server, story, nth)).toMatchObject({ operation: { status: 'SUCCEEDED' } });
}

beforeAll(async () => {
  for (const story of stories) {
    ids.set(story, (await shop.paid({ intent: 'AUTHORIZE', country: 'US' })).id);
    await captureAll(story, 0, STORIES[story].kept);
  }
  const { app } = harness.server;
  const database = await dumpAndRestore(app.config.DATABASE_URL ?? '');
  const restoredTo = app.clock.now();
  for (const story of stories) {
    const { kept, lost } = STORIES[story];
    await captureAll(story, kept, kept + lost);
  }
  const connectors = [...sandboxConnectors, started.connector];
  restored = await startTestServer({ settings, database, connectors, clock: harness.clock });
  await holdPayments(restored.app, { restoredTo, paymentsSince: null });
  for (let round = 0; round < 3; round += 1) {
    harness.clock.advance(60_000);
    await sweepDue(restored.app);
    while (await applyDueWebhooks(restored.app));
  }
  await releasePayments(restored.app, ACCEPTANCES);
});
afterAll(() => restored.stop());

const capturesOf = (story: Story) =>
  restored.app.db.prisma.operation.findMany({
    where: { transactionId: ids.get(story) ?? '', kind: 'capture' },
    select: { amount: true, status: true },
  });

const parts = (count: number) => Array.from({ length: count }, () => ({ amount: PART, status: 'succeeded' }));

describe.each(stories)('captures of one charge that a restore lost: %s', (story) => {
  const { kept, lost } = STORIES[story];
  const told = kept + lost;

  it('are booked, each once', async () => {
    expect(await capturesOf(story)).toEqual(parts(told));
  });

  it('answer the repeats of their requests', async () => {
    for (let nth = 0; nth < told; nth += 1)
      expect(await capture(restored, story, nth)).toMatchObject({
        ...{ replayed: true, operation: { status: 'SUCCEEDED', amount: PART }, userErrors: [] },
      });
    expect(await capturesOf(story)).toEqual(parts(told));
  });

  it('leave a new capture its money', async () => {
    expect(await capture(restored, story, told)).toMatchObject({
      operation: { status: 'SUCCEEDED', errorCode: null },
      transaction: { capturedAmount: (told + 1) * PART },
    });
    const entries = await restored.app.db.prisma.ledgerEntry.findMany({
      where: { transactionId: ids.get(story) ?? '', kind: 'capture' },
    });
    expect(entries.map(({ amount }) => amount)).toEqual(Array.from({ length: told + 1 }, () => PART));
  });
});
