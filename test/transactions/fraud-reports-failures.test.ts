import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { retainOnce } from '../../src/modules/events/log/retention.ts';
import { countFraudReports, reportDue } from '../../src/modules/transactions/index.ts';
import { claimPlaces } from '../../src/modules/transactions/fraud-reports/fraud-reports.sql.ts';
import { connectForter, openForterShop, type ForterShop } from '../connectors/forter/shop.ts';
import { relayAll } from '../support/relay-all.ts';
import { reportsOf, type Reports } from './report-shop.ts';
import { addThreeDSService } from './three-ds-harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The longest pause after a failure. */
const PAUSE_MAX_MS = 10 * MINUTE;
const SALE = { intent: 'CAPTURE' };
const STATUS = 'POST /v2/status';

let shop: ForterShop;
let reports: Reports;
beforeAll(async () => {
  shop = await openForterShop();
  reports = reportsOf(shop);
  await addThreeDSService(shop.harness, 'CHF');
});
afterEach(() => shop.double.behave());
afterAll(() => shop.close());

/** Fails each report of a payment from now on. */
const poison = (id: string) =>
  shop.double.failNextOf(`${STATUS}/${id}`, ...Array<'error_before_work'>(100).fill('error_before_work'));

/** Makes so many attempts, one after each pause. */
async function attempt(times: number): Promise<void> {
  for (let nth = 0; nth < times; nth++) {
    await shop.harness.pass(PAUSE_MAX_MS);
    await reports.report();
  }
}

describe('a report that the third party never takes', () => {
  it('is given up after nine attempts, when the report of another payment is taken', async () => {
    await reports.report();
    const never = await reports.pay('approve', SALE);
    poison(never);
    await reports.report();
    const later = await reports.pay('approve', SALE);

    await attempt(7);
    expect(await reports.place()).toMatchObject({ attempts: 8 });
    expect(reports.heard(later)).toEqual([]);
    await attempt(1);

    expect([reports.heard(never), reports.heard(later)]).toEqual([[], ['COMPLETED captured']]);
    expect(await reports.place()).toMatchObject({ attempts: 0 });
    expect(shop.harness.server.logs()).toContain('An anti-fraud service never took a report.');
  });

  it('is given up beside another one of its kind, when a third report is taken', async () => {
    await reports.report();
    const [first, second] = [await reports.pay('approve', SALE), await reports.pay('approve', SALE)];
    poison(first);
    poison(second);
    await reports.report();
    const third = await reports.pay('approve', SALE);

    await attempt(8);
    expect(await reports.place()).toMatchObject({ attempts: 9 });
    await attempt(1);

    expect([first, second, third].map((id) => reports.heard(id))).toEqual([[], [], ['COMPLETED captured']]);
    expect(await reports.place()).toMatchObject({ attempts: 1 });
    shop.double.behave();
    await attempt(1);
    expect(reports.heard(second)).toEqual(['COMPLETED captured']);
  });

  it('waits while the third party takes no other report', async () => {
    await reports.report();
    const [first, second] = [await reports.pay('approve', SALE), await reports.pay('approve', SALE)];
    poison(first);
    poison(second);
    await reports.report();
    await attempt(10);
    expect(await reports.place()).toMatchObject({ attempts: 11 });
    shop.double.behave();

    await attempt(1);

    expect([reports.heard(first), reports.heard(second)]).toEqual([
      ['COMPLETED captured'],
      ['COMPLETED captured'],
    ]);
  });
});

it('an event that cannot be read counts as a failure, and holds back no other payment for long', async () => {
  await reports.report();
  const broken = await reports.pay('approve', SALE);
  await reports.report();
  const { db, ids, clock } = shop.harness.server.app;
  const { merchantAccountId } = await db.prisma.transaction.findFirstOrThrow({ where: { id: broken } });
  await db.prisma.event.create({
    data: {
      ...{ merchantAccountId, id: ids.uuid(), name: 'dispute.created', createdAt: clock.now() },
      ...{ targetType: 'transaction', targetId: broken, payload: '{"target":null}' },
    },
  });
  const later = await reports.pay('approve', SALE);
  await reports.report();
  expect(await reports.place()).toMatchObject({ attempts: 1 });

  await attempt(8);

  expect(reports.heard(later).at(-1)).toBe('COMPLETED captured');
  expect(await reports.place()).toMatchObject({ attempts: 0 });
});

describe('a payment that the third party was not asked about', () => {
  it('has no report when 3-D Secure refused the buyer before', async () => {
    await shop.harness.ask(
      `mutation ($input: CreateThreeDSScenarioInput!) {
        payload: createThreeDSScenario(input: $input) { userErrors { message } } }`,
      { input: { conditions: { externalIdentifier: 'refused' }, outcome: { authentication: 'N' } } },
    );
    const before = shop.double.calls.length;
    const id = await reports.pay('approve', { currency: 'CHF', externalIdentifier: 'refused' });
    expect(await shop.harness.transaction(id)).toMatchObject({ errorCode: 'failed_buyer_approval' });

    await reports.report();

    expect(shop.double.calls.slice(before)).toEqual([]);
  });

  it('has no report when no connector served the definition', async () => {
    const { prisma } = shop.harness.server.app.db;
    const { id: service } = shop.service;
    const called = (definitionId: string) =>
      prisma.antiFraudService.updateMany({ where: { id: service }, data: { definitionId } });
    const before = shop.double.calls.length;
    await called('gone');
    await reports.pay('approve', SALE);
    await called('forter-anti-fraud');

    await reports.report();

    expect(shop.double.calls.slice(before)).toEqual([]);
  });
});

describe('the place of an anti-fraud service', () => {
  /** Claims all places that are due, as a process without a limit. */
  const claim = () => {
    const { app } = shop.harness.server;
    const now = app.clock.now();
    const definitions = ['forter-anti-fraud'];
    return claimPlaces(app.db, { now, leaseUntil: now, definitions, limit: 100 });
  };

  it('begins at the creation of the service, and not before the relay has the event', async () => {
    const { app } = shop.harness.server;
    const { token, id: merchantAccountId } = await shop.harness.server.createMerchantAccount();
    const { id } = await connectForter({
      ask: async <Data>(document: string, variables = {}) =>
        (await shop.harness.server.graphql<Data>(document, variables, { token })).body.data as Data,
    });
    const placed = () => app.db.prisma.antiFraudReport.findFirst({ where: { antiFraudServiceId: id } });
    await reportDue(app);
    expect(await placed()).toBeNull();

    await relayAll(app);
    await reportDue(app);

    const { position } = await app.db.prisma.event.findFirstOrThrow({
      where: { merchantAccountId, name: 'anti-fraud-service.created' },
    });
    const entry = await app.db.prisma.feedEntry.findFirstOrThrow({ where: { position } });
    expect(await placed()).toMatchObject({ sequence: entry.sequence });
  });

  it('behind the retained feed is not due, and continues with the next event', async () => {
    const { app } = shop.harness.server;
    await reports.pay('approve', SALE);
    await reports.report();
    await app.db.prisma.antiFraudReport.updateMany({ data: { sequence: 1n } });
    await shop.harness.pass(9 * DAY);
    while (await retainOnce(app, 8)) continue;

    expect(await claim()).toEqual([]);
    expect(await countFraudReports(app)).toEqual([]);
    const id = await reports.pay('approve', SALE);
    await reports.report();

    expect(reports.heard(id)).toEqual(['COMPLETED captured']);
    expect(shop.harness.server.logs()).toContain(
      'The retention removed events before an anti-fraud service.',
    );
  });

  it('counts as waiting only where the service gets reports', async () => {
    const { app } = shop.harness.server;
    await reports.pay('approve', SALE);
    await relayAll(app);

    expect(await countFraudReports(app)).toMatchObject([{ state: 'pending', count: 1 }]);
    expect(await countFraudReports({ ...app, antiFraudConnectors: [] })).toEqual([]);
  });
});
