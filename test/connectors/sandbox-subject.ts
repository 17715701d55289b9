import { UNKNOWN_ACCOUNT } from '../../src/connectors/sandbox/simulator/shared-money.ts';
import type { Verb } from '../../src/connectors/interface/requests.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import {
  REDIRECT_BY_POST_AMOUNT,
  type SimulatorReply,
} from '../../src/connectors/sandbox/simulator/simulator.ts';
import { FAULTS, ownFaults, startFakeProvider, type FakeProviderOptions } from '../support/fake-provider.ts';
import type { Decision, Subject, ContractMeans, MeansFeature } from './contract-provider.ts';

/** Amounts with these decisions in the sandbox. */
const AMOUNTS: Readonly<Record<Verb, Readonly<Partial<Record<Decision, number>>>>> = {
  authorize: { decline: 200_011, fail: 300_013, later_approve: 600_001, later_decline: 600_002 },
  increase: { decline: 530_002, fail: 530_001, later_approve: 690_001, later_decline: 690_002 },
  reauthorize: { decline: 540_002, fail: 540_001, later_approve: 690_003, later_decline: 690_004 },
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
const sandboxSubject = (name: string, options: FakeProviderOptions): Subject => ({
  name,
  connector: Object.keys(options).length > 0 ? { ...sandbox, definitions: CHOSEN } : sandbox,
  faults: FAULTS,
  manner: ({ method }) => ({
    returns: method === 'ideal',
    keepsPayments: options.keepsPayments === true,
    comparesRepeats: options.comparesRequests === true,
    repeatsErrors: options.comparesRequests === true,
    receives: options.receivesOnly ? ['increase', 'reauthorize', 'capture', 'refund', 'void', 'cancel'] : [],
  }),
  start: async ({ supportedFeatures }) => {
    const provider = await startFakeProvider(options);
    return {
      recipients: { known: 'seller', unknown: UNKNOWN_ACCOUNT },
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
      elsewhere: provider.hand,
      failNext: (...faults) => provider.failNext(...ownFaults(faults)),
      release: () => provider.release(),
      keys: () =>
        provider.calls.flatMap(({ operation, idempotency_key }) =>
          operation === 'status' ? [] : [idempotency_key],
        ),
      done: () => [...provider.books].flatMap(([key, reply]) => (hasEffect(reply) ? [key] : [])),
      finish: () => provider.finish(),
      webhooks: () => provider.owed.take(SECRET),
      takeBack: (verb, key) => {
        provider.owed.takenBack(verb, key);
        return true;
      },
      takeBackPart: (verb, key, amount) => provider.owed.takenBack(verb, key, { amount, currency: 'USD' }),
      returnUrl: (key) =>
        provider.calls.findLast((call) => call.operation === 'authorize' && call.idempotency_key === key)
          ?.return_url ?? '',
      goesByForm: { amount: REDIRECT_BY_POST_AMOUNT, currency: 'USD' },
      returned: (decision) => RETURNED[decision],
      means: (feature) => MEANS[feature],
      hasCaptured: (key, amount) => provider.hasCaptured(key, amount),
      close: () => provider.close(),
    };
  },
});

/** False for a payment that waits for its buyer, or that has waited in vain. */
const hasEffect = ({ result, code }: SimulatorReply): boolean =>
  result !== 'pending' && code !== 'incomplete_buyer_approval';

/** A provider that answers every repeat as it answered the first request. */
export const repeating = sandboxSubject('a provider that repeats its answers', {});

/** A provider with documented idempotency: it refuses a repeat with other parameters, and repeats its own errors. */
export const comparing = sandboxSubject('a provider that compares repeats', {
  comparesRequests: true,
  keepsPayments: true,
});

/** A provider that answers each follow-up with "received", and decides by webhook. */
export const receiving = sandboxSubject('a provider that only receives', {
  receivesOnly: true,
  keepsPayments: true,
});

/** The definitions through which the sandbox pays in a running service. */
export const CORE_WAYS = {
  direct: { definition: 'mock-acquirer', pays: 'by card' },
  away: { definition: 'mock-redirect', pays: { redirect: { method: 'ideal' } } },
} as const;
