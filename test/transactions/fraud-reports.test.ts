import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { countFraudReports, reportDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { connectForter, DEAD_SITE, openForterShop, type ForterShop } from '../connectors/forter/shop.ts';
import { relayAll } from '../support/relay-all.ts';
import type { TestServer } from '../support/server.ts';
import { CARD, createService } from './harness.ts';
import { inboxOf, until } from './inbox.ts';
import { reportsOf, type Reports } from './report-shop.ts';

const SECOND = 1_000;
/** Longer than the lease of a process that died. */
const LEASE_MS = 30 * SECOND;
/** The first pause after a failure. The second one takes twice as long. */
const PAUSE_MS = 5 * SECOND;
const DAY = 24 * 3_600 * SECOND;

let shop: ForterShop;
let reports: Reports;
beforeAll(async () => {
  shop = await openForterShop();
  reports = reportsOf(shop);
});
afterEach(() => shop.double.behave());
afterAll(() => shop.close());

const STATUS = 'POST /v2/status';

describe('a third party hears', () => {
  it('of an authorisation with its codes, of a capture and of refunds, in order', async () => {
    const id = await reports.pay();
    await shop.harness.capture(id);
    await reports.report();
    await shop.harness.refund(id, { amount: 299 });
    await reports.report();
    await shop.harness.refund(id, { amount: 1000 });
    await reports.report();

    expect(reports.heard(id)).toEqual([
      'PROCESSING authorized',
      'COMPLETED captured',
      'COMPLETED refunded',
      'RETURNED refunded',
    ]);
    const [authorized, , refunded] = shop.double.reports(id);
    expect(authorized).toMatchObject({
      payment: [
        {
          amount: { amountLocalCurrency: '12.99', currency: 'USD' },
          creditCard: {
            ...{ bin: '41111111', lastFourDigits: '1111' },
            verificationResults: { avsFullResult: 'Y', cvvResult: 'M' },
          },
        },
      ],
    });
    expect(refunded).toMatchObject({ updatedTotalAmount: { amountLocalCurrency: '10.00' } });
  });

  it.each([
    ['a decline of the provider', 'approve', { amount: 200_012 }, ['CANCELED_BY_MERCHANT declined']],
    ['its own decline', 'decline', {}, ['CANCELED_BY_MERCHANT declined']],
    ['a sale', 'approve', { intent: 'CAPTURE' }, ['COMPLETED captured']],
  ])('of %s', async (_, name, input, expected) => {
    const id = await reports.pay(name, input);
    await reports.report();

    expect(reports.heard(id)).toEqual(expected);
  });

  it('of a void, and of the decision on a review', async () => {
    const voided = await reports.pay();
    await shop.harness.void(voided);
    const reviewed = await reports.pay('pending', { intent: 'CAPTURE' });
    await shop.harness.ask(
      `mutation ($id: ID!) { resolveReview(id: $id, input: { decision: ACCEPT }) { userErrors { message } } }`,
      { id: reviewed },
    );
    await reports.report();

    expect(reports.heard(voided)).toEqual(['PROCESSING authorized', 'CANCELED_BY_MERCHANT released']);
    expect(reports.heard(reviewed)).toEqual([
      'PROCESSING authorized',
      'PROCESSING accepted',
      'COMPLETED captured',
    ]);
    expect(shop.double.reports(reviewed)[1]).toMatchObject({ statusChangeReason: 'Review_Accepted' });
  });

  it('of a chargeback and its end, and not of an inquiry', async () => {
    const id = await reports.pay('approve', { intent: 'CAPTURE' });
    const payment = (await shop.harness.transaction(id))?.['paymentServiceTransactionId'];
    const inbox = await inboxOf(shop.harness);
    const { prisma } = shop.harness.server.app.db;
    const dispute = async (stage: string, status: string, seconds: number) => {
      await inbox.tell({
        ...{ event: 'dispute.updated', payment_service_transaction_id: payment, dispute_reference: 'dp_1' },
        ...{ stage, status, reason: 'fraudulent', reason_code: '10.4', amount: 1299, currency: 'USD' },
        occurred_at: new Date(Date.UTC(2026, 10, 1, 0, 0, seconds)).toISOString(),
      });
      await until(() => prisma.dispute.findFirst({ where: { transactionId: id, stage, status } }));
    };
    await dispute('inquiry', 'needs_response', 1);
    await dispute('chargeback', 'needs_response', 2);
    await dispute('chargeback', 'lost', 3);
    await reports.report();

    expect(reports.heard(id)).toEqual(['COMPLETED captured', 'OPEN', 'LOST']);
    expect(shop.double.reports(id).at(-1)).toMatchObject({
      ...{ processorChargebackCaseId: 'dp_1', reasonCode: '10.4', externalClaimStatus: 'lost' },
      amount: { amountLocalCurrency: '12.99', currency: 'USD' },
    });
  });
});

/** Kills the next process between the third party's answer and the write of the place. */
function dieOnce(): void {
  const remove = setFailpoint('fraud-report.told', () => {
    remove();
    throw new Error('The process died.');
  });
}

const eventsOf = (id: string) =>
  shop.double.reports(id).map((told) => ('eventId' in told ? told.eventId : ''));

describe('a report', () => {
  it('that a process made before its death comes again under its key, and no later one is lost', async () => {
    await reports.report();
    dieOnce();
    const id = await reports.pay('approve', { intent: 'CAPTURE' });
    await reports.report();
    expect(reports.heard(id)).toEqual(['COMPLETED captured']);
    await shop.harness.refund(id);
    // Until the end of the lease, nobody continues.
    await reports.report();
    expect(reports.heard(id)).toEqual(['COMPLETED captured']);

    await shop.harness.pass(LEASE_MS);
    await reports.report();

    expect(reports.heard(id)).toEqual(['COMPLETED captured', 'COMPLETED captured', 'RETURNED refunded']);
    const [first, again] = eventsOf(id);
    expect(again).toBe(first);
  });

  it('is made once, however many processes look for it', async () => {
    await reports.report();
    const id = await reports.pay('approve', { intent: 'CAPTURE' });
    const { app } = shop.harness.server;
    await relayAll(app);

    await Promise.all(Array.from({ length: 4 }, () => reportDue(app)));
    await reports.report();

    expect(reports.heard(id)).toEqual(['COMPLETED captured']);
  });

  it('without an answer is sent again later and later, and payments go on meanwhile', async () => {
    await reports.report();
    shop.double.failNextOf(STATUS, ...Array<'error_before_work'>(4).fill('error_before_work'));
    const first = await reports.pay('approve', { intent: 'CAPTURE' });
    await reports.report();
    const second = await reports.pay('approve', { intent: 'CAPTURE' });
    await reports.report();
    expect([reports.heard(first), reports.heard(second)]).toEqual([[], []]);
    expect(await countFraudReports(shop.harness.server.app)).toMatchObject([
      { state: 'pending', count: 1, oldest: expect.any(Date) },
    ]);
    expect(await reports.place()).toMatchObject({ attempts: 1 });
    expect(shop.harness.server.logs()).toMatch(
      /"cause":"server_error","attempts":1,.*An anti-fraud service did not take a report\./,
    );

    await shop.harness.pass(PAUSE_MS);
    await reports.report();
    expect(await reports.place()).toMatchObject({ attempts: 2 });
    await shop.harness.pass(PAUSE_MS);
    await reports.report();
    expect([reports.heard(first), reports.heard(second)]).toEqual([[], []]);
    await shop.harness.pass(PAUSE_MS);
    await reports.report();

    expect([reports.heard(first), reports.heard(second)]).toEqual([
      ['COMPLETED captured'],
      ['COMPLETED captured'],
    ]);
    expect(await reports.place()).toMatchObject({ attempts: 0 });
    expect(await countFraudReports(shop.harness.server.app)).toEqual([]);
  });

  it('that the third party refuses is logged, and holds back no other', async () => {
    shop.double.failNextOf('POST /v2/orders', 'lose_request', 'lose_request');
    const unknown = await reports.pay('approve', { intent: 'CAPTURE' });
    const known = await reports.pay('approve', { intent: 'CAPTURE' });
    await reports.report();

    expect([reports.heard(unknown), reports.heard(known)]).toEqual([[], ['COMPLETED captured']]);
    expect(shop.harness.server.logs()).toContain('An anti-fraud service refused a report.');
  });

  it('of an event of more than seven days ago is left out', async () => {
    await reports.report();
    const old = await reports.pay('approve', { intent: 'CAPTURE' });
    await relayAll(shop.harness.server.app);
    await shop.harness.pass(7 * DAY + SECOND);
    const young = await reports.pay('approve', { intent: 'CAPTURE' });
    await reports.report();

    expect([reports.heard(old), reports.heard(young)]).toEqual([[], ['COMPLETED captured']]);
  });
});

/** Returns a function that asks as another merchant account. */
const askAs =
  (server: TestServer, token: string) =>
  async <Data>(document: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Data> => {
    const { body } = await server.graphql<Data>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };

describe('a merchant account', () => {
  it('whose third party is dead holds back no other, and one without a third party has no place', async () => {
    const { server, provider } = shop.harness;
    const dead = await server.createMerchantAccount();
    const none = await server.createMerchantAccount();
    await connectForter({ ask: askAs(server, dead.token) }, DEAD_SITE);
    for (const { token } of [dead, none]) {
      const graphql: TestServer['graphql'] = (document, variables) =>
        server.graphql(document, variables, { token });
      await createService({ graphql }, provider.url);
      const input = { amount: 1299, currency: 'USD', paymentMethod: { card: CARD } };
      const { made } = await askAs(server, token)<{ made: { transaction: { status: string } } }>(
        'mutation ($input: CreateTransactionInput!) { made: createTransaction(input: $input) { transaction { status } } }',
        { input },
      );
      expect(made.transaction.status).toBe('AUTHORIZATION_SUCCEEDED');
    }
    const id = await reports.pay('approve', { intent: 'CAPTURE' });
    await reports.report();

    expect(reports.heard(id)).toEqual(['COMPLETED captured']);
    const places = await server.app.db.prisma.antiFraudReport.findMany({
      where: { merchantAccountId: { in: [dead.id, none.id] } },
    });
    expect(places).toMatchObject([{ merchantAccountId: dead.id }]);
    expect(places[0]?.attempts).toBeGreaterThan(0);
  });

  it('hears nothing more for a service that it deleted', async () => {
    const id = await reports.pay();
    await reports.report();
    await shop.harness.ask(
      `mutation ($id: ID!) { deleteAntiFraudService(id: $id) { userErrors { message } } }`,
      {
        id: shop.service.id,
      },
    );
    await shop.harness.capture(id);
    await reports.report();

    expect(reports.heard(id)).toEqual(['PROCESSING authorized']);
  });
});
