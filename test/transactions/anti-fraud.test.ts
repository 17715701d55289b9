import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckFault } from '../support/fake-anti-fraud.ts';
import { openFraudHarness, type FraudHarness, type Shown } from './fraud-harness.ts';
import { createService, startHarness, type Harness } from './harness.ts';
import { withShortDeadline } from '../support/short-deadline.ts';

let harness: Harness;
let fraud: FraudHarness;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  fraud = await openFraudHarness(harness);
});
afterAll(async () => {
  await fraud.close();
  await harness.stop();
});

const namesOf = ({ steps }: Shown): readonly string[] =>
  steps.map(({ name }) => name).filter((name) => name.startsWith('anti-fraud'));

const AUTHORIZED = { status: 'CAPTURE_SUCCEEDED', pendingReview: false, errorCode: null };

/** The local part of the buyer's address, the result of a payment with the intent to capture, and its history. */
const DECISIONS = [
  ['accept', 'ACCEPT', AUTHORIZED, 'anti-fraud-decision', ['transaction.captured']],
  [
    'reject',
    'REJECT',
    { status: 'AUTHORIZATION_DECLINED', pendingReview: false, errorCode: 'suspected_fraud' },
    'anti-fraud-decision',
    ['transaction.declined'],
  ],
  [
    'review',
    'REVIEW',
    {
      ...{ status: 'AUTHORIZATION_SUCCEEDED', pendingReview: true, errorCode: null },
      ...{ intentOutcome: 'PENDING', authorizedAmount: 1299, capturedAmount: 0, capturable: { amount: 0 } },
    },
    'anti-fraud-decision',
    ['transaction.authorized'],
  ],
  ['error', 'ERROR', AUTHORIZED, 'anti-fraud-decision-error', ['transaction.captured']],
  ['timeout', 'EXCEPTION', AUTHORIZED, 'anti-fraud-decision-error', ['transaction.captured']],
  ['unavailable', 'ERROR', AUTHORIZED, 'anti-fraud-decision-error', ['transaction.captured']],
  [null, 'SKIPPED', AUTHORIZED, 'anti-fraud-decision-skipped', ['transaction.captured']],
] as const;

describe.each([
  ['2.1', false],
  ['10.2', true],
])('a payment checked in version %s', (version, newerInterfaceEnabled) => {
  beforeAll(() => fraud.set({ newerInterfaceEnabled }));

  it.each(DECISIONS)(
    '(%s) ends as the decision %s demands',
    async (reported, antiFraudDecision, ends, name, events) => {
      const since = await harness.since();
      const requested = fraud.thirdParty.calls.length;

      const input = { intent: 'CAPTURE', ...(reported === null && { buyer: null }) };
      const payment = await fraud.pay(reported ?? '', input);

      expect(payment).toMatchObject({
        ...{ antiFraudDecision, ...ends },
        antiFraudService: { id: fraud.serviceId },
      });
      expect(namesOf(payment)).toEqual([name]);
      expect(payment.steps.find((step) => step.name === name)?.context).toMatchObject({
        decision: antiFraudDecision.toLowerCase(),
        interface_version: version,
        anti_fraud_service_id: fraud.serviceId,
        anti_fraud_service_definition_id: 'mock-anti-fraud',
        anti_fraud_service_display_name: 'Checks',
      });
      expect(fraud.thirdParty.calls.slice(requested).map(({ path }) => path)).toEqual([
        `/risk/${version}/checks`,
      ]);
      // A rejected payment reaches no provider.
      expect(since.calls()).toEqual(antiFraudDecision === 'REJECT' ? [] : ['authorize']);
      expect(await since.eventNames()).toEqual(['transaction.anti-fraud-decided', ...events]);
    },
  );
});

describe('the version of the interface', () => {
  it('follows the switch at each payment, and the history keeps the version that answered', async () => {
    const versions: unknown[] = [];
    for (const newerInterfaceEnabled of [false, true, false]) {
      await fraud.set({ newerInterfaceEnabled });
      const { steps } = await fraud.pay('review');
      versions.push(steps.find(({ name }) => name === 'anti-fraud-decision')?.context['interface_version']);
    }

    expect(versions).toEqual(['2.1', '10.2', '2.1']);
  });
});

describe('the anti-fraud service', () => {
  it('receives the payment and the device fingerprint, and only the permitted parts of the card', async () => {
    await fraud.pay('accept', { antiFraudFingerprint: 'session 12', amount: 4711 });

    const requested = fraud.thirdParty.calls.at(-1);
    expect(requested?.body).toMatchObject({
      ...{ amount: 4711, currency: 'USD', email: 'accept@shop.example', session_id: 'session 12' },
      ...{ card_bin: '41111111', card_last_four: '1111' },
    });
    expect(JSON.stringify(requested)).not.toContain('4111111111111111');
  });

  it.each<[CheckFault, string]>([
    ['server_error', 'server_error'],
    ['lost', 'connection'],
    ['nonsense', 'unreadable'],
    ['hang', 'timeout'],
  ])('never stops a payment when the service meets %s', async (fault, reason) => {
    fraud.thirdParty.failNext(fault);

    const pay = () => fraud.pay('reject', { intent: 'CAPTURE' });
    const payment = await (fault === 'hang' ? withShortDeadline(harness.server.app, pay) : pay());

    expect(payment).toMatchObject({ status: 'CAPTURE_SUCCEEDED', antiFraudDecision: 'ERROR' });
    expect(payment.steps.find(({ name }) => name === 'anti-fraud-decision-error')?.context).toMatchObject({
      reason,
    });
  });

  it('is not called for merchant-initiated payments, nor while no service is active', async () => {
    const requested = fraud.thirdParty.calls.length;

    const started = await fraud.pay('reject', {
      merchantInitiated: true,
      isSubsequentPayment: true,
      paymentSource: 'RECURRING',
    });
    await fraud.set({ active: false });
    const unjudged = await fraud.pay('reject');
    await fraud.set({ active: true });

    for (const payment of [started, unjudged]) {
      expect(payment).toMatchObject({
        ...{ status: 'AUTHORIZATION_SUCCEEDED', antiFraudDecision: null, pendingReview: false },
        antiFraudService: null,
      });
      expect(namesOf(payment)).toEqual([]);
    }
    expect(fraud.thirdParty.calls).toHaveLength(requested);
  });

  it('leaves payments unchecked when its connector is unknown, and each payment records this', async () => {
    const { prisma } = harness.server.app.db;
    const called = async (definitionId: string) =>
      prisma.antiFraudService.updateMany({ where: { id: fraud.serviceId }, data: { definitionId } });
    const requested = fraud.thirdParty.calls.length;
    await called('gone');

    const payment = await fraud.pay('reject', { intent: 'CAPTURE' });
    await called('mock-anti-fraud');

    expect(payment).toMatchObject({ status: 'CAPTURE_SUCCEEDED', antiFraudDecision: 'ERROR' });
    expect(payment.antiFraudService).toEqual({ id: fraud.serviceId });
    expect(payment.steps.find(({ name }) => name === 'anti-fraud-decision-error')?.context).toMatchObject({
      ...{ reason: 'no_connector', anti_fraud_service_id: fraud.serviceId },
    });
    expect(fraud.thirdParty.calls).toHaveLength(requested);
  });

  it('is called once, however many payment services the payment tries', async () => {
    await createService(harness.server, harness.provider.url, { displayName: 'The next one' });
    const requested = fraud.thirdParty.calls.length;
    const since = await harness.since();

    // The first service declines with a retriable code. The next service declines too.
    const payment = await fraud.pay('accept', { amount: 200_012 });

    expect(payment).toMatchObject({ status: 'AUTHORIZATION_DECLINED', antiFraudDecision: 'ACCEPT' });
    expect(since.calls()).toEqual(['authorize', 'authorize']);
    expect(fraud.thirdParty.calls).toHaveLength(requested + 1);
  });
});

it('a repeat under the same key is answered from the record, without another check', async () => {
  const first = await fraud.pay('review', { intent: 'CAPTURE' }, 'judged once');
  const requested = fraud.thirdParty.calls.length;
  const since = await harness.since();

  const again = await fraud.pay('review', { intent: 'CAPTURE' }, 'judged once');

  expect(again.id).toBe(first.id);
  expect([fraud.thirdParty.calls.length - requested, since.calls(), await since.eventNames()]).toEqual([
    0,
    [],
    [],
  ]);
});
