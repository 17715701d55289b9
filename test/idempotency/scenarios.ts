import { randomUUID } from 'node:crypto';
import { idOf, money, record, type Made } from './made.ts';
import { createPaymentLink } from './payment-link.ts';
import type { Arguments, Harness, Payload, Tenant } from './harness.ts';
import { changeScenarios } from './changes.ts';
import { disputeScenarios } from './disputes.ts';
import { exportScenarios } from './exports.ts';
import { routingScenarios } from './routing.ts';
import { threeDSScenarios } from './three-ds.ts';
import { antiFraudService, giftCardService, serviceAt } from './services.ts';
import { recordTestEvent } from '../support/record-test-event.ts';
import { relayAll } from '../support/relay-all.ts';

/** The test data of one mutation. Each new mutation with a key needs an entry below. */
export type Scenario = {
  /** The created rows, which the test counts. */
  readonly makes: Made;
  /** Prepares the state that the mutation needs. */
  readonly given: (harness: Harness, tenant: Tenant) => Promise<Given>;
  /** Input paths at which `other` differs from `input`. */
  readonly differs: readonly string[];
  /** The error code for `refused`. */
  readonly refusal: string;
  /** True if `input` can run again, with another key, after its own effect. */
  readonly repeatable: boolean;
  /** A payload field that only the first answer shows. */
  readonly shownOnce?: string;
  /** Other input that becomes invalid two minutes later, when a month ends. Absent when time changes nothing. */
  readonly timely?: (now: Date, tenant: Tenant) => Arguments;
  /** Changes the created record. A replay must not show the change. Absent for records that never change. */
  readonly meanwhile?: (tenant: Tenant, made: Payload) => Promise<unknown>;
};

export type Given = {
  readonly input: Arguments;
  /** The same request in another form. */
  readonly alike?: Arguments;
  /** Another valid request. */
  readonly other: Arguments | Prepared;
  /** A request that is refused because of its input. */
  readonly refused: Arguments | Prepared;
};

type Prepared = () => Promise<Arguments>;

/** Every mutation with a key, see rule.ts. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  createMerchantAccount: {
    makes: record('merchant_account', `id LIKE $1 || '-%'`),
    given: async (_, { id: tenant }) => {
      const input = { id: `${tenant}-${randomUUID().slice(0, 8)}`, displayName: 'A', overCaptureAmount: 5 };
      return {
        input: { input },
        alike: { input: { ...input, overCapturePercentage: null } },
        other: { input: { ...input, id: `${input.id}-b`, overCaptureAmount: null } },
        refused: { input: { ...input, overCapturePercentage: 101 } },
      };
    },
    differs: ['input.id', 'input.overCaptureAmount'],
    refusal: 'INVALID_INPUT',
    repeatable: false,
    meanwhile: (tenant, made) =>
      tenant.make('updateMerchantAccount', {
        id: idOf(made, 'merchantAccount'),
        input: { displayName: 'B' },
      }),
  },
  createApiKeyPair: {
    makes: record('api_key_pair', '$1 = ANY (merchant_account_ids)'),
    given: async (_, { id: tenant }) => {
      const input = { displayName: 'A', scopes: ['*.read'], merchantAccountIds: [tenant] };
      return {
        input: { input },
        alike: { input: { ...input, algorithm: 'ES512', scopes: ['*.read', '*.read'], publicKey: null } },
        other: { input: { ...input, scopes: ['*.write'] } },
        refused: { input: { ...input, scopes: [] } },
      };
    },
    differs: ['input.scopes.0'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    shownOnce: 'privateKey',
    timely: (now, { id: tenant }) => ({
      input: {
        displayName: 'A',
        scopes: ['*.read'],
        merchantAccountIds: [tenant],
        expiresAt: new Date(now.getTime() + 60_000),
      },
    }),
    meanwhile: (tenant, made) =>
      tenant.make('updateApiKeyPair', { id: idOf(made, 'apiKeyPair'), input: { displayName: 'B' } }),
  },
  createWebhookEndpoint: {
    makes: record('webhook_endpoint', 'merchant_account_id = $1'),
    given: async () => {
      const input = { url: 'http://127.0.0.1:9/hooks' };
      return {
        input: { input },
        alike: { input: { ...input, description: null, eventNames: [] } },
        other: { input: { ...input, eventNames: ['transaction.*'] } },
        refused: { input: { url: 'ftp://127.0.0.1/hooks' } },
      };
    },
    differs: ['input.eventNames.0'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    shownOnce: 'secret',
    meanwhile: (tenant, made) =>
      tenant.ask('mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }', {
        id: idOf(made, 'webhookEndpoint'),
      }),
  },
  rotateWebhookSecret: {
    // All secrets except the one from the creation of the endpoint.
    makes: record(
      'webhook_secret s JOIN webhook_endpoint e USING (merchant_account_id)',
      'merchant_account_id = $1 AND e.id = s.endpoint_id AND s.created_at > e.created_at',
    ),
    given: async (_, tenant) => {
      const { id } = await tenant.make('createWebhookEndpoint', {
        input: { url: 'http://127.0.0.1:9/hooks' },
      });
      return {
        input: { id },
        alike: { id: id.toUpperCase(), overlapMinutes: 1440 },
        other: { id, overlapMinutes: 60 },
        refused: { id, overlapMinutes: 10_081 },
      };
    },
    differs: ['overlapMinutes'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    shownOnce: 'secret',
    meanwhile: (tenant, made) =>
      tenant.ask('mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }', {
        id: idOf(made, 'webhookEndpoint'),
      }),
  },
  replayDelivery: {
    makes: record('replay_job', 'merchant_account_id = $1'),
    given: async (harness, tenant) => {
      const webhookEndpointId = await subscribe(tenant);
      const [eventId, later] = [await happen(harness, tenant), await happen(harness, tenant)];
      return {
        input: { webhookEndpointId, eventId },
        alike: { webhookEndpointId: webhookEndpointId.toUpperCase(), eventId: eventId.toUpperCase() },
        other: { webhookEndpointId, eventId: later },
        refused: { webhookEndpointId, eventId: webhookEndpointId },
      };
    },
    differs: ['eventId'],
    refusal: 'NOT_FOUND',
    repeatable: true,
  },
  replayEvent: {
    makes: record('replay_job', 'merchant_account_id = $1'),
    given: async (harness, tenant) => {
      await subscribe(tenant);
      const [eventId, later] = [await happen(harness, tenant), await happen(harness, tenant)];
      return {
        input: { eventId },
        alike: { eventId: eventId.toUpperCase() },
        other: { eventId: later },
        refused: { eventId: randomUUID() },
      };
    },
    differs: ['eventId'],
    refusal: 'NOT_FOUND',
    repeatable: true,
  },
  replayEvents: {
    makes: record('replay_job', 'merchant_account_id = $1'),
    given: async (harness, tenant) => {
      const webhookEndpointId = await subscribe(tenant);
      await happen(harness, tenant);
      const input = { webhookEndpointId, scope: 'ALL', from: '2020-01-01T00:00:00Z' };
      return {
        input: { input },
        alike: { input: { ...input, from: '2020-01-01T01:00:00+01:00', until: null, dryRun: false } },
        other: { input: { ...input, scope: 'FAILED', from: null } },
        refused: { input: { ...input, until: '2019-12-31T00:00:00Z' } },
      };
    },
    differs: ['input.from', 'input.scope'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    meanwhile: (tenant, made) => tenant.make('cancelReplayJob', { id: idOf(made, 'replayJob') }),
  },
  createBuyer: {
    makes: record('buyer', 'merchant_account_id = $1'),
    given: async () => {
      const input = { displayName: 'Jane', billingDetails: { emailAddress: 'jane@example.com' } };
      return {
        input: { input },
        alike: { input: { ...input, accountNumber: null } },
        other: { input: { ...input, displayName: 'Joan' } },
        refused: { input: { ...input, displayName: '' } },
      };
    },
    differs: ['input.displayName'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    meanwhile: (tenant, made) =>
      tenant.make('updateBuyer', { id: idOf(made, 'buyer'), input: { displayName: 'Joan' } }),
  },
  createShippingDetails: {
    makes: record('shipping_details', 'merchant_account_id = $1'),
    given: async (_, tenant) => {
      const { id: buyerId } = await tenant.make('createBuyer', { input: {} });
      const input = { firstName: 'Jane', address: { city: 'Berlin' } };
      return {
        input: { buyerId, input },
        alike: { buyerId, input: { ...input, lastName: null } },
        other: { buyerId, input: { ...input, firstName: 'Joan' } },
        refused: { buyerId, input: { ...input, firstName: '' } },
      };
    },
    differs: ['input.firstName'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    meanwhile: (tenant, made) =>
      tenant.make('updateShippingDetails', {
        id: idOf(made, 'shippingDetails'),
        input: { firstName: 'Joan' },
      }),
  },
  storeGiftCard: {
    makes: record('gift_card', 'merchant_account_id = $1'),
    given: async (_, tenant) => {
      await tenant.make('createPaymentService', { input: giftCardService(tenant) });
      const input = { number: '9000 0000 0000 0001', pin: '01234' };
      return {
        input: { input },
        alike: { input: { ...input, number: '9000000000000001', buyerId: null } },
        other: { input: { ...input, pin: '01235' } },
        refused: { input: { ...input, pin: '10000' } },
      };
    },
    differs: ['input.pin'],
    refusal: 'GIFT_CARD_REFUSED',
    repeatable: true,
    meanwhile: (tenant, made) =>
      tenant.ask('mutation ($id: ID!) { deleteGiftCard(id: $id) { deletedId } }', {
        id: idOf(made, 'giftCard'),
      }),
  },
  storePaymentMethod: {
    makes: record('payment_method', 'merchant_account_id = $1'),
    given: async () => {
      const card = { number: '4111 1111 1111 1111', expirationDate: '12/99', securityCode: '100' };
      const store = (given: Arguments): Arguments => ({ input: { instrument: { card }, ...given } });
      return {
        input: store({ externalIdentifier: 'A' }),
        // The record of a key leaves out the security code.
        alike: store({
          externalIdentifier: 'A',
          instrument: { card: { ...card, number: '4111111111111111', securityCode: '999' } },
          buyerId: null,
        }),
        other: store({ instrument: { card: { ...card, number: '5200000000001203' } } }),
        refused: store({ buyerId: randomUUID() }),
      };
    },
    differs: ['input.externalIdentifier', 'input.instrument.card.number'],
    refusal: 'NOT_FOUND',
    repeatable: true,
    timely: (now) => {
      const [year, month] = now.toISOString().slice(2, 7).split('-');
      const card = { number: '4111111111111111', expirationDate: `${month}/${year}` };
      return { input: { instrument: { card } } };
    },
    meanwhile: (tenant, made) =>
      tenant.make('updatePaymentMethod', {
        id: idOf(made, 'paymentMethod'),
        input: { schemeTransactionId: 'B' },
      }),
  },
  createPaymentLink,
  createPaymentService: {
    makes: record('payment_service', 'merchant_account_id = $1'),
    given: async ({ provider }) => {
      const input = serviceAt(provider.url);
      return {
        input: { input },
        alike: { input: { ...input, active: null, acceptedCurrencies: ['USD', 'USD'], merchantProfile: [] } },
        other: { input: { ...input, active: false, acceptedCountries: ['US', 'FR'] } },
        refused: { input: { ...input, acceptedCurrencies: ['usd'] } },
      };
    },
    differs: ['input.acceptedCountries.1', 'input.active'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    meanwhile: (tenant, made) => tenant.make('deletePaymentService', { id: idOf(made, 'paymentService') }),
  },
  createAntiFraudService: {
    makes: record('anti_fraud_service', 'merchant_account_id = $1'),
    given: async () => {
      const input = antiFraudService('a secret of the test');
      return {
        input: { input },
        alike: { input: { ...input, newerInterfaceEnabled: null, fallback: 'ACCEPT' } },
        other: { input: { ...antiFraudService('another secret'), fallback: 'REVIEW' } },
        refused: { input: { ...input, displayName: '' } },
      };
    },
    differs: ['input.fallback', 'input.fields.1.value'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    meanwhile: (tenant, made) =>
      tenant.make('deleteAntiFraudService', { id: idOf(made, 'antiFraudService') }),
  },
  createTransaction: {
    makes: money('authorize'),
    given: async (harness, tenant) => {
      await createService(harness, tenant, 'mock-card');
      const card = { number: '4111 1111 1111 1111', expirationDate: '12/99', securityCode: '100' };
      return {
        input: payment({ card }),
        // The record of a key leaves out the security code.
        alike: payment({ card: { ...card, number: '4111111111111111', securityCode: '999' }, country: null }),
        other: payment({ card: { ...card, number: '5200000000001203' }, amount: 1300 }),
        refused: payment({ card, currency: 'usd' }),
      };
    },
    differs: ['input.amount', 'input.paymentMethod.card.number'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    timely: (now) => {
      const [year, month] = now.toISOString().slice(2, 7).split('-');
      return payment({ card: { number: '4111111111111111', expirationDate: `${month}/${year}` } });
    },
    meanwhile: (tenant, made) => tenant.make('captureTransaction', { id: idOf(made, 'transaction') }),
  },
  captureTransaction: {
    makes: money('capture'),
    given: async (harness, tenant) => {
      const id = await pay(harness, tenant);
      return {
        input: { id, input: { amount: 500 } },
        alike: { id: id.toUpperCase(), input: { amount: 500, externalIdentifier: null } },
        other: { id, input: { amount: 501 } },
        refused: { id, input: { amount: 1300 } },
      };
    },
    differs: ['input.amount'],
    refusal: 'CAPTURE_TOO_LARGE',
    repeatable: false,
    meanwhile: (tenant, made) =>
      tenant.make('refundTransaction', { id: idOf(made, 'transaction'), input: { amount: 1 } }),
  },
  refundTransaction: {
    makes: money('refund'),
    given: async (harness, tenant) => {
      const id = await pay(harness, tenant, { intent: 'CAPTURE' });
      return {
        input: { id, input: { amount: 100, reason: 'late' } },
        alike: { id: id.toUpperCase(), input: { amount: 100, reason: 'late', externalIdentifier: null } },
        other: { id, input: { amount: 100, reason: 'later', externalIdentifier: 'R 2' } },
        refused: { id, input: { amount: 1300, reason: 'late' } },
      };
    },
    differs: ['input.externalIdentifier', 'input.reason'],
    refusal: 'REFUND_TOO_LARGE',
    repeatable: true,
    meanwhile: (tenant, made) =>
      tenant.make('refundTransaction', { id: idOf(made, 'transaction'), input: { amount: 1 } }),
  },
  voidTransaction: {
    makes: money('void'),
    given: async (harness, tenant) => {
      const id = await pay(harness, tenant);
      return {
        input: { id },
        alike: { id: id.toUpperCase() },
        other: async () => ({ id: await pay(harness, tenant) }),
        refused: async () => ({ id: await pay(harness, tenant, { intent: 'CAPTURE' }) }),
      };
    },
    differs: ['id'],
    refusal: 'OPERATION_NOT_ALLOWED',
    repeatable: false,
  },
  resolveReview: {
    makes: money('capture'),
    given: async (harness, tenant) => {
      const id = await payHeld(harness, tenant);
      return {
        input: { id, input: { decision: 'ACCEPT', comment: 'Known to us' } },
        alike: { id: id.toUpperCase(), input: { decision: 'ACCEPT', comment: 'Known to us' } },
        other: { id, input: { decision: 'ACCEPT', comment: 'Known' } },
        refused: async () => ({ id: await pay(harness, tenant), input: { decision: 'ACCEPT' } }),
      };
    },
    differs: ['input.comment'],
    refusal: 'OPERATION_NOT_ALLOWED',
    repeatable: false,
    meanwhile: (tenant, made) =>
      tenant.make('refundTransaction', { id: idOf(made, 'transaction'), input: { amount: 1 } }),
  },
  cancelTransaction: {
    makes: money('cancel'),
    given: async (harness, tenant) => {
      const id = await payLater(harness, tenant);
      return {
        input: { id },
        alike: { id: id.toUpperCase() },
        other: async () => ({ id: await payLater(harness, tenant) }),
        refused: async () => ({ id: await pay(harness, tenant, {}, 'mock-acquirer') }),
      };
    },
    differs: ['id'],
    refusal: 'OPERATION_NOT_ALLOWED',
    repeatable: false,
  },
  ...changeScenarios(pay),
  ...disputeScenarios,
  ...exportScenarios,
  ...routingScenarios,
  ...threeDSScenarios,
};

/** Creates an endpoint without a listening receiver. Returns its id. */
const subscribe = async (tenant: Tenant): Promise<string> =>
  (await tenant.make('createWebhookEndpoint', { input: { url: 'http://127.0.0.1:9/hooks' } })).id;

/** Creates an event in the feed without any delivery. Returns its id. */
async function happen(harness: Harness, { id: merchantAccountId }: Tenant): Promise<string> {
  const { app } = harness.server;
  const id = randomUUID();
  await app.db.transaction((tx) =>
    recordTestEvent(tx, {
      ...{ merchantAccountId, id, name: 'test.happened', createdAt: app.clock.now(), production: false },
      target: { type: 'test', id },
    }),
  );
  await relayAll(app);
  await harness.rows("UPDATE delivery SET state = 'done' WHERE merchant_account_id = $1", merchantAccountId);
  return id;
}

const createService = ({ provider }: Harness, tenant: Tenant, paymentServiceDefinitionId: string) =>
  tenant.make('createPaymentService', { input: { ...serviceAt(provider.url), paymentServiceDefinitionId } });

const payment = ({ card, ...input }: Arguments): Arguments => ({
  input: { amount: 1299, currency: 'USD', paymentMethod: { card }, ...input },
});

/** Creates a payment of 1299, authorised unless `change` says otherwise. Returns its id. */
async function pay(
  harness: Harness,
  tenant: Tenant,
  change: Arguments = {},
  definition = 'mock-card',
): Promise<string> {
  const { id: paymentServiceId } = await createService(harness, tenant, definition);
  const card = { number: '4111111111111111', expirationDate: '12/99' };
  const { id } = await tenant.make('createTransaction', payment({ card, paymentServiceId, ...change }));
  return id;
}

/** Creates a payment that is captured after an accepted review. The anti-fraud service may exist already. */
async function payHeld(harness: Harness, tenant: Tenant): Promise<string> {
  await tenant.send('createAntiFraudService', { input: { ...antiFraudService(randomUUID()), active: true } });
  const buyer = { billingDetails: { emailAddress: 'review@shop.example' } };
  return pay(harness, tenant, { intent: 'CAPTURE', buyer });
}

/** Creates a payment that the provider accepts and decides after a day. No look-up happens meanwhile. */
async function payLater(harness: Harness, tenant: Tenant): Promise<string> {
  const [id, now] = [await pay(harness, tenant, { amount: 600_001 }, 'mock-acquirer'), harness.clock.now()];
  await harness.rows(
    'UPDATE operation SET next_attempt_at = $2 WHERE transaction_id = $1::uuid',
    id,
    new Date(now.getTime() + 86_400_000),
  );
  return id;
}
