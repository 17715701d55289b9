import { describe, expect, it } from '@jest/globals';
import { noTokens } from '../support/no-tokens.ts';
import type { Connector } from '../../src/connectors/connector.ts';
import type { Verb } from '../../src/connectors/requests.ts';
import type { CallContext } from '../../src/connectors/call-context.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { REDIRECT_BY_POST_AMOUNT } from '../../src/connectors/sandbox/simulator.ts';
import { outcomeFromWire } from '../../src/connectors/sandbox/wire.ts';
import { FAULTS, ownFaults, startFakeProvider, type FakeProviderOptions } from '../support/fake-provider.ts';
import type { ContractMeans, MeansFeature } from './means-contract.ts';
import { describeContract } from './contract.ts';
import type { Decision, Subject } from './contract-provider.ts';

/** Amounts with these decisions in the sandbox. */
const AMOUNTS: Readonly<Record<Verb, Readonly<Partial<Record<Decision, number>>>>> = {
  authorize: { decline: 200_011, fail: 300_013, later_approve: 600_001, later_decline: 600_002 },
  capture: { decline: 500_002, fail: 500_001, later_approve: 610_001, later_decline: 610_002 },
  void: { decline: 510_002, fail: 510_001, later_approve: 620_001, later_decline: 620_002 },
  refund: { decline: 520_002, fail: 520_003, later_approve: 630_001, later_decline: 630_002 },
  cancel: { fail: 640_001 },
};

/** The parameters with which the sandbox's page sends the buyer back. */
const RETURNED = {
  approve: { redirect_result: 'approved' },
  refuse: { redirect_result: 'refused' },
  nothing: {},
};

const WALLET_TOKEN = '{"sandbox": "visa"}';

/** Means that the sandbox approves. */
const MEANS: Readonly<Record<MeansFeature, ContractMeans>> = {
  apple_pay: { wallet: { wallet: 'apple_pay', token: WALLET_TOKEN } },
  google_pay: { wallet: { wallet: 'google_pay', token: WALLET_TOKEN } },
  network_tokens: {
    networkToken: {
      ...{ number: '4895370012003478', expirationDate: '12/40' },
      ...{ cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', eci: '05' },
    },
  },
  provider_tokens: { token: 'tok_visa' },
};

/** One definition of each way to pay suffices for a manner that is the same for all. */
const CHOSEN = sandbox.definitions.filter(({ id }) => /^mock-(card|acquirer|redirect|bank)$/.test(id));

const SECRET = 'another secret of the test';

/** The merchant's own simulator, in one of several manners. */
const subject = (name: string, options: FakeProviderOptions): Subject => ({
  name,
  connector: Object.keys(options).length > 0 ? { ...sandbox, definitions: CHOSEN } : sandbox,
  faults: FAULTS,
  manner: ({ method }) => ({
    returns: method === 'ideal',
    keepsPayments: options.keepsPayments === true,
    comparesRepeats: options.comparesRequests === true,
    repeatsErrors: options.comparesRequests === true,
    receives: options.receivesOnly ? ['capture', 'refund', 'void', 'cancel'] : [],
  }),
  start: async ({ supportedFeatures }) => {
    const provider = await startFakeProvider(options);
    return {
      credentials: {
        merchant_id: 'test',
        api_key: 'a secret of the test',
        api_url: provider.url,
        webhook_secret: SECRET,
      },
      money: (verb, decision) => {
        if (decision.startsWith('later') && !supportedFeatures.sync) return null;
        const amount = decision === 'approve' ? 1299 : AMOUNTS[verb][decision];
        return amount === undefined ? null : { amount, currency: 'USD' };
      },
      failNext: (...faults) => provider.failNext(...ownFaults(faults)),
      release: () => provider.release(),
      keys: () =>
        provider.calls.flatMap(({ operation, idempotency_key }) =>
          operation === 'status' ? [] : [idempotency_key],
        ),
      done: () => [...provider.books].flatMap(([key, { result }]) => (result === 'pending' ? [] : [key])),
      finish: () => provider.finish(),
      webhooks: () => provider.owed.take(SECRET),
      takeBack: (verb, key) => {
        provider.owed.takenBack(verb, key);
        return true;
      },
      takeBackPart: (verb, key, amount) => provider.owed.takenBack(verb, key, { amount, currency: 'USD' }),
      goesByForm: { amount: REDIRECT_BY_POST_AMOUNT, currency: 'USD' },
      returned: (decision) => RETURNED[decision],
      means: (feature) => MEANS[feature],
      hasCaptured: (key, amount) => provider.hasCaptured(key, amount),
      close: () => provider.close(),
    };
  },
});

describeContract(subject('a provider that repeats its answers', {}));
describeContract(
  subject('a provider that compares repeats', { comparesRequests: true, keepsPayments: true }),
);
describeContract(subject('a provider that only receives', { receivesOnly: true, keepsPayments: true }));

const approved = {
  result: 'approved',
  id: 'pay_1',
  amount: 1299,
  currency: 'USD',
  code: '00',
  message: 'Approved',
};

describe("the sandbox provider's answer", () => {
  it('reports the results of the checks', () => {
    expect(outcomeFromWire({ ...approved, avs: 'no_match', cvv: 'not_provided' })).toMatchObject({
      kind: 'succeeded',
      avsResponseCode: 'no_match',
      cvvResponseCode: 'not_provided',
    });
  });

  it('counts despite an unknown word about the checks', () => {
    expect(outcomeFromWire({ ...approved, avs: 'X', cvv: 7 })).toMatchObject({
      kind: 'succeeded',
      reference: 'pay_1',
      avsResponseCode: null,
      cvvResponseCode: null,
    });
  });

  it.each([
    null,
    'approved',
    {},
    { ...approved, result: 'perhaps' },
    { ...approved, id: '' },
    { ...approved, amount: '1299' },
    { ...approved, amount: 12.99 },
    { ...approved, currency: undefined },
    { ...approved, code: 0 },
    { result: 'Not_Found' },
  ])('is unknown when it breaks the contract: %j', (answer) => {
    expect(outcomeFromWire(answer)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});

describe('the built-in provider', () => {
  const context = (definitionId: string): CallContext => {
    const definition = sandbox.definitions.find(({ id }) => id === definitionId);
    if (!definition) throw new Error(`No definition ${definitionId}`);
    const send = () => Promise.reject(new Error('The network was called'));
    const http = { send, refuseUrl: () => null, close: () => undefined };
    return {
      definition,
      credentials: { merchant_id: 'test' },
      http,
      deadlineMs: 1_000,
      environment: 'sandbox',
      accessTokens: noTokens(),
    };
  };
  const request = (amount: number): Parameters<Connector['capture']>[1] => ({
    key: 'one key',
    reference: 'pay_1',
    money: { amount, currency: 'USD' },
    final: true,
  });

  it('answers without a network, the same to the same key', async () => {
    const first = await sandbox.capture(context('mock-acquirer'), request(1299));

    expect(first).toMatchObject({ kind: 'succeeded', money: { amount: 1299, currency: 'USD' } });
    expect(await sandbox.capture(context('mock-acquirer'), request(1299))).toEqual(first);
  });

  it.each([
    ['mock-acquirer', 610_001, 'accepted', 'succeeded'],
    ['mock-acquirer', 610_002, 'accepted', 'declined'],
    ['mock-card', 610_001, 'succeeded', 'succeeded'],
    ['mock-card', 610_002, 'succeeded', 'succeeded'],
  ] as const)(
    'as %s answers a capture of %d with %s, then %s',
    async (definitionId, amount, reported, found) => {
      const requested = request(amount);

      expect(await sandbox.capture(context(definitionId), requested)).toMatchObject({ kind: reported });
      expect(
        await sandbox.lookup(context(definitionId), {
          ...requested,
          verb: 'capture',
          approval: null,
          createdAt: new Date(),
        }),
      ).toMatchObject({
        kind: found,
      });
    },
  );
});
