import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxConnectors } from '../support/sandbox-connectors.ts';
import { createTransaction } from '../../src/modules/transactions/index.ts';
import { CARD, createService } from './harness.ts';
import {
  cardOf,
  CHALLENGED,
  FRICTIONLESS,
  startThreeDSHarness,
  type ThreeDSHarness,
} from './three-ds-harness.ts';

let harness: ThreeDSHarness;
beforeAll(async () => {
  harness = await startThreeDSHarness();
});
afterAll(() => harness.stop());

const CAVV = /^[A-Za-z0-9+/]{27}=$/;
const UUID = /^[0-9a-f-]{36}$/;

const handed = () => harness.provider.calls.at(-1)?.three_d_secure;

describe('a payment whose buyer is authenticated at once', () => {
  it('is authorised with the data of the authentication, which the payment shows', async () => {
    const since = await harness.since();
    const paid = await harness.pay(cardOf(FRICTIONLESS));

    expect(paid).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      cvvResponseCode: 'MATCH',
      approvalUrl: null,
    });
    expect(paid.threeDSecure).toEqual({
      ...{ request: 'AUTOMATIC', amount: 1299, method: 'FRICTIONLESS', version: '2.2.0', status: 'COMPLETE' },
      ...{ enrollment: 'ENROLLED', eci: '05', errorData: null },
      responseData: {
        ...{ version: '2.2.0', eci: '05', directoryResponse: 'Y', authenticationResponse: null },
        cavv: expect.stringMatching(CAVV),
        directoryTransactionId: expect.stringMatching(UUID),
        ...{ xid: null, cavvAlgorithm: null, scheme: null },
      },
    });
    const { cavv, directoryTransactionId } = paid.threeDSecure?.['responseData'] as Record<string, string>;
    expect(since.calls()).toEqual(['authorize']);
    expect(handed()).toEqual({
      ...{ version: '2.2.0', eci: '05', cavv, directory_response: 'Y' },
      directory_transaction_id: directoryTransactionId,
    });
    expect(await since.eventNames()).toEqual(['transaction.authenticated', 'transaction.authorized']);
    expect(paid.steps.map(({ name }) => name)).toEqual([
      'three-d-secure-preparation-request',
      'three-d-secure-authentication-request',
      'three-d-secure-success',
      'payment-connector-response-transaction-authorization-succeeded',
    ]);
    expect(paid.steps[2]?.context).toMatchObject({ eci: '05', cavv, method: 'frictionless' });
  });

  it('has the data of version 1, and the indicators of Mastercard, when the rule and the card demand them', async () => {
    await harness.rule('version 1', { authentication: 'A', version: '1.0.2' });
    const paid = await harness.pay({ ...cardOf('5200000000001203'), externalIdentifier: 'version 1' });

    expect(paid.threeDSecure).toMatchObject({
      ...{ version: '1.0.2', status: 'COMPLETE', eci: '01' },
      responseData: {
        ...{ directoryResponse: 'Y', authenticationResponse: 'A', cavvAlgorithm: '2' },
        xid: expect.stringMatching(CAVV),
        directoryTransactionId: null,
      },
    });
  });

  it('is authenticated for the given authentication amount', async () => {
    const paid = await harness.pay({ ...cardOf(FRICTIONLESS), threeDSecure: { amount: 5000 } });
    expect(paid.threeDSecure?.['amount']).toBe(5000);
  });

  it('is authenticated once for one idempotency key, also after the rules have changed', async () => {
    const input = { ...cardOf(FRICTIONLESS), externalIdentifier: 'changed' };
    const first = await harness.pay(input, 'authenticated-once');
    await harness.rule('changed', { authentication: 'N' });
    const since = await harness.since();

    const again = await harness.create(input, 'authenticated-once');

    expect([again.replayed, again.transaction?.id, again.transaction?.status]).toEqual([
      true,
      first.id,
      'AUTHORIZATION_SUCCEEDED',
    ]);
    expect(since.calls()).toEqual([]);
    expect((await harness.show(first.id)).steps).toEqual(first.steps);
  });
});

describe('a payment whose buyer is not authenticated', () => {
  it.each([
    ['N', 'N', '07'],
    ['R', 'R', '07'],
  ])('with %s is declined, without a call to the provider', async (authentication, _, eci) => {
    await createService(harness.server, harness.provider.url, { definitionId: 'mock-card' });
    const externalIdentifier = `refused ${authentication}`;
    await harness.rule(externalIdentifier, { authentication });
    const since = await harness.since();

    const refused = await harness.pay({ externalIdentifier });

    expect(refused).toMatchObject({
      ...{ status: 'AUTHORIZATION_DECLINED', intentOutcome: 'FAILED', errorCode: 'failed_buyer_approval' },
      threeDSecure: { status: 'DECLINED', eci, responseData: null, errorData: null },
    });
    expect(refused.attempts).toEqual([{ status: 'DECLINED', errorCode: 'failed_buyer_approval' }]);
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual(['transaction.declined']);
    expect(refused.steps.map(({ name }) => name)).toEqual([
      'three-d-secure-preparation-request',
      'three-d-secure-authentication-request',
      'payment-connector-response-transaction-declined',
    ]);
  });

  it.each([
    ['U', { eci: '07', status: 'ERROR', errorData: null }, { version: '2.2.0', eci: '07' }],
    ['TIMEOUT', { eci: null, status: 'SETUP_ERROR', errorData: { code: '402', component: 'D' } }, undefined],
  ])(
    'for %s continues or stops, by the setting of its service',
    async (authentication, threeDSecure, given) => {
      const externalIdentifier = `undecided ${authentication}`;
      await harness.rule(externalIdentifier, { authentication });
      const gone = await harness.pay({ externalIdentifier });
      expect(gone).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', threeDSecure });
      expect(gone.threeDSecure?.['responseData']).toBeNull();
      if (given) expect(handed()).toMatchObject(given);
      else expect(handed()).toBeUndefined();

      await harness.set({ threeDSecureFallback: 'STOP' });
      expect(await harness.fallbacks()).toContain('STOP');
      const since = await harness.since();
      const stopped = await harness.pay({ externalIdentifier });
      await harness.set({ threeDSecureFallback: 'CONTINUE' });

      const errorCode = 'requires_buyer_authentication';
      expect(stopped).toMatchObject({ status: 'AUTHORIZATION_DECLINED', errorCode, threeDSecure });
      expect([since.calls(), await since.eventNames()]).toEqual([[], ['transaction.declined']]);
    },
  );
});

describe('a payment without authentication', () => {
  const recurring = { merchantInitiated: true, isSubsequentPayment: true, paymentSource: 'RECURRING' };
  it.each([
    ['by the merchant', { ...cardOf(CHALLENGED), ...recurring }],
    ['by telephone', { ...cardOf(CHALLENGED), paymentSource: 'MOTO' }],
    ['with a card that the sandbox knows nothing of', { paymentMethod: { card: CARD } }],
  ])('%s is authorised', async (_, input) => {
    const paid = await harness.pay(input);
    expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', threeDSecure: null });
    expect(handed()).toBeUndefined();
  });

  it('at a service without 3DS is authorised', async () => {
    await harness.set({ threeDSecureEnabled: false });
    const paid = await harness.pay(cardOf(CHALLENGED));
    await harness.set({ threeDSecureEnabled: true });
    expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', threeDSecure: null });
  });
});

describe('a payment in production, without any authentication service', () => {
  const input = {
    ...{ amount: 1299, currency: 'USD', intent: 'authorize', paymentSource: 'ecommerce', store: false },
    ...{ merchantInitiated: false, isSubsequentPayment: false, paymentMethod: { card: CARD } },
  };
  /** The sandbox's definitions as production definitions. */
  const connectors = sandboxConnectors.map((connector) => ({
    ...connector,
    definitions: connector.definitions.map((definition) => ({ ...definition, sandboxOnly: false })),
  }));
  async function payLive(more: object = {}) {
    const { app, merchantAccountId } = harness.server;
    const live = { ...app, connectors, config: { ...app.config, production: true } };
    const made = await createTransaction(live, { merchantAccountId }, { ...input, ...more }, null);
    if (!made.ok) throw new Error(JSON.stringify(made.refusals));
    return harness.show(made.value.transaction.id);
  }
  const threeDSecure = {
    ...{ amount: 1299, status: 'SETUP_ERROR', method: null, version: null, eci: null, responseData: null },
    errorData: { code: '404', component: 'S' },
  };

  it('is declined when its service stops such payments, without a call to the provider', async () => {
    await harness.set({ threeDSecureFallback: 'STOP' });
    const since = await harness.since();

    const stopped = await payLive();
    await harness.set({ threeDSecureFallback: 'CONTINUE' });

    const errorCode = 'requires_buyer_authentication';
    expect(stopped).toMatchObject({ status: 'AUTHORIZATION_DECLINED', errorCode, threeDSecure });
    expect(stopped.steps.map(({ name }) => name)).toEqual([
      'three-d-secure-request-error',
      'payment-connector-response-transaction-declined',
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], ['transaction.declined']]);
  });

  it('continues when its service allows this, and sends no invented data', async () => {
    const since = await harness.since();

    const paid = await payLive();

    expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', threeDSecure });
    expect([since.calls(), handed()]).toEqual([['authorize'], undefined]);
    expect(await since.eventNames()).toEqual(['transaction.authorized']);
  });

  it('is authorised when no authentication is due', async () => {
    await harness.set({ threeDSecureFallback: 'STOP' });
    const paid = await payLive({ paymentSource: 'moto' });
    await harness.set({ threeDSecureFallback: 'CONTINUE' });

    expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', threeDSecure: null });
  });
});

const V2 = {
  ...{ cavv: '3q2+78r+ur7erb7vyv66vv8=', eci: '05', version: '2.1.0', directoryResponse: 'C' },
  ...{ authenticationResponse: 'Y', directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d' },
};

describe('a payment whose buyer was authenticated elsewhere', () => {
  it('is authorised with the given data, without another authentication', async () => {
    const paid = await harness.pay({ ...cardOf(CHALLENGED), threeDSecure: { dataV2: V2 } });
    expect(paid).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      threeDSecure: {
        ...{
          amount: 1299,
          method: 'CHALLENGE',
          status: 'COMPLETE',
          enrollment: null,
          version: '2.1.0',
          eci: '05',
        },
        responseData: { ...V2, xid: null, cavvAlgorithm: null, scheme: null },
      },
    });
    expect(handed()).toMatchObject({ cavv: V2.cavv, directory_transaction_id: V2.directoryTransactionId });
  });

  it('keeps the data of version 1 as well', async () => {
    const { directoryTransactionId: _id, ...shared } = V2;
    const dataV1 = {
      ...shared,
      version: '1.0.2',
      directoryResponse: 'Y',
      cavvAlgorithm: '2',
      xid: 'eGlk',
      scheme: 'VISA',
    };
    const paid = await harness.pay({ threeDSecure: { dataV1 } });
    expect(paid.threeDSecure?.['responseData']).toEqual({
      ...dataV1,
      scheme: 'visa',
      directoryTransactionId: null,
    });
  });

  it('with other data is another payment to an idempotency key', async () => {
    await harness.create({ threeDSecure: { dataV2: V2 } }, 'external');
    const other = { ...V2, cavv: 'AAABBBCCC78r+ur7erb7vyv66vv8=' };
    const { userErrors } = await harness.create({ threeDSecure: { dataV2: other } }, 'external');
    expect(userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.threeDSecure.dataV2.cavv'] },
    ]);
  });

  it.each([
    [
      'an indicator of two digits',
      { threeDSecure: { dataV2: { ...V2, eci: '15' } } },
      ['input', 'threeDSecure', 'dataV2', 'eci'],
    ],
    [
      'no card',
      {
        ...{ threeDSecure: { dataV2: V2 }, redirectUrl: 'https://shop.example/' },
        paymentMethod: { redirect: { method: 'paypal' } },
      },
      ['input', 'threeDSecure', 'dataV2'],
    ],
  ])('is refused with %s', async (_, input, path) => {
    const since = await harness.since();
    const { transaction, userErrors } = await harness.create(input);
    expect([transaction, userErrors.map((error) => error.path)]).toEqual([null, [path]]);
    expect(since.calls()).toEqual([]);
  });
});
