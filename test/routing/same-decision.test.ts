import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shownRule } from '../../src/graph/resolvers/setup/routing-rules.ts';
import { compileVersion } from '../../src/modules/routing/model/compile.ts';
import { decide, FIRST_ATTEMPT, type RoutingFacts } from '../../src/modules/routing/index.ts';
import type {
  Action,
  Condition,
  RuleSetVersion,
  ServiceOrder,
  Test,
} from '../../src/modules/routing/model/rule.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { anyFacts, anyVersion, SERVICES, versionOf } from './arbitrary.ts';
import { CARD, openShop, type Decision, type Shop } from './harness.ts';

const SEED = 7;
const VERSIONS = fc.sample(anyVersion, { seed: SEED, numRuns: 6 });
/** Payments of a buyer. A payment without a buyer draws by its own id, which differs in each process. */
const PAYMENTS = fc
  .sample(fc.tuple(anyFacts, fc.uuid()), { seed: SEED, numRuns: 8 })
  .map(([facts, buyerId]): RoutingFacts => ({
    ...{ ...facts, buyerId, method: 'card', instrument: 'pan' },
    ...FIRST_ATTEMPT,
  }));

/** Divides all payments. */
const HALVES = {
  action: {
    kind: 'split' as const,
    shares: ['a', 'b'].map((id) => ({ weight: 1, paymentServiceIds: [id], onlyThese: true })),
  },
};

let servers: readonly [TestServer, TestServer];
let shop: Shop;
/** The settings by which a process joins the installation. */
const settings: Record<string, string> = {};
beforeAll(async () => {
  const first = await startTestServer();
  const { DATABASE_URL = '', PAYGRAPH_DATA_DIR } = first.app.config;
  Object.assign(settings, { DATABASE_URL, PAYGRAPH_DATA_DIR });
  servers = [first, await startTestServer({ settings })];
  const takes = { acceptedCurrencies: ['EUR', 'USD'], acceptedCountries: ['DE', 'FR', 'US'] };
  shop = await openShop(first, [takes, takes, takes]);
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

/** Lets the orders of a version name the services of the shop, each once. */
function ofShop({ paymentServiceIds, ...order }: ServiceOrder): ServiceOrder {
  return { ...order, paymentServiceIds: idsOfShop(paymentServiceIds) };
}

const idsOfShop = (ids: readonly string[]): readonly string[] => [
  ...new Set(ids.map((id) => shop.services[(SERVICES.indexOf(id) + 3) % 3] ?? '')),
];

const testOf = (test: Test): Test =>
  test.fact === 'formerService' ? { ...test, values: idsOfShop(test.values) } : test;

const conditionOf = (condition: Condition): Condition =>
  condition.fact === 'anyOf' ? { ...condition, tests: condition.tests.map(testOf) } : testOf(condition);

function actionOf(action: Action): Action {
  if (action.kind === 'order') return { ...action, ...ofShop(action) };
  if (action.kind !== 'split') return action;
  return { ...action, shares: action.shares.map((share) => ({ ...share, ...ofShop(share) })) };
}

const EXPLAIN = `query ($input: ExplainRoutingInput!) { answer: explainRouting(input: $input) {
  candidates { paymentService { id } } decision { rule ruleName refusalCode draw share threeDSecureRequest
  rules { name holds conditions { fact holds saw } } } } }`;
const PAY = `mutation ($input: CreateTransactionInput!) { answer: createTransaction(input: $input) {
  transaction { routing { rule draw share } attempts { paymentService { id } } }
  userErrors { code ... on RefusedByRoutingRule { ruleCode } } } }`;

async function ask<Answer>(server: TestServer, document: string, input: object): Promise<Answer> {
  const { body } = await server.graphql<{ answer: Answer }>(document, { input }, { token: shop.token });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.answer;
}

const upper = (word: string | null): string | null => word?.toUpperCase() ?? null;

type Explained = {
  readonly candidates: readonly unknown[];
  readonly decision: Omit<Decision, 'version'> | null;
};

/** Explains the payments, and pays once for a buyer. */
async function answersOf(server: TestServer, buyerId: string): Promise<readonly object[]> {
  const explained = PAYMENTS.map((facts) => {
    const { amount, currency, country, paymentSource, merchantInitiated, isSubsequentPayment, stores } =
      facts;
    return ask<Explained>(server, EXPLAIN, {
      ...{ amount, currency, country, paymentSource: upper(paymentSource), merchantInitiated },
      ...{ isSubsequentPayment, store: stores, stored: facts.isStored, buyerId: facts.buyerId },
      ...{ cardScheme: upper(facts.scheme), cardBin: facts.bin, metadata: facts.metadata },
      ...{ installmentCount: facts.installmentCount, threeDSecureRequest: upper(facts.threeDSecureRequest) },
      ...{ threeDSecureData: facts.hasThreeDSecureData, externalIdentifier: facts.externalIdentifier },
    });
  });
  const input = { amount: 1_000, currency: 'EUR', country: 'DE', paymentMethod: { card: CARD }, buyerId };
  return [...(await Promise.all(explained)), await ask<object>(server, PAY, input)];
}

it('the same payment and version have the same service in each process, and after a restart', async () => {
  const { buyer } = await shop.ask<{ buyer: { id: string } }>(
    'mutation { answer: createBuyer(input: {}) { buyer { id } } }',
  );
  const known: { readonly version: RuleSetVersion; readonly answers: readonly object[] }[] = [];
  for (const drawn of [versionOf(HALVES), ...VERSIONS]) {
    const rules = drawn.rules.map((rule) => ({
      ...rule,
      conditions: rule.conditions.map(conditionOf),
      action: actionOf(rule.action),
    }));
    const id = await shop.follow(...rules.map(shownRule));
    const version = { ...drawn, id, ruleSetId: shop.ruleSetId, rules };
    const [here, there] = await Promise.all(servers.map((server) => answersOf(server, buyer.id)));

    expect(there).toEqual(here);
    known.push({ version, answers: here ?? [] });
  }
  await servers[1].stop();
  servers = [servers[0], await startTestServer({ settings })];

  for (const { version, answers } of known) {
    await shop.activate({ versionId: version.id });
    expect(await answersOf(servers[1], buyer.id)).toEqual(answers);
    const compiled = compileVersion(version);
    const decided = PAYMENTS.map((facts) =>
      decide(compiled, { ...facts, hasGiftCards: false, at: new Date() }),
    );
    const explained = (answers as readonly Explained[]).slice(0, -1).map(({ decision }) => decision);
    expect(explained.map((each) => [each?.rule, each?.draw, each?.share])).toEqual(
      decided.map(({ rule, draw }) => [rule?.position ?? null, draw?.number ?? null, draw?.share ?? null]),
    );
  }
  const [halves] = known;
  expect(halves?.answers.slice(0, -1)).toEqual(
    PAYMENTS.map(() =>
      expect.objectContaining({ decision: expect.objectContaining({ draw: expect.any(Number) }) }),
    ),
  );
});
