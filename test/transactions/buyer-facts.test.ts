import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const BROWSER = {
  acceptHeader: 'text/html',
  userAgent: 'Mozilla/5.0',
  userDevice: 'MOBILE',
  language: 'en-GB',
  javascriptEnabled: true,
  javaEnabled: false,
  colorDepth: 24,
  screenHeight: 844,
  screenWidth: 390,
  timeZoneOffset: -60,
};
const lastCall = () => harness.provider.calls.at(-1);

describe('the facts about the buyer', () => {
  it('reach the provider, in its own words', async () => {
    const { transaction } = await harness.create({
      externalIdentifier: 'order-7',
      ipAddress: '2001:db8::7',
      browserInfo: BROWSER,
      buyer: {
        billingDetails: { emailAddress: 'ada@example.com', address: { postalCode: '10117' } },
      },
    });

    expect(transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
    expect(lastCall()).toMatchObject({
      merchant_reference: 'order-7',
      email: 'ada@example.com',
      postal_code: '10117',
      ip_address: '2001:db8::7',
      browser_info: {
        accept_header: 'text/html',
        user_agent: 'Mozilla/5.0',
        user_device: 'mobile',
        language: 'en-GB',
        javascript_enabled: true,
        java_enabled: false,
        color_depth: 24,
        screen_height: 844,
        screen_width: 390,
        time_zone_offset: -60,
      },
    });
  });

  it('name the payment by its id when the merchant gave no name', async () => {
    const { transaction } = await harness.create();
    expect(lastCall()?.merchant_reference).toBe(transaction?.id);
    expect(lastCall()).not.toHaveProperty('browser_info');
  });

  it('are the same on each attempt, although the merchant renames the payment in between', async () => {
    const before = harness.provider.calls.length;
    harness.provider.failNext('lose_answer');
    const { transaction } = await harness.create({ externalIdentifier: 'first', ipAddress: '192.0.2.7' });
    await harness.ask(
      `mutation ($id: ID!) { updateTransaction(id: $id, input: { externalIdentifier: "second" }) { transaction { id } } }`,
      { id: transaction?.id },
    );
    await harness.pass(60_000);
    await reconcileDue(harness.server.app);

    const [first, again] = harness.provider.calls
      .slice(before)
      .filter(({ operation }) => operation === 'authorize');
    expect(first?.merchant_reference).toBe('first');
    expect(again).toEqual({ ...first, card: { ...first?.card, cvv: null } });
  });

  it('belong to the request of an idempotency key', async () => {
    await harness.create({ ipAddress: '192.0.2.7', browserInfo: BROWSER }, 'facts');
    const same = await harness.create({ ipAddress: '192.0.2.7', browserInfo: BROWSER }, 'facts');
    const other = await harness.create({ ipAddress: '192.0.2.8', browserInfo: BROWSER }, 'facts');
    expect([same.replayed, other.userErrors]).toMatchObject([
      true,
      [{ code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.ipAddress'] }],
    ]);
  });

  it.each([
    [{ ipAddress: 'localhost' }, 'ipAddress'],
    [{ ipAddress: 'fe80::1%eth0' }, 'ipAddress'],
    [{ ipAddress: '1'.repeat(100_000) }, 'ipAddress'],
    [{ browserInfo: { ...BROWSER, userAgent: '' } }, 'browserInfo.userAgent'],
    [{ browserInfo: { ...BROWSER, userAgent: 'x'.repeat(2049) } }, 'browserInfo.userAgent'],
    [{ browserInfo: { ...BROWSER, acceptHeader: 'x'.repeat(2049) } }, 'browserInfo.acceptHeader'],
    [{ browserInfo: { ...BROWSER, language: 'x'.repeat(36) } }, 'browserInfo.language'],
    [{ browserInfo: { ...BROWSER, colorDepth: 0 } }, 'browserInfo.colorDepth'],
    [{ browserInfo: { ...BROWSER, screenHeight: -1 } }, 'browserInfo.screenHeight'],
    [{ browserInfo: { ...BROWSER, screenWidth: 1_000_000 } }, 'browserInfo.screenWidth'],
    [{ browserInfo: { ...BROWSER, timeZoneOffset: 841 } }, 'browserInfo.timeZoneOffset'],
    [{ browserInfo: { ...BROWSER, javaEnabled: null } }, 'browserInfo.javaEnabled'],
    [{ browserInfo: { ...BROWSER, userAgent: 'x 4111 1111 1111 1111' } }, 'browserInfo.userAgent'],
  ])('are refused out of bounds, and nothing is stored: %#', async (given, path) => {
    const since = await harness.since();
    const count = await harness.server.app.db.prisma.transaction.count();

    const { transaction, userErrors } = await harness.create(given);

    expect([transaction, userErrors.map((error) => error.path.join('.'))]).toEqual([null, [`input.${path}`]]);
    expect([since.calls(), await harness.server.app.db.prisma.transaction.count()]).toEqual([[], count]);
  });

  it('of a browser without scripts need no values of scripts', async () => {
    const none = { javaEnabled: null, colorDepth: null, screenHeight: null, screenWidth: null };
    const { userErrors } = await harness.create({
      browserInfo: { ...BROWSER, ...none, timeZoneOffset: null, javascriptEnabled: false },
    });
    expect(userErrors).toEqual([]);
  });
});
