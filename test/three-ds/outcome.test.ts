import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  authenticationOf,
  cavvOf,
  testCardOutcome,
  type ThreeDSOutcome,
} from '../../src/modules/three-ds/index.ts';
import { TEST_CARDS } from '../../src/modules/three-ds/test-cards.ts';
import { startHarness, type Harness, type Input, type Tenant } from './harness.ts';

const outcome = (
  authentication: ThreeDSOutcome['authentication'],
  challengeResult: ThreeDSOutcome['challengeResult'] = null,
): ThreeDSOutcome => ({ enrollment: 'enrolled', version: '2.2.0', authentication, challengeResult });

describe('the result of an outcome', () => {
  it.each([
    ['y', null, 'frictionless', 'complete', '05', '02', true],
    ['a', null, 'frictionless', 'complete', '06', '01', true],
    ['n', null, 'frictionless', 'declined', '07', '00', false],
    ['r', null, 'frictionless', 'declined', '07', '00', false],
    ['u', null, 'frictionless', 'error', '07', '00', false],
    ['timeout', null, 'frictionless', 'setup_error', null, null, false],
    ['c', 'y', 'challenge', 'complete', '05', '02', true],
    ['c', 'n', 'challenge', 'declined', '07', '00', false],
    ['c', 'timeout', 'challenge', 'error', null, null, false],
    ['c', null, 'challenge', null, null, null, false],
  ] as const)('%s, then %s', (authentication, result, method, status, others, mastercard, proven) => {
    const common = { method, status, proven, result: authentication === 'c' ? result : authentication };

    for (const scheme of ['visa', 'amex', 'jcb', 'discover', 'unionpay', 'diners_club', null])
      expect(authenticationOf(outcome(authentication, result), scheme)).toEqual({ ...common, eci: others });
    for (const scheme of ['mastercard', 'maestro'])
      expect(authenticationOf(outcome(authentication, result), scheme)).toEqual({
        ...common,
        eci: mastercard,
      });
  });
});

describe('the test cards', () => {
  it.each([...TEST_CARDS])('%s is %s', (number, group) => {
    const [enrollment, authentication] = {
      frictionless: ['enrolled', 'y'],
      challenge: ['enrolled', 'c'],
      always_challenged: ['enrolled', 'c'],
      not_enrolled: ['not_enrolled', 'u'],
    }[group];
    expect(testCardOutcome(number)).toEqual({
      enrollment,
      authentication,
      version: '2.2.0',
      challengeResult: null,
    });
  });

  it('are exactly the published ones', () => {
    expect(TEST_CARDS.size).toBe(13);
    for (const number of ['4111111111111111', 'constructor', '']) expect(testCardOutcome(number)).toBeNull();
  });
});

describe('through the service', () => {
  let harness: Harness;
  let tenant: Tenant;
  beforeAll(async () => {
    harness = await startHarness();
    tenant = await harness.tenant();
  });
  afterAll(() => harness.stop());

  it('a CAVV is 20 bytes in base64, the same for one transaction only', async () => {
    const { app } = harness.server;
    const id = app.ids.uuid();
    const cavv = await cavvOf(app.vault, tenant.id, id);
    const rival = await harness.tenant();

    expect(cavv).toMatch(/^[A-Za-z0-9+/]{27}=$/);
    expect(Buffer.from(cavv, 'base64')).toHaveLength(20);
    expect(await cavvOf(app.vault, tenant.id, id.toUpperCase())).toBe(cavv);
    expect(await cavvOf(app.vault, tenant.id, app.ids.uuid())).not.toBe(cavv);
    expect(await cavvOf(app.vault, rival.id, id)).not.toBe(cavv);
  });

  it('an explanation names the matching rule, and all unmet conditions of each rule before it', async () => {
    const rejected = { enrollment: 'NOT_ENROLLED', authentication: 'R' };
    const first = await tenant.made({ firstName: 'Joan', amount: 5, cardNumber: '52000000' });
    const second = await tenant.made({ cardNumber: '5200000000001211' });
    const third = await tenant.made({ emailAddress: 'JANE@example.com' }, rejected);
    const last = await tenant.made({ amount: 6 });
    const payment: Input = {
      firstName: 'Jane',
      emailAddress: 'jane@example.com',
      amount: 6,
      cardNumber: '5200 0000 0000 1203',
    };

    const matching = await tenant.explain(payment);
    expect(matching).toEqual({
      source: 'SCENARIO',
      scenario: { id: third.id },
      outcome: { ...rejected, version: '2.2.0', challengeResult: null },
      authenticated: { method: 'FRICTIONLESS', status: 'DECLINED', eci: '00', proven: false },
      passedOver: [
        {
          scenario: { id: first.id },
          unmet: [
            { condition: 'FIRST_NAME', message: "The buyer's first name is another one, or not given." },
            { condition: 'AMOUNT', message: 'The amount is another one, or not given.' },
          ],
        },
        {
          scenario: { id: second.id },
          unmet: [
            {
              condition: 'CARD_NUMBER',
              message: 'The card has another number, is not of the BIN, or there is none.',
            },
          ],
        },
      ],
    });
    await tenant.move(last.id, { before: third.id });
    expect(await tenant.explain(payment)).toMatchObject({
      scenario: { id: last.id },
      authenticated: { status: 'COMPLETE', eci: '02', proven: true },
    });
    expect(await tenant.explain({ cardNumber: '5240000000001072' })).toMatchObject({
      source: 'TEST_CARD',
      scenario: null,
      outcome: { authentication: 'C', challengeResult: null },
      authenticated: { method: 'CHALLENGE', status: null, eci: null, proven: false },
    });
    const plain = await tenant.explain({ cardNumber: '4111111111111111' });
    expect(plain).toMatchObject({ source: 'NONE', scenario: null, outcome: null, authenticated: null });
    expect(plain.passedOver).toHaveLength(4);
  });

  it('an explanation changes nothing, not even for the first card number of a merchant account', async () => {
    const mine = await harness.tenant();
    await mine.made({ cardNumber: '520000' });
    const where = { merchantAccountId: mine.id };

    expect(await mine.explain({ cardNumber: '5200000000001203' })).toMatchObject({ source: 'SCENARIO' });
    expect(await harness.server.app.db.prisma.dataKey.count({ where })).toBe(0);
  });

  it('an explanation is refused for an invalid payment, and repeats no value', async () => {
    const requested = tenant.explain({ cardNumber: '411111', amount: -1 });
    await expect(requested).rejects.toThrow('input.cardNumber: Must be 13 to 19 digits.');
    await expect(requested).rejects.toThrow('input.amount: Must be 0 or more.');
    await expect(requested).rejects.not.toThrow('411111');
  });
});
