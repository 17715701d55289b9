import { beforeAll, expect, it } from '@jest/globals';
import {
  ACCEPTANCES,
  applyDueWebhooks,
  holdPayments,
  releasePayments,
  sweepDue,
} from '../../../src/modules/transactions/index.ts';
import { openShop } from '../kit/shop.ts';
import { startStripe } from './start.ts';

// A look may begin during a hold, and its answer may come after the end of the hold. All captures of a payment have one id
// at Stripe. A capture that was made meanwhile looks like a lost one.

const PART = 300;
const AGE_MS = 16 * 60_000;

/** Runs between the start of a look and its request, once. */
let meanwhile: (() => Promise<void>) | null = null;

const shop = await openShop(
  async (now) => {
    const started = await startStripe({ now });
    const { connector } = started;
    const readBooks: (typeof connector)['readBooks'] = async (context, request) => {
      const run = meanwhile;
      meanwhile = null;
      await run?.();
      return (await connector.readBooks?.(context, request)) ?? null;
    };
    return { ...started, connector: { ...connector, readBooks } };
  },
  { fields: { multiple_captures: 'true' }, settings: { PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '6000' } },
);
const { harness } = shop;
const { app } = harness.server;

async function round(): Promise<void> {
  harness.clock.advance(60_000);
  await sweepDue(app);
  while (await applyDueWebhooks(app));
}

const capture = async (id: string): Promise<void> =>
  expect((await harness.capture(id, { amount: PART, final: false })).operation?.status).toBe('SUCCEEDED');

let id: string;
beforeAll(async () => {
  await sweepDue(app);
  ({ id } = await shop.paid({ intent: 'AUTHORIZE', country: 'US' }));
  await capture(id);
  await holdPayments(app, { restoredTo: app.clock.now(), paymentsSince: null });
  await round();
  await round();
});

it('a capture after the end of the hold is booked once, although the look began during the hold', async () => {
  meanwhile = async () => {
    expect(await releasePayments(app, ACCEPTANCES)).toMatchObject({ ok: true });
    await capture(id);
  };
  harness.clock.advance(AGE_MS);

  await round();

  expect(meanwhile).toBeNull();
  expect(await shop.money(id)).toMatchObject({
    ...{ capturedAmount: 2 * PART, captures: [{ amount: PART }, { amount: PART }] },
  });
  // The look told nothing as lost.
  const told = await shop.prisma.inboundWebhook.findMany({ where: { eventKey: { endsWith: ':restored' } } });
  expect(told).toEqual([]);
});
