import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { holdPayments, startBooksSweep } from '../../src/modules/transactions/index.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { until } from '../support/until.ts';
import { createService, startHarness, type Harness } from './harness.ts';

// One process compares at four payment services at once. Six are due, and the provider that is asked first gives no answer.

const SERVICES = 6;

let harness: Harness;
/** Resolves when the silent provider may answer. */
const silence = Promise.withResolvers<undefined>();
/** The payments that were asked about, by the provider's id. */
const asked: string[] = [];

const connector: typeof sandbox = {
  ...sandbox,
  readBooks: async (context, request) => {
    asked.push(request.reference);
    if (asked.length === 1) await silence.promise;
    return sandbox.readBooks?.(context, request) ?? null;
  },
};

/** A clock whose pauses end only early, so that a loop goes on only by itself. */
const withoutPauses = (clock: Clock): Clock => ({
  now: () => clock.now(),
  sleep: async (_, signal) => {
    const ended = new Promise((resolve) => signal?.addEventListener('abort', resolve));
    if (!signal?.aborted) await ended;
  },
});

beforeAll(async () => {
  harness = await startHarness('mock-card', {
    clock: createSteppedClock(),
    connectors: [connector],
    settings: { PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '6000' },
  });
});
afterAll(() => harness.stop());

/** Makes a payment at each of the payment services. Returns the provider's ids of the payments. */
async function payAtEach(): Promise<readonly unknown[]> {
  const { server, provider } = harness;
  for (let nth = 1; nth < SERVICES; nth += 1)
    await createService(server, provider.url, { displayName: `Provider ${nth}` });
  const services = await server.app.db.prisma.paymentService.findMany();
  const paid = await Promise.all(
    services.map(({ id }) => harness.create({ amount: 1000, paymentServiceId: id })),
  );
  return paid.map(({ transaction }) => transaction?.['paymentServiceTransactionId']);
}

it('the loop takes each due payment service at once, and waits for no slow one', async () => {
  const { app } = harness.server;
  const paid = await payAtEach();
  await holdPayments(app, { restoredTo: app.clock.now(), paymentsSince: null });
  const loop = startBooksSweep({ ...app, clock: withoutPauses(app.clock) });

  await until(() => asked.length === SERVICES, 'a look at each payment service');

  expect(asked.toSorted()).toEqual(paid.toSorted());
  silence.resolve(undefined);
  await loop.stop();
  const sweeps = await app.db.prisma.booksSweep.findMany();
  expect(sweeps.map(({ proof }) => proof)).toEqual(
    Array.from({ length: SERVICES }, () => expect.objectContaining({ isDone: true, untold: 1 })),
  );
});
