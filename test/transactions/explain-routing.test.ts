import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GraphqlError } from '../support/server.ts';
import { startHarness as startServices, type Harness, type Input } from '../payment-services/harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startServices();
});

afterAll(() => harness.stop());

type Explanation = {
  readonly message: string;
  readonly candidates: readonly {
    readonly paymentService: { readonly id: string };
    readonly choices: readonly string[];
    readonly message: string;
  }[];
  readonly candidateCount: number;
  readonly considered: readonly {
    readonly paymentService: { readonly id: string; readonly displayName?: string };
    readonly accepts: boolean;
    readonly reasons: readonly { readonly code: string; readonly message: string }[];
  }[];
  readonly consideredCount: number;
  readonly retryRules: readonly Readonly<Record<string, unknown>>[];
};

const DOCUMENT = `query ($input: ExplainRoutingInput!) { answer: explainRouting(input: $input) {
  message candidates { paymentService { id } choices message } candidateCount
  considered { paymentService { id } accepts reasons { code message } } consideredCount
  retryRules { after goesOn errorCodes message } } }`;

const PAY = `mutation ($amount: Int!, $connectionOptions: JSONObject) { answer: createTransaction(input: {
  amount: $amount, currency: "USD", country: "US", connectionOptions: $connectionOptions,
  paymentMethod: { card: { number: "4111111111111111", expirationDate: "03/30" } } }) { userErrors { message } } }`;

/** Creates a merchant account with these services by name. Returns a function that requests explanations there. */
async function accountWith(services: Readonly<Record<string, Input>> = {}) {
  const { id: merchantAccountId, token } = await harness.server.createMerchantAccount();
  const run = async <Answer>(document: string, variables: Input, as = token) => {
    const { body } = await harness.server.graphql<{ answer: Answer }>(document, variables, { token: as });
    return { answer: body.data?.answer ?? null, errors: body.errors ?? ([] as readonly GraphqlError[]) };
  };
  const names = new Map<string, string>();
  const ids: Record<string, string> = {};
  for (const [displayName, change] of Object.entries(services)) {
    const id = await makeService(run, { displayName, ...change });
    names.set(id, displayName);
    ids[displayName] = id;
  }
  const ask = (input: Input, as?: string) => run<Explanation>(DOCUMENT, { input }, as);
  const explain = async (input: Input = {}): Promise<Explanation> => {
    const { answer, errors } = await ask({ currency: 'USD', country: 'US', ...input });
    if (!answer) throw new Error(JSON.stringify(errors));
    return answer;
  };
  return { merchantAccountId, token, run, ask, explain, ids, nameOf: (id: string) => names.get(id) };
}

type Run = Awaited<ReturnType<typeof accountWith>>['run'];

async function makeService(run: Run, change: Input): Promise<string> {
  const { answer, errors } = await run<{ paymentService: { id: string } | null }>(
    `mutation ($input: CreatePaymentServiceInput!) { answer: createPaymentService(input: $input) {
      paymentService { id } userErrors { message path } } }`,
    {
      input: {
        paymentServiceDefinitionId: 'mock-card',
        fields: [{ key: 'merchant_id', value: 'm-1' }],
        acceptedCurrencies: ['USD'],
        acceptedCountries: ['US'],
        ...change,
      },
    },
  );
  if (!answer?.paymentService) throw new Error(JSON.stringify([answer, errors]));
  return answer.paymentService.id;
}

const candidatesOf = (
  { nameOf }: Awaited<ReturnType<typeof accountWith>>,
  { candidates }: Explanation,
): unknown[] => candidates.map(({ paymentService, choices }) => [nameOf(paymentService.id), choices]);

const GOING_ON = ['AFTER_FAILURE', 'AFTER_DECLINE'];
const REFUSED = 'createTransaction would refuse the payment with NO_PAYMENT_SERVICE.';

describe('the candidates', () => {
  test('come in routing order, each with the rules that admit the payment', async () => {
    const account = await accountWith({ c: { position: 3 }, a: { position: 1 }, b: { position: 2 } });

    const explained = await account.explain();

    expect(candidatesOf(account, explained)).toEqual([
      ['a', ['FIRST']],
      ['b', GOING_ON],
      ['c', GOING_ON],
    ]);
    expect(explained.candidates.map(({ message }) => message)).toEqual([
      'This payment service is the first by position that accepts the payment.',
      'This payment service is asked after the previous one failed, or declined with a retriable code.',
      'This payment service is asked after the previous one failed, or declined with a retriable code.',
    ]);
    expect(explained.message).toBe(
      '3 payment services accept the payment. The first is asked, and retryRules decide about the others.',
    );
  });

  test('are only the service that the payment names', async () => {
    const account = await accountWith({ first: {}, second: {} });

    const explained = await account.explain({ paymentServiceId: account.ids['second'] });

    expect(candidatesOf(account, explained)).toEqual([['second', ['REQUESTED']]]);
    expect(explained.message).toBe('The requested payment service accepts the payment.');
    expect(explained.candidates[0]?.message).toBe(
      'The request names this payment service, so no other is asked.',
    );
  });

  test('never follow a service that the connection options make the last', async () => {
    const services = {
      first: { position: 1 },
      second: { position: 2, paymentServiceDefinitionId: 'mockds-card' },
      third: { position: 3 },
    };
    const account = await accountWith(services);

    const explained = await account.explain({ connectionOptions: { 'mockds-card': { skip_retry: true } } });
    const other = await account.explain({ connectionOptions: { 'mockds-card': { skip_retry: false } } });

    expect(candidatesOf(account, explained)).toEqual([
      ['first', ['FIRST']],
      ['second', GOING_ON],
      ['third', []],
    ]);
    expect(explained.candidates[2]?.message).toBe(
      'This payment service accepts the payment but is never asked, because an earlier one has the option skip_retry.',
    );
    expect(candidatesOf(account, other)).toEqual([
      ['first', ['FIRST']],
      ['second', GOING_ON],
      ['third', GOING_ON],
    ]);
  });

  test('are of any country when the payment has none', async () => {
    const account = await accountWith({ us: {}, de: { acceptedCountries: ['DE'] } });

    const { answer } = await account.ask({ currency: 'USD' });

    expect(answer && candidatesOf(account, answer)).toEqual([
      ['us', ['FIRST']],
      ['de', GOING_ON],
    ]);
  });

  test.each([
    [
      'fails technically',
      300_013,
      {},
      ['failed', 'failed', 'failed'],
      ['first', 'after_failure', 'after_failure'],
    ],
    [
      'is declined in a retriable way',
      200_012,
      {},
      ['declined', 'declined', 'declined'],
      ['first', 'after_decline', 'after_decline'],
    ],
    ['is declined for good', 200_011, {}, ['declined'], ['first']],
    [
      'fails at one that is to be the last',
      300_013,
      { 'mockds-card': { skip_retry: true } },
      ['failed', 'failed'],
      ['first', 'after_failure'],
    ],
    ['succeeds', 100, {}, ['succeeded'], ['first']],
  ])(
    'are tried in this order by a payment that %s',
    async (_, amount, connectionOptions, statuses, choices) => {
      const account = await accountWith({
        off: { position: 1, active: false },
        first: { position: 2 },
        euro: { position: 3, acceptedCurrencies: ['EUR'] },
        second: { position: 4, paymentServiceDefinitionId: 'mockds-card' },
        third: { position: 5 },
      });

      const { candidates } = await account.explain({ connectionOptions });
      await account.run(PAY, { amount, connectionOptions });

      const requested = await harness.server.app.db.prisma.operation.findMany({
        where: { merchantAccountId: account.merchantAccountId },
        orderBy: { id: 'asc' },
      });
      expect(requested.map(({ status }) => status)).toEqual(statuses);
      expect(requested.map(({ choice }) => choice)).toEqual(choices);
      for (const [place, { paymentServiceId, choice }] of requested.entries()) {
        expect(candidates[place]?.paymentService.id).toBe(paymentServiceId);
        expect(candidates[place]?.choices).toContain(choice?.toUpperCase());
      }
      expect(candidates).toHaveLength(3);
    },
  );
});

describe('each payment service of the merchant account', () => {
  test('is listed with every reason against it', async () => {
    const account = await accountWith({
      wrong: { position: 1, active: false, acceptedCurrencies: ['EUR'], acceptedCountries: ['DE'] },
      right: { position: 2 },
    });

    const { considered, consideredCount } = await account.explain();

    expect(considered).toEqual([
      {
        paymentService: { id: account.ids['wrong'] },
        accepts: false,
        reasons: [
          { code: 'INACTIVE', message: 'The payment service is inactive.' },
          { code: 'CURRENCY', message: 'The payment service does not accept the currency.' },
          { code: 'COUNTRY', message: 'The payment service does not accept the country.' },
        ],
      },
      { paymentService: { id: account.ids['right'] }, accepts: true, reasons: [] },
    ]);
    expect(consideredCount).toBe(2);
  });

  test('is listed with causes outside the caller’s input: its status, another method, a missing definition', async () => {
    const account = await accountWith({ odd: {} });
    await harness.server.app.db.prisma.paymentService.updateMany({
      where: { merchantAccountId: account.merchantAccountId },
      data: { status: 'failed', method: 'ideal', definitionId: 'gone-ideal' },
    });

    const { considered } = await account.explain();

    expect(considered[0]?.reasons).toEqual([
      {
        code: 'NOT_READY',
        message: 'The provider refused the credentials of the payment service.',
      },
      { code: 'METHOD', message: 'The payment service has another method.' },
      {
        code: 'UNAVAILABLE',
        message:
          'This installation has no connector for the definition, or the definition works in the sandbox only.',
      },
    ]);
  });

  test('is listed although another one is named, but not when deleted or of another account', async () => {
    const account = await accountWith({ named: {}, other: {}, gone: {} });
    await account.run(
      `mutation ($id: ID!) { answer: deletePaymentService(id: $id) { userErrors { code } } }`,
      {
        id: account.ids['gone'],
      },
    );
    const foreign = await accountWith({ foreign: {} });

    const { considered } = await account.explain({ paymentServiceId: account.ids['named'] });
    const { message } = await account.explain({ paymentServiceId: foreign.ids['foreign'] });

    expect(considered.map(({ paymentService }) => account.nameOf(paymentService.id))).toEqual([
      'named',
      'other',
    ]);
    expect(considered[1]?.reasons).toEqual([
      { code: 'NOT_REQUESTED', message: 'The request names another payment service.' },
    ]);
    expect(message).toBe(`No payment service has the requested id, or the service was deleted. ${REFUSED}`);
  });

  test('shows the data of its own subgraph to callers with the scope', async () => {
    const account = await accountWith({ Cards: {} });
    const document = `query { answer: explainRouting(input: { currency: "USD" }) {
      considered { paymentService { id displayName } } } }`;
    const { merchantAccountId } = account;
    const blind = await harness.server.mint({ merchantAccountId, scopes: ['transactions.read'] });

    const seen = await account.run<Explanation>(document, {});
    const unseen = await account.run<Explanation>(document, {}, blind);

    expect(seen.answer?.considered).toEqual([
      { paymentService: { id: account.ids['Cards'], displayName: 'Cards' } },
    ]);
    expect(unseen.errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  });
});

describe('without a candidate, the answer gives the reason', () => {
  test.each([
    ['of none', {}, {}, 'The merchant account has no payment service.'],
    [
      'of none that accepts',
      { Cards: {} },
      { currency: 'EUR' },
      'No payment service accepts the payment. `considered` lists the reasons.',
    ],
    [
      'of an id that names nothing',
      { Cards: {} },
      { paymentServiceId: '01900000-0000-7000-8000-000000000000' },
      'No payment service has the requested id, or the service was deleted.',
    ],
    [
      'of what is no id',
      { Cards: {} },
      { paymentServiceId: "'; DROP TABLE payment_service" },
      'No payment service has the requested id, or the service was deleted.',
    ],
  ])('%s', async (_, services, input, sentence) => {
    const account = await accountWith(services);

    const { message, candidates, candidateCount } = await account.explain(input);

    expect(message).toBe(`${sentence} ${REFUSED}`);
    expect([candidates, candidateCount]).toEqual([[], 0]);
  });

  test('of a named service that does not accept', async () => {
    const account = await accountWith({ Cards: { active: false } });

    const { message } = await account.explain({ currency: 'EUR', paymentServiceId: account.ids['Cards'] });

    expect(message).toBe(
      `The payment service that the payment names does not accept it. The payment service is inactive. The payment service does not accept the currency. ${REFUSED}`,
    );
  });
});

test('the rules say under which conditions a payment continues', async () => {
  const account = await accountWith({ only: {} });

  const { retryRules, message } = await account.explain();

  expect(message).toBe('One payment service accepts the payment. A retry at another is not possible.');
  expect(retryRules).toEqual([
    {
      after: 'FAILED',
      goesOn: true,
      errorCodes: null,
      message: 'After a technical failure without effect, the payment is retried at the next candidate.',
    },
    {
      after: 'DECLINED',
      goesOn: true,
      errorCodes: [
        'incorrect_country',
        'incorrect_currency',
        'issuer_decline',
        'other_decline',
        'service_decline',
      ],
      message:
        'After a decline with one of these codes, the payment is retried at the next candidate. Any other code ends the payment.',
    },
    {
      after: 'UNKNOWN',
      goesOn: false,
      errorCodes: null,
      message: 'After an unknown outcome, the payment is never retried, because it may have succeeded.',
    },
  ]);
});

const REFUSED_PAY = `mutation ($input: CreateTransactionInput!) { answer: createTransaction(input: $input) {
  userErrors { code ... on NoPaymentService {
    passedOver { paymentService { id displayName } codes message } } } } }`;

type RefusedPay = {
  readonly userErrors: readonly {
    readonly code: string;
    readonly passedOver: readonly unknown[] | null;
  }[];
};

describe('a payment that no service takes', () => {
  const money = { currency: 'JPY', country: 'FR' };
  const card = { number: '4111111111111111', expirationDate: '03/40' };
  const input = { ...money, amount: 1200, paymentMethod: { card } };

  test('is refused with the reasons of explainRouting against each service', async () => {
    const account = await accountWith({ dollars: {}, idle: { active: false, acceptedCountries: ['FR'] } });

    const refused = await account.run<RefusedPay>(REFUSED_PAY, { input });
    const explained = await account.explain({ ...money, intent: 'AUTHORIZE' });

    expect(refused.errors).toEqual([]);
    expect(refused.answer?.userErrors).toEqual([
      {
        code: 'NO_PAYMENT_SERVICE',
        passedOver: explained.considered.map(({ paymentService, reasons }) => ({
          paymentService: { ...paymentService, displayName: account.nameOf(paymentService.id) },
          codes: reasons.map(({ code }) => code),
          message: reasons.map(({ message }) => message).join(' '),
        })),
      },
    ]);
    expect(explained.considered.map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([
      ['CURRENCY', 'COUNTRY'],
      ['INACTIVE', 'CURRENCY'],
    ]);
  });

  test('names no service where the account has none', async () => {
    const account = await accountWith();

    const refused = await account.run<RefusedPay>(REFUSED_PAY, { input });

    expect(refused.answer?.userErrors).toEqual([{ code: 'NO_PAYMENT_SERVICE', passedOver: [] }]);
  });

  test('keeps the reasons from a token that may not read', async () => {
    const { merchantAccountId, run } = await accountWith({ dollars: {} });
    const writer = await harness.server.mint({ merchantAccountId, scopes: ['transactions.write'] });

    const refused = await run<RefusedPay>(REFUSED_PAY, { input }, writer);

    expect(refused.answer).toBeNull();
    expect(refused.errors.map(({ extensions }) => extensions)).toMatchObject([
      { code: 'FORBIDDEN', requiredScopes: [['transactions.read']] },
    ]);
  });
});

test('an input beyond a limit is refused with its path, and its value is not repeated', async () => {
  const account = await accountWith();

  const { answer, errors } = await account.ask({
    currency: 'dollars',
    country: 'xanadu',
    method: 'shells',
    connectionOptions: { 'some-secret': {} },
  });

  expect(answer).toBeNull();
  expect(errors.map(({ extensions }) => [extensions.code, extensions['refusals']])).toEqual([
    [
      'INVALID_INPUT',
      [
        { path: ['input', 'currency'], message: 'Must be an ISO 4217 code such as USD.' },
        { path: ['input', 'country'], message: 'Must be an ISO 3166-1 code such as US.' },
        {
          path: ['input', 'method'],
          message:
            'Must be a method that createTransaction can pay with: card, bank, applepay, googlepay, network_token, paypal, ideal, venmo, oxxo.',
        },
        {
          path: ['input', 'connectionOptions'],
          message: 'Each name must be the id of a connector, such as mock-card.',
        },
      ],
    ],
  ]);
  expect(JSON.stringify(errors)).not.toMatch(/dollars|xanadu|shells|some-secret/);
});

test('a caller without the read scope gets nothing, and an explanation changes nothing', async () => {
  const account = await accountWith({ Cards: {} });
  const { merchantAccountId } = account;
  const stranger = await harness.server.mint({ merchantAccountId, scopes: ['payment-services.read'] });
  const reader = await harness.server.mint({ merchantAccountId, scopes: ['transactions.read'] });
  const before = await harness.dump();

  const refused = await account.ask({ currency: 'USD' }, stranger);
  const notified = await account.ask({ currency: 'USD' }, reader);

  expect(refused.answer).toBeNull();
  expect(refused.errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  expect(notified.answer?.candidateCount).toBe(1);
  expect(await harness.dump()).toBe(before);
});
