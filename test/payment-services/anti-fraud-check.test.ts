import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  checkFraud,
  findStoredAntiFraudService,
  type FraudDecision,
  type FraudFacts,
} from '../../src/modules/payment-services/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { BARE_CHECK, CHECKED_CARD, strangerAt } from '../support/check-request.ts';
import { startFakeAntiFraud, type CheckFault, type FakeAntiFraud } from '../support/fake-anti-fraud.ts';
import { authorization, DOCUMENTS } from '../support/payments.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { CHECKS, openAntiFraudHarness, type AntiFraudHarness } from './anti-fraud-harness.ts';
import { CARDS } from './harness.ts';
import { withShortDeadline } from '../support/short-deadline.ts';

let server: TestServer;
let thirdParty: FakeAntiFraud;
let own: AntiFraudHarness;
let serviceId: string;

beforeAll(async () => {
  [server, thirdParty] = await Promise.all([startTestServer(), startFakeAntiFraud()]);
});
beforeEach(async () => {
  own = await openAntiFraudHarness(server);
  const fields = [...CHECKS.fields, { key: 'api_url', value: thirdParty.url }];
  ({ id: serviceId } = await own.made({ fields }));
});
afterAll(async () => {
  await server.stop();
  await thirdParty.close();
});

/** Creates a merchant-initiated transaction, which is committed without a check. */
async function transaction(): Promise<string> {
  const token = await server.mint({ merchantAccountId: own.merchantAccountId });
  const make = `mutation ($input: CreatePaymentServiceInput!) {
    createPaymentService(input: $input) { paymentService { id } userErrors { code } } }`;
  await server.graphql(make, { input: CARDS }, { token });
  const { verb, variables } = authorization(1299, null);
  const started = { merchantInitiated: true, isSubsequentPayment: true, paymentSource: 'RECURRING' };
  const { body } = await server.graphql<{ payload: { transaction: { id: string } | null } }>(
    DOCUMENTS[verb],
    { ...variables, input: { ...Object(variables['input']), ...started } },
    { token },
  );
  if (!body.data?.payload.transaction) throw new Error(JSON.stringify(body));
  return body.data.payload.transaction.id;
}

function factsOf(transactionId: string, emailAddress: string | null = 'accept@shop.example'): FraudFacts {
  const { key: _key, ...facts } = BARE_CHECK;
  return {
    ...{ ...facts, transactionId, money: { amount: 1299, currency: 'USD' }, deviceFingerprint: 'session 12' },
    card: { ...CHECKED_CARD, fingerprint: 'digest' },
    buyer: {
      ...{ displayName: 'Jane', externalIdentifier: 'customer-7', account: null },
      billingDetails: strangerAt(emailAddress)?.billingDetails ?? null,
    },
  };
}

/** Reads the active service from the database. */
async function activeService() {
  const { id } = (await own.list()).nodes.find(({ active }) => active) ?? {};
  const service = id && (await findStoredAntiFraudService(server.app.db, own.merchantAccountId, id));
  if (!service) throw new Error('There is no active service.');
  return service;
}

const check = async (facts: FraudFacts): Promise<FraudDecision> =>
  checkFraud(server.app, await activeService(), facts);

/** Stops claimed checks until so many have arrived. The returned function lets later ones pass. */
function gateFor(count: number): () => void {
  const waiting: (() => void)[] = [];
  return setFailpoint('anti_fraud_check.claimed', async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === count) for (const go of waiting) go();
    });
  });
}

const rows = () =>
  server.app.db.prisma.antiFraudCheck.findMany({ where: { merchantAccountId: own.merchantAccountId } });
const callsFor = (transactionId: string) =>
  thirdParty.calls.filter(({ idempotencyKey }) => idempotencyKey === transactionId);

describe('the check of a transaction', () => {
  test.each([
    ['accept@shop.example', 'accept', '100'],
    ['reject@shop.example', 'reject', '200'],
    ['review@shop.example', 'review', '300'],
    ['error@shop.example', 'error', '500'],
    ['timeout@shop.example', 'exception', '504'],
    [null, 'skipped', '400'],
  ] as const)('by %s is %s, and is kept', async (email, decision, rawResponseCode) => {
    const transactionId = await transaction();

    const decided = await check(factsOf(transactionId, email));

    expect(decided).toEqual({
      ...{ antiFraudServiceId: serviceId, decision, interfaceVersion: '2.1', cause: null, rawResponseCode },
      reference: email === null ? null : expect.stringMatching(/^chk_/),
      rawResponseDescription: expect.any(String),
    });
    expect(await rows()).toEqual([
      {
        ...{ merchantAccountId: own.merchantAccountId, transactionId, ...decided },
        ...{ createdAt: expect.any(Date), decidedAt: expect.any(Date) },
      },
    ]);
  });

  test('is sent with the service’s secret, the facts and only the permitted parts of the card', async () => {
    const transactionId = await transaction();

    await check(factsOf(transactionId));

    expect(callsFor(transactionId)).toEqual([
      {
        path: '/risk/2.1/checks',
        authorization: `Bearer ${CHECKS.fields[1]?.value ?? ''}`,
        idempotencyKey: transactionId,
        body: expect.objectContaining({
          ...{ merchant_id: 'm-1', check_ref: transactionId, amount: 1299, currency: 'USD' },
          ...{ email: 'accept@shop.example', name: 'Jane', customer_ref: 'customer-7' },
          ...{ card_bin: '411111', card_last_four: '1111', card_digest: 'digest', session_id: 'session 12' },
        }) as unknown,
      },
    ]);
  });

  test.each<[CheckFault, string]>([
    ['server_error', 'server_error'],
    ['lost', 'connection'],
    ['nonsense', 'unreadable'],
    ['another_check', 'unreadable'],
    ['hang', 'timeout'],
  ])('that meets %s is an error, never a rejection, and is over', async (fault, cause) => {
    const transactionId = await transaction();
    thirdParty.failNext(fault);

    const run = () => check(factsOf(transactionId, 'reject@shop.example'));
    const decided = await (fault === 'hang' ? withShortDeadline(server.app, run) : run());

    expect(decided).toMatchObject({ decision: 'error', cause, interfaceVersion: '2.1', reference: null });
    expect(await check(factsOf(transactionId, 'reject@shop.example'))).toEqual(decided);
    expect(callsFor(transactionId)).toHaveLength(1);
  });

  test('uses the newer version from the next check after the switch, and the older one after the switch back', async () => {
    const versionOfNext = async () => {
      const transactionId = await transaction();
      const decided = await check(factsOf(transactionId, 'review@shop.example'));
      expect(decided.decision).toBe('review');
      return [decided.interfaceVersion, ...callsFor(transactionId).map(({ path }) => path)];
    };

    expect(await versionOfNext()).toEqual(['2.1', '/risk/2.1/checks']);
    await own.update(serviceId, { newerInterfaceEnabled: true });
    expect(await versionOfNext()).toEqual(['10.2', '/risk/10.2/checks']);
    await own.update(serviceId, { newerInterfaceEnabled: false });
    expect(await versionOfNext()).toEqual(['2.1', '/risk/2.1/checks']);
    expect((await rows()).map(({ interfaceVersion }) => interfaceVersion).sort()).toEqual([
      '10.2',
      '2.1',
      '2.1',
    ]);
  });

  test('leaves the services of others in their own version', async () => {
    await own.update(serviceId, { newerInterfaceEnabled: true });
    own = await openAntiFraudHarness(server);
    await own.made();

    expect(await check(factsOf(await transaction()))).toMatchObject({ interfaceVersion: '2.1' });
  });
});

describe('when the definition of its service does not work', () => {
  test.each([
    ['no connector has it', () => ({ ...server.app, antiFraudConnectors: [] })],
    [
      'it is for the sandbox only',
      () => ({ ...server.app, config: { ...server.app.config, production: true } }),
    ],
  ])('(%s) it is an error that is stored, and no service is called, then or later', async (_, appOf) => {
    const transactionId = await transaction();
    const service = await activeService();

    const decided = await checkFraud(appOf(), service, factsOf(transactionId, 'reject@shop.example'));

    expect(decided).toMatchObject({ decision: 'error', cause: 'no_connector', interfaceVersion: 'none' });
    expect(await check(factsOf(transactionId, 'reject@shop.example'))).toEqual(decided);
    expect(callsFor(transactionId)).toHaveLength(0);
  });
});

describe('a repeated check', () => {
  test('returns the record without a call, even when the service has been switched or deleted since', async () => {
    const transactionId = await transaction();
    const service = await activeService();
    const decided = await check(factsOf(transactionId, 'review@shop.example'));
    await own.update(serviceId, { newerInterfaceEnabled: true });
    const switched = await check(factsOf(transactionId, 'accept@shop.example'));
    await own.delete(serviceId);

    const deleted = await checkFraud(server.app, service, factsOf(transactionId));

    expect([switched, deleted]).toEqual([decided, decided]);
    expect(callsFor(transactionId)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  test.each(['claimed', 'called'])(
    'after a death when it was %s, is sent under the same key',
    async (point) => {
      const transactionId = await transaction();
      const revive = setFailpoint(`anti_fraud_check.${point}`, () => {
        throw new Error('died');
      });
      await expect(check(factsOf(transactionId))).rejects.toThrow('died');
      revive();
      expect(await rows()).toMatchObject([{ decision: 'pending', decidedAt: null }]);

      expect(await check(factsOf(transactionId))).toMatchObject({ decision: 'accept' });

      expect(callsFor(transactionId)).toHaveLength(point === 'called' ? 2 : 1);
      expect(await rows()).toMatchObject([{ decision: 'accept', transactionId }]);
    },
  );

  test('at the same time as others gets the first decision', async () => {
    const transactionId = await transaction();
    thirdParty.failNext('server_error', 'nonsense');
    const letGo = gateFor(4);

    const decided = await Promise.all([1, 2, 3, 4].map(() => check(factsOf(transactionId))));
    letGo();

    const [row, ...others] = await rows();
    const { decision, cause, reference } = row ?? {};
    for (const each of decided) expect(each).toMatchObject({ decision, cause, reference });
    expect([others, callsFor(transactionId).length]).toEqual([[], 4]);
  });
});

test('the transaction of another merchant account is not checked', async () => {
  const transactionId = await transaction();
  own = await openAntiFraudHarness(server);
  await own.made();

  await expect(check(factsOf(transactionId))).rejects.toThrow();
  expect(await rows()).toEqual([]);
});

test.each([
  ['a rejection without an answer', { decision: 'reject', cause: 'timeout', decidedAt: new Date() }],
  ['a decision without its moment', { decision: 'accept' }],
  ['a word that is no decision', { decision: 'decline', decidedAt: new Date() }],
])('the database refuses %s', async (_, wrong) => {
  const transactionId = await transaction();
  const { merchantAccountId } = own;
  const row = { merchantAccountId, transactionId, antiFraudServiceId: serviceId, interfaceVersion: '2.1' };

  const writing = server.app.db.prisma.antiFraudCheck.create({
    data: { ...row, ...wrong, createdAt: new Date() },
  });

  await expect(writing).rejects.toThrow(/anti_fraud_check/);
});
