import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { holdFirstAt } from '../../support/hold.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { CARD } from '../../routing/harness.ts';
import { CIRCUITS_ON, keyed, openCircuitShop, type CircuitShop } from './harness.ts';

const clock = createShiftedClock();
let servers: readonly [TestServer, TestServer];
beforeAll(async () => {
  const first = await startTestServer({ clock, settings: CIRCUITS_ON });
  // The processes of an installation share the database and the master key.
  const { DATABASE_URL = '', PAYGRAPH_DATA_DIR } = first.app.config;
  servers = [
    first,
    await startTestServer({ clock, settings: { ...CIRCUITS_ON, DATABASE_URL, PAYGRAPH_DATA_DIR } }),
  ];
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

const PAUSE_MS = 34_000;

type Payment = { readonly attempts: readonly { readonly paymentService: { readonly id: string } }[] };

const PAY = `mutation ($input: CreateTransactionInput!) { answer: createTransaction(input: $input) {
  transaction { attempts { paymentService { id } } } userErrors { message } } }`;

/** Pays at one of the processes, and returns the places of the asked services. */
async function askedAt(server: TestServer, shop: CircuitShop): Promise<readonly number[]> {
  const input = { amount: 100, currency: 'USD', country: 'US', paymentMethod: { card: CARD } };
  const { body } = await server.graphql<{ answer: { transaction: Payment | null } }>(
    PAY,
    { input },
    { token: shop.token },
  );
  if (!body.data?.answer.transaction) throw new Error(JSON.stringify(body));
  return body.data.answer.transaction.attempts.map(
    ({ paymentService: { id } }) => shop.services.indexOf(id) + 1,
  );
}

/** Pays some times at both processes at once. */
const payAtBoth = (shop: CircuitShop, times: number): Promise<readonly (readonly number[])[]> =>
  Promise.all(Array.from({ length: times }, () => servers.map((server) => askedAt(server, shop))).flat());

it('opens once when two processes see the failures at the same time, and holds for both at once', async () => {
  const shop = await openCircuitShop(servers[0], [keyed('failing'), {}, {}]);

  await payAtBoth(shop, 30);

  expect(await shop.events()).toEqual(['payment-service.circuit-opened 1']);
  expect(await askedAt(servers[0], shop)).toEqual([2]);
  expect(await askedAt(servers[1], shop)).toEqual([2]);
});

it('follows the opening of the other process without failures of its own', async () => {
  const shop = await openCircuitShop(servers[0], [keyed('failing'), {}, {}]);

  for (let nth = 0; nth < 10; nth += 1) await askedAt(servers[0], shop);

  expect(await askedAt(servers[1], shop)).toEqual([2]);
});

it('tries by one payment at a time over all processes', async () => {
  const shop = await openCircuitShop(servers[0], [keyed('failing'), {}, {}]);
  await shop.payTimes(10);
  clock.advance(PAUSE_MS);
  const held = holdFirstAt('authorize.called');

  const trial = askedAt(servers[0], shop);
  await held.reached;
  const meanwhile = await payAtBoth(shop, 8);
  held.go();

  expect(await trial).toEqual([1, 2]);
  expect(meanwhile).toEqual(Array.from({ length: 16 }, () => [2]));
  expect((await shop.circuits())[0]).toMatchObject({ failedTrials: 1 });
});

it('gives each trial to one of many payments at the same time', async () => {
  const shop = await openCircuitShop(servers[0], [keyed('failing'), {}, {}]);
  await shop.payTimes(10);
  for (const round of [1, 2, 3]) {
    clock.advance(PAUSE_MS * 2 ** (round - 1));
    const asked = await payAtBoth(shop, 8);

    expect(asked.filter(([first]) => first === 1)).toEqual([[1, 2]]);
    expect((await shop.circuits())[0]).toMatchObject({ failedTrials: round });
  }
});

it('closes once, whichever process has the trials', async () => {
  const shop = await openCircuitShop(servers[0], [keyed('failing'), {}, {}]);
  await shop.payTimes(10);
  await shop.change(1, 'well');
  clock.advance(PAUSE_MS);

  for (let nth = 0; nth < 10; nth += 1) await payAtBoth(shop, 1);

  expect(await shop.circuits()).toEqual([null, null, null]);
  expect(await shop.events()).toEqual([
    ...['payment-service.circuit-opened 1', 'payment-service.circuit-closed 1'],
  ]);
});

it('has no effect in a process that has circuits off', async () => {
  const shop = await openCircuitShop(servers[0], [keyed('failing'), {}, {}]);
  const { DATABASE_URL = '', PAYGRAPH_DATA_DIR } = servers[0].app.config;
  const off = await startTestServer({ clock, settings: { DATABASE_URL, PAYGRAPH_DATA_DIR } });
  for (let nth = 0; nth < 12; nth += 1) expect(await askedAt(off, shop)).toEqual([1, 2]);
  expect(await shop.circuits()).toEqual([null, null, null]);

  await shop.payTimes(10);

  expect(await askedAt(servers[0], shop)).toEqual([2]);
  expect(await askedAt(off, shop)).toEqual([1, 2]);
  await off.stop();
});
