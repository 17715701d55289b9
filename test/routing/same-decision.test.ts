import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shownRule } from '../../src/graph/resolvers/setup/routing-rules.ts';
import { compileVersion } from '../../src/modules/routing/model/compile.ts';
import {
  compileFigures,
  decide,
  FIRST_ATTEMPT,
  type Figures,
  type RoutingFacts,
} from '../../src/modules/routing/index.ts';
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

const COMPARED_SERVICES = { paymentServiceIds: ['a', 'b', 'c'], onlyThese: false };

/** Compare the services for all payments. */
const BEST = {
  action: {
    ...{ kind: 'bySuccess' as const, ...COMPARED_SERVICES },
    ...{ lastHours: 24, minimumCases: 10, keepShare: 50 },
  },
};
const CHEAPEST = {
  action: {
    ...{ kind: 'byCost' as const, ...COMPARED_SERVICES },
    table: [{ paymentServiceId: 'b', scheme: null, country: null, percentage: '1.25', fixed: null }],
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
  if (action.kind === 'order' || action.kind === 'bySuccess') return { ...action, ...ofShop(action) };
  if (action.kind === 'byCost') {
    const table = action.table.map((price) => ({
      ...price,
      paymentServiceId: idsOfShop([price.paymentServiceId])[0] ?? '',
    }));
    return { ...action, ...ofShop(action), table };
  }
  if (action.kind !== 'split') return action;
  return { ...action, shares: action.shares.map((share) => ({ ...share, ...ofShop(share) })) };
}

const COMPARED = 'compared { figuresId trial services { paymentServiceId cases lowerBound expectedFee } }';
const EXPLAIN = `query ($input: ExplainRoutingInput!) { answer: explainRouting(input: $input) {
  candidates { paymentService { id } } decision { rule ruleName refusalCode draw share threeDSecureRequest ${COMPARED}
  rules { name holds conditions { fact holds saw } } } } }`;
const PAY = `mutation ($input: CreateTransactionInput!) { answer: createTransaction(input: $input) {
  transaction { routing { rule draw share ${COMPARED} } attempts { paymentService { id } } }
  userErrors { code ... on RefusedByRoutingRule { ruleCode } } } }`;

async function ask<Answer>(server: TestServer, document: string, input: object): Promise<Answer> {
  const { body } = await server.graphql<{ answer: Answer }>(document, { input }, { token: shop.token });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.answer;
}

const upper = (word: string | null): string | null => word?.toUpperCase() ?? null;

type Compared = { readonly services: readonly { readonly paymentServiceId: string }[] } | null;

/** Returns the compared services, best first. Undefined if the rule compared none. */
const rankOf = (decision: Explained['decision'] | undefined) =>
  decision?.compared?.services.map(({ paymentServiceId }) => paymentServiceId);

type Explained = {
  readonly candidates: readonly unknown[];
  readonly decision: (Omit<Decision, 'version'> & { readonly compared: Compared }) | null;
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

/** Stores a snapshot in which the third service authorises most, and the first costs least. */
async function keepFigures(): Promise<Figures> {
  const [{ app }] = servers;
  const { services, id: merchantAccountId } = shop;
  const content = {
    rates: services.map((paymentServiceId, nth) => ({
      ...{ paymentServiceId, lastHours: 24, segment: ['method' as const], values: ['card'] },
      ...{ authorized: 80 + 5 * nth, declined: 9, failed: 1 },
    })),
    fees: services.slice(0, 1).map((paymentServiceId) => ({
      ...{ paymentServiceId, segment: ['method' as const, 'currency' as const], values: ['card', 'EUR'] },
      ...{ payments: 50, amount: 60_000, fees: 307 },
    })),
  };
  const [id, madeAt] = [app.ids.uuid(), app.clock.now()];
  await app.db.prisma.routingFigures.create({ data: { merchantAccountId, id, madeAt, content } });
  return { id, madeAt: madeAt.toISOString(), ...content };
}

it('the same payment and version have the same service in each process, and after a restart', async () => {
  const { buyer } = await shop.ask<{ buyer: { id: string } }>(
    'mutation { answer: createBuyer(input: {}) { buyer { id } } }',
  );
  const figures = await keepFigures();
  const known: { readonly version: RuleSetVersion; readonly answers: readonly object[] }[] = [];
  for (const drawn of [...[HALVES, BEST, CHEAPEST].map((rule) => versionOf(rule)), ...VERSIONS]) {
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
    const compiled = { ...compileVersion(version), figures: compileFigures(figures) };
    const decided = PAYMENTS.map((facts) =>
      decide(compiled, { ...facts, hasGiftCards: false, at: new Date() }),
    );
    const explained = (answers as readonly Explained[]).slice(0, -1).map(({ decision }) => decision);
    expect(explained.map((each) => [each?.rule, each?.draw, each?.share, rankOf(each)])).toEqual(
      decided.map(({ rule, draw, compared }) => [
        ...[rule?.position ?? null, draw?.number ?? null, draw?.share ?? null],
        compared?.services.map(({ paymentServiceId }) => paymentServiceId),
      ]),
    );
  }
  const [halves] = known;
  expect(halves?.answers.slice(0, -1)).toEqual(
    PAYMENTS.map(() =>
      expect.objectContaining({ decision: expect.objectContaining({ draw: expect.any(Number) }) }),
    ),
  );
  const [first, , third] = shop.services;
  const bestOf = (place: number) =>
    new Set(
      (known[place]?.answers as readonly Explained[])
        .slice(0, -1)
        .map(({ decision }) => rankOf(decision)?.[0]),
    );
  expect([bestOf(1), bestOf(2).has(first)]).toEqual([new Set([third]), true]);
});
