import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { CARD, openShop, type Decision } from './harness.ts';

let servers: readonly [TestServer, TestServer];
/** The clock of the second process. */
const behind = createShiftedClock();
beforeAll(async () => {
  const first = await startTestServer();
  // The processes of an installation share the database and the master key.
  const { DATABASE_URL = '', PAYGRAPH_DATA_DIR } = first.app.config;
  servers = [first, await startTestServer({ clock: behind, settings: { DATABASE_URL, PAYGRAPH_DATA_DIR } })];
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

type Payment = {
  readonly routing: Decision | null;
  readonly attempts: readonly { readonly paymentService: { readonly id: string } }[];
};

const PAY = `mutation ($input: CreateTransactionInput!) { answer: createTransaction(input: $input) {
  transaction { routing { version { id } rule draw share } attempts { paymentService { id } } } userErrors { message } } }`;

/** Pays at one of the processes. */
async function payAt(server: TestServer, token: string, more: object = {}): Promise<Payment> {
  const input = { amount: 100, currency: 'USD', country: 'US', paymentMethod: { card: CARD }, ...more };
  const { body } = await server.graphql<{ answer: { transaction: Payment | null } }>(
    PAY,
    { input },
    { token },
  );
  if (!body.data?.answer.transaction) throw new Error(JSON.stringify(body));
  return body.data.answer.transaction;
}

it('no payment mixes versions while activations alternate, and each follows the latest answer', async () => {
  const shop = await openShop(servers[0]);
  const versions: (readonly [versionId: string, serviceId: string])[] = [];
  for (const id of shop.services.slice(1)) {
    const order = { order: { paymentServiceIds: [id] } };
    versions.push([await shop.follow({ name: 'All', action: order }), id]);
  }
  const serviceOf = new Map(versions);
  const paid: Payment[] = [];

  for (const [versionId] of [...versions, ...versions]) {
    const meanwhile = servers.flatMap((server) => [1, 2].map(() => payAt(server, shop.token)));
    await shop.activate({ versionId });
    const after = await Promise.all(servers.map((server) => payAt(server, shop.token)));
    paid.push(...(await Promise.all(meanwhile)));

    expect(after.map(({ routing }) => routing?.version.id)).toEqual([versionId, versionId]);
    paid.push(...after);
  }

  expect(paid).toHaveLength(24);
  for (const { routing, attempts } of paid)
    expect(attempts).toEqual([{ paymentService: { id: serviceOf.get(routing?.version.id ?? '') } }]);
});

it('an activation at once holds for a process whose clock is behind', async () => {
  const shop = await openShop(servers[0]);
  const [, second, third] = shop.services;
  await shop.follow({ name: 'All', action: { order: { paymentServiceIds: [second] } } });
  const versionId = await shop.follow({ name: 'All', action: { order: { paymentServiceIds: [third] } } });
  behind.advance(-2_000);

  const paid = await payAt(servers[1], shop.token);
  const { body } = await servers[1].graphql<{ activeRouting: { version: { id: string } } }>(
    '{ activeRouting { version { id } } }',
    {},
    { token: shop.token },
  );
  behind.advance(2_000);

  expect(paid.routing?.version.id).toBe(versionId);
  expect(body.data?.activeRouting.version.id).toBe(versionId);
});

it('a later activation at once wins, also by a clock that is behind', async () => {
  const shop = await openShop(servers[0]);
  const [, second, third] = shop.services;
  await shop.follow({ name: 'All', action: { order: { paymentServiceIds: [second] } } });
  const { version } = await shop.makeVersion([
    { name: 'All', action: { order: { paymentServiceIds: [third] } } },
  ]);
  behind.advance(-2_000);

  const { body } = await servers[1].graphql<{ activate: { userErrors: readonly object[] } }>(
    `mutation ($versionId: ID!) { activate: activateRoutingRuleSet(input: { versionId: $versionId }) {
      userErrors { message } } }`,
    { versionId: version?.id },
    { token: shop.token },
  );
  const paid = [await payAt(servers[0], shop.token), await payAt(servers[1], shop.token)];
  behind.advance(2_000);

  expect(body.data?.activate.userErrors).toEqual([]);
  expect(paid.map(({ routing }) => routing?.version.id)).toEqual([version?.id, version?.id]);
});

it('every process draws the same for a buyer', async () => {
  const shop = await openShop(servers[0]);
  const [first, second] = shop.services;
  const split = [first, second].map((id) => ({ weight: 1, paymentServiceIds: [id] }));
  await shop.follow({ name: 'Halves', action: { split } });

  for (let nth = 0; nth < 4; nth += 1) {
    const { buyer } = await shop.ask<{ buyer: { id: string } }>(
      'mutation { answer: createBuyer(input: {}) { buyer { id } } }',
    );
    const [here, there] = await Promise.all(
      servers.map((server) => payAt(server, shop.token, { buyerId: buyer.id })),
    );
    expect(there?.routing).toEqual(here?.routing);
    expect(there?.attempts).toEqual(here?.attempts);
  }
});
