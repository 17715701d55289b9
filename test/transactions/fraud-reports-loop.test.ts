import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { reportDue, startFraudReports } from '../../src/modules/transactions/index.ts';
import { connectForter, openForterShop, type ForterShop } from '../connectors/forter/shop.ts';
import { relayAll } from '../support/relay-all.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { CARD, createService, type Harness } from './harness.ts';

let shop: ForterShop;
beforeAll(async () => {
  // The hanging report outlasts the others, however slow the machine is.
  shop = await openForterShop({ settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: '120000' } });
});
afterAll(() => shop.close());

/** Pays at the shop. Returns the id of the payment. */
const pay = async (): Promise<string> => (await shop.harness.create()).transaction?.id ?? '';

/** Opens another merchant account with Forter. Returns a function that pays there. */
async function openOther(): Promise<() => Promise<string>> {
  const { server, provider } = shop.harness;
  const { token } = await server.createMerchantAccount();
  const graphql: TestServer['graphql'] = (document, variables) =>
    server.graphql(document, variables, { token });
  const ask: Harness['ask'] = async <Data>(document: string, variables = {}) => {
    const { body } = await graphql<Data>(document, variables);
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  await createService({ graphql }, provider.url);
  await connectForter({ ask });
  return async () => {
    const { made } = await ask<{ made: { transaction: { id: string } } }>(
      'mutation ($input: CreateTransactionInput!) { made: createTransaction(input: $input) { transaction { id } } }',
      { input: { amount: 1299, currency: 'USD', paymentMethod: { card: CARD } } },
    );
    return made.transaction.id;
  };
}

it('a report that hangs holds back its own payment alone, and a stop waits for that report and no later one', async () => {
  const { harness, double } = shop;
  const { app } = harness.server;
  const payElsewhere = await openOther();
  const [slow, beside] = [await pay(), await pay()];
  await harness.capture(slow);
  const loop = startFraudReports(app);
  try {
    double.failNextOf(`POST /v2/status/${slow}`, 'hang_before_work');
    await relayAll(app);
    await until(
      () => double.calls.some(({ path }) => path.endsWith(`/status/${slow}`)),
      'the hanging report',
    );

    const others = [await payElsewhere(), await payElsewhere()];
    await relayAll(app);

    await until(
      () => [...others, beside].every((id) => double.reports(id).length === 1),
      'the other reports',
    );
    expect(double.reports(slow)).toEqual([]);
    const stopped = loop.stop();
    double.release();
    await stopped;
    expect([slow, beside].map((id) => double.reports(id).length)).toEqual([1, 1]);
  } finally {
    double.release();
    await loop.stop();
  }
  await reportDue(app);
  expect([slow, beside].map((id) => double.reports(id).length)).toEqual([2, 1]);
  const places = await app.db.prisma.antiFraudReport.findMany();
  expect(places.map(({ attempts }) => attempts)).toEqual([0, 0]);
});
