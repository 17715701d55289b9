import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCENARIOS_MAX } from '../../src/modules/three-ds/scenarios/create.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import {
  AUTHENTICATED,
  DOCUMENTS,
  startHarness,
  type Harness,
  type Input,
  type Page,
  type Tenant,
} from './harness.ts';
import { masterKeyText } from '../support/master-key.ts';

let harness: Harness;
let tenant: Tenant;

beforeAll(async () => {
  harness = await startHarness();
  tenant = await harness.tenant();
});
afterAll(() => harness.stop());

const EVERYTHING = {
  firstName: 'Jane',
  lastName: 'Müller',
  emailAddress: 'jane@example.com',
  amount: 1299,
  externalIdentifier: 'order-1',
};
const NOTHING = {
  firstName: null,
  lastName: null,
  emailAddress: null,
  amount: null,
  externalIdentifier: null,
  cardNumber: null,
};
const PAN = '4111111111101203';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

describe('a scenario', () => {
  it('is kept as given, behind the others, and publishes an event', async () => {
    const mine = await harness.tenant();
    const first = await mine.made({ amount: 5 });
    const challenge = {
      enrollment: 'ENROLLED',
      version: '1.0.2',
      authentication: 'C',
      challengeResult: 'TIMEOUT',
    };
    const second = await mine.made({ ...EVERYTHING, cardNumber: '411111 11111' }, challenge);

    expect(first).toMatchObject({
      position: 1,
      merchantAccountId: mine.id,
      conditions: { ...NOTHING, amount: 5 },
      outcome: { enrollment: 'ENROLLED', version: '2.2.0', authentication: 'Y', challengeResult: null },
    });
    expect(second).toMatchObject({
      position: 2,
      conditions: { ...EVERYTHING, cardNumber: { bin: '41111111111', lastFour: null } },
      outcome: challenge,
    });
    expect(await mine.get(second.id.toUpperCase())).toEqual(second);
    expect(await mine.events()).toEqual([
      ['three-ds-scenario.created', first.id],
      ['three-ds-scenario.created', second.id],
    ]);
  });

  it('keeps no card number and shows none', async () => {
    const scenario = await tenant.made({ cardNumber: PAN.replace(/(\d{4})(?=\d)/g, '$1 ') });
    const keyed = await harness.server.graphql(
      `mutation ($input: CreateThreeDSScenarioInput!) {
        createThreeDSScenario(input: $input, idempotencyKey: "pan") { threeDSScenario { id } } }`,
      { input: { conditions: { cardNumber: PAN }, outcome: AUTHENTICATED } },
    );
    const explained = await tenant.explain({ cardNumber: PAN });

    expect(keyed.body.errors).toBeUndefined();
    expect(scenario['conditions']).toEqual({ ...NOTHING, cardNumber: { bin: '411111', lastFour: '1203' } });
    expect(explained).toMatchObject({ source: 'SCENARIO', scenario: { id: scenario.id } });
    const shown = JSON.stringify([scenario, keyed.body, explained, await tenant.events()]);
    const kept = await databaseText();
    expect(kept.split(scenario.id).length).toBeGreaterThan(2);
    for (const place of [shown, kept, harness.server.logs()])
      expect(place).not.toMatch(/4111[ -]?1111[ -]?1110[ -]?1203/);
  });

  it.each<readonly [string, Input, Input, readonly string[]]>([
    ['no condition', {}, AUTHENTICATED, ['conditions']],
    ['nothing but nulls', { firstName: null, amount: null }, AUTHENTICATED, ['conditions']],
    [
      'everything that is wrong, at once',
      {
        firstName: '',
        lastName: 'x'.repeat(256),
        emailAddress: 'x'.repeat(321),
        amount: -1,
        externalIdentifier: 'x'.repeat(201),
        cardNumber: '12345',
      },
      { version: '3.0', authentication: 'C' },
      [
        'conditions.firstName',
        'conditions.lastName',
        'conditions.emailAddress',
        'conditions.amount',
        'conditions.externalIdentifier',
        'conditions.cardNumber',
        'outcome.version',
        'outcome.challengeResult',
      ],
    ],
    ['an amount above the most', { amount: 100_000_000 }, AUTHENTICATED, ['conditions.amount']],
    ['neither a number nor a BIN', { cardNumber: '411111111111' }, AUTHENTICATED, ['conditions.cardNumber']],
    ['too many digits', { cardNumber: PAN + '0000' }, AUTHENTICATED, ['conditions.cardNumber']],
    ['a pattern', { cardNumber: '4111*' }, AUTHENTICATED, ['conditions.cardNumber']],
    [
      'a challenge result without a challenge',
      { amount: 1 },
      { authentication: 'Y', challengeResult: 'Y' },
      ['outcome.challengeResult'],
    ],
    ['a version of four parts', { amount: 1 }, { ...AUTHENTICATED, version: '2.2.0.1' }, ['outcome.version']],
    [
      'a card that is not enrolled and authenticated',
      { amount: 1 },
      { enrollment: 'NOT_ENROLLED', authentication: 'Y' },
      ['outcome.authentication'],
    ],
    [
      'a challenge that nobody can answer',
      { amount: 1 },
      { enrollment: 'UNAVAILABLE', authentication: 'C', challengeResult: 'Y' },
      ['outcome.authentication'],
    ],
  ])('is refused with %s', async (_, conditions, outcome, paths) => {
    const before = [await tenant.order(), await tenant.events()];
    const { threeDSScenario, userErrors } = await tenant.create(conditions, outcome);

    expect(threeDSScenario).toBeNull();
    expect(userErrors.map(({ code, path }) => [code, path.join('.')])).toEqual(
      paths.map((path) => ['INVALID_INPUT', `input.${path}`]),
    );
    expect(JSON.stringify(userErrors)).not.toMatch(/4111|12345/);
    expect([await tenant.order(), await tenant.events()]).toEqual(before);
  });

  it('is one of at most 200, even when the last ones come at once', async () => {
    const mine = await harness.tenant();
    const now = harness.server.app.clock.now();
    await harness.server.app.db.prisma.threeDSScenario.createMany({
      data: Array.from({ length: SCENARIOS_MAX - 1 }, (_, n) => ({
        merchantAccountId: mine.id,
        id: harness.server.app.ids.uuid(),
        position: n + 1,
        amount: n,
        ...{ enrollment: 'enrolled', version: '2.2.0', authentication: 'y', createdAt: now, updatedAt: now },
      })),
    });
    const answers = await Promise.all([1, 2, 3].map((amount) => mine.create({ amount })));

    expect(answers.flatMap(({ threeDSScenario }) => threeDSScenario?.position ?? [])).toEqual([
      SCENARIOS_MAX,
    ]);
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ code }) => code))).toEqual([
      'INVALID_INPUT',
      'INVALID_INPUT',
    ]);
    expect(await mine.order()).toHaveLength(SCENARIOS_MAX);
  });
});

describe('a change of a scenario', () => {
  it('replaces conditions or outcome as a whole, and keeps its place', async () => {
    const mine = await harness.tenant();
    const before = await mine.made({ ...EVERYTHING, cardNumber: PAN });
    await mine.made({ amount: 2 });

    const judged = await mine.update(before.id, { outcome: { authentication: 'N', version: '2.1.0' } });
    expect(judged.threeDSScenario).toEqual({
      ...before,
      outcome: { enrollment: 'ENROLLED', version: '2.1.0', authentication: 'N', challengeResult: null },
      updatedAt: judged.threeDSScenario?.updatedAt,
    });
    const narrowed = await mine.update(before.id, { conditions: { lastName: 'Meier' }, outcome: null });
    expect(narrowed.threeDSScenario).toMatchObject({
      position: 1,
      conditions: { ...NOTHING, lastName: 'Meier' },
      outcome: { authentication: 'N', version: '2.1.0' },
    });
    expect((await mine.events()).filter(([, id]) => id === before.id).map(([name]) => name)).toEqual([
      'three-ds-scenario.created',
      'three-ds-scenario.updated',
      'three-ds-scenario.updated',
    ]);
  });

  it('is refused as a new scenario would be', async () => {
    const before = await tenant.made({ amount: 7 });
    const { userErrors } = await tenant.update(before.id, {
      conditions: {},
      outcome: { authentication: 'A', challengeResult: 'N' },
    });

    expect(userErrors.map(({ path }) => path.join('.'))).toEqual([
      'input.conditions',
      'input.outcome.challengeResult',
    ]);
    expect(await tenant.get(before.id)).toEqual(before);
  });
});

describe('the order of scenarios', () => {
  it('is of creation until one is moved, and closes up when one is deleted', async () => {
    const mine = await harness.tenant();
    const [a, b, c, d] = [1, 2, 3, 4].map((amount) => ({ amount }));
    const ids: string[] = [];
    for (const conditions of [a, b, c, d]) ids.push((await mine.made(conditions ?? {})).id);
    const [one, two, three, four] = ids as [string, string, string, string];

    const moved = await mine.move(four, { before: two });
    expect(moved.threeDSScenario).toMatchObject({ id: four, position: 2 });
    expect(await mine.order(1)).toEqual([one, four, two, three]);
    await mine.move(one, { after: three.toUpperCase() });
    expect(await mine.order()).toEqual([four, two, three, one]);
    await mine.move(one, { after: three });
    expect(await mine.order()).toEqual([four, two, three, one]);
    expect(await mine.remove(two)).toEqual({ deletedId: two, userErrors: [] });
    expect(await mine.order()).toEqual([four, three, one]);
    expect((await mine.made({ amount: 5 })).position).toBe(4);
    expect(await mine.remove(two)).toMatchObject({ deletedId: null, userErrors: [{ code: 'NOT_FOUND' }] });
    expect(await mine.get(two)).toBeNull();
  });

  it('is read backward, too, and not behind a deleted scenario', async () => {
    const mine = await harness.tenant();
    const ids: string[] = [];
    for (const amount of [1, 2, 3]) ids.push((await mine.made({ amount })).id);

    const last = await mine.ask<Page>(DOCUMENTS.list, { last: 2 });
    expect(last.nodes.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(last.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    const before = await mine.ask<Page>(DOCUMENTS.list, { last: 2, before: last.pageInfo.startCursor });
    expect(before.nodes.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    await mine.remove(ids[1] ?? '');
    await expect(mine.ask(DOCUMENTS.list, { last: 2, before: last.pageInfo.startCursor })).rejects.toThrow(
      'Must be a cursor of this list.',
    );
  });

  it('refuses an invalid place', async () => {
    const { id } = await tenant.made({ amount: 8 });
    const before = [await tenant.order(), await tenant.events()];

    expect(await tenant.move(id, { before: id.toUpperCase() })).toMatchObject({
      userErrors: [{ code: 'INVALID_INPUT', path: ['to', 'before'] }],
    });
    expect(await tenant.move(id, { after: UNKNOWN })).toMatchObject({
      userErrors: [{ code: 'NOT_FOUND', path: ['to', 'after'] }],
    });
    expect(await tenant.move('4111', { after: id })).toMatchObject({
      userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
    });
    for (const to of [{}, { before: UNKNOWN, after: UNKNOWN }])
      await expect(tenant.move(id, to)).rejects.toThrow();
    expect([await tenant.order(), await tenant.events()]).toEqual(before);
  });
});

describe('the scenarios of another merchant account', () => {
  it('look like unknown ones', async () => {
    const rival = await harness.tenant();
    const theirs = await rival.made({ amount: 1 });
    const ours = await tenant.made({ amount: 2 });
    const notFound = { userErrors: [{ code: 'NOT_FOUND' }] };

    expect(await rival.get(ours.id)).toBeNull();
    expect(await rival.update(ours.id, { conditions: { amount: 3 } })).toMatchObject(notFound);
    expect(await rival.remove(ours.id)).toMatchObject(notFound);
    expect(await rival.move(theirs.id, { before: ours.id })).toMatchObject(notFound);
    expect(await rival.explain({ amount: 2 })).toMatchObject({
      source: 'NONE',
      passedOver: [{ scenario: { id: theirs.id } }],
    });
    expect(await rival.order()).toEqual([theirs.id]);
    expect(await tenant.get(ours.id)).toEqual(ours);
  });
});

describe('scopes', () => {
  it.each([
    ['get', 'three-ds-scenarios.read', { id: UNKNOWN }],
    ['list', 'three-ds-scenarios.read', {}],
    ['explain', 'three-ds-scenarios.read', { input: {} }],
    ['create', 'three-ds-scenarios.write', { input: { conditions: { amount: 1 }, outcome: AUTHENTICATED } }],
    ['update', 'three-ds-scenarios.write', { id: UNKNOWN, input: {} }],
    ['move', 'three-ds-scenarios.write', { id: UNKNOWN, to: { after: UNKNOWN } }],
    ['remove', 'three-ds-scenarios.write', { id: UNKNOWN }],
  ] as const)('%s requires %s', async (operation, scope, variables) => {
    const other = scope.endsWith('.read') ? '*.write' : '*.read';
    // The answers of mutations show scenarios.
    const enough = [scope, 'three-ds-scenarios.read'];
    const codes = [enough, [other]].map(async (scopes) => {
      const token = await harness.server.mint({ scopes });
      const { body } = await harness.server.graphql(DOCUMENTS[operation], variables, { token });
      return body.errors?.map(({ extensions }) => extensions.code);
    });
    expect(await Promise.all(codes)).toEqual([undefined, ['FORBIDDEN']]);
  });
});

describe('in production', () => {
  let production: TestServer;
  beforeAll(async () => {
    production = await startTestServer({
      settings: {
        NODE_ENV: 'production',
        PAYGRAPH_MASTER_KEY: masterKeyText(7),
        PAYGRAPH_PUBLIC_URL: 'https://pay.example.com/',
      },
    });
  });
  afterAll(() => production.stop());

  const SENTENCE =
    'A 3-D Secure scenario works in the sandbox only, and this installation runs in production (NODE_ENV=production).';

  it.each([
    ['get', { id: UNKNOWN }],
    ['list', {}],
    ['explain', { input: { cardNumber: PAN } }],
  ] as const)('%s is an error', async (operation, variables) => {
    const { body } = await production.graphql(DOCUMENTS[operation], variables);
    expect(body.errors?.map(({ message, extensions }) => [extensions.code, message])).toEqual([
      ['SANDBOX_ONLY', SENTENCE],
    ]);
  });

  it.each([
    ['create', { input: { conditions: { amount: 1 }, outcome: AUTHENTICATED } }],
    ['update', { id: UNKNOWN, input: {} }],
    ['move', { id: UNKNOWN, to: { after: UNKNOWN } }],
    ['remove', { id: UNKNOWN }],
  ] as const)('%s is refused', async (operation, variables) => {
    const { body } = await production.graphql<{ answer: unknown }>(DOCUMENTS[operation], variables);
    expect(body.data?.answer).toMatchObject({
      userErrors: [{ __typename: 'SandboxOnly', code: 'SANDBOX_ONLY', message: SENTENCE, path: [] }],
    });
    expect(await production.app.db.prisma.threeDSScenario.count()).toBe(0);
    expect(await production.app.db.prisma.event.count()).toBe(0);
  });
});

async function databaseText(): Promise<string> {
  const { prisma } = harness.server.app.db;
  const rows = [
    await prisma.threeDSScenario.findMany(),
    await prisma.idempotencyKey.findMany(),
    await prisma.$queryRawUnsafe<unknown[]>('SELECT e::text FROM event e'),
  ];
  return JSON.stringify(rows);
}
