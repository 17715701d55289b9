import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/database.ts';
import { relayAll } from '../support/relay-all.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openShop, type Input, type Shop } from './harness.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await startTestServer();
  shop = await openShop(server);
});
afterAll(() => server.stop());

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const POSITIONS = { positions: true };
const EUROS = { fact: { currency: ['EUR'] } };

const codesOf = async (...rules: readonly Input[]): Promise<readonly string[]> => {
  const { version, userErrors } = await shop.makeVersion(rules);
  expect(version).toBeNull();
  return userErrors.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('a version', () => {
  it('is kept as given, and numbered', async () => {
    const mine = await openShop(server);
    const order = { order: { paymentServiceIds: [mine.services[1]] } };
    const rules = [
      {
        name: 'Everything',
        conditions: [
          { fact: { amount: { currency: 'EUR', min: 1000 } } },
          { fact: { bin: [{ from: '400000', to: '41111111' }] }, not: true },
          { anyOf: [{ fact: { scheme: ['VISA'] } }, { fact: { isStored: true }, not: true }] },
          { fact: { metadata: { name: 'tier', values: ['gold'] } } },
          { fact: { externalIdentifier: { prefixes: ['sub-'] } } },
          {
            fact: { localTime: { zone: 'Europe/Berlin', days: ['SAT', 'SUN'], from: '22:00', to: '06:00' } },
          },
          { fact: { installmentCount: { min: 2, max: 6 } } },
          { fact: { paymentSource: ['CARD_ON_FILE'] } },
        ],
        action: order,
        threeDSecure: 'ALWAYS',
      },
      {
        name: 'The rest',
        action: {
          split: [
            { weight: 95, paymentServiceIds: [mine.services[0]] },
            { weight: 5, paymentServiceIds: [mine.services[2]], onlyThese: true },
          ],
        },
      },
      { name: 'Nobody', conditions: [EUROS], action: { refuse: { code: 'not_here' } } },
    ];
    const { version } = await mine.makeVersion(rules);
    const again = await mine.makeVersion([{ name: 'All', action: POSITIONS }]);

    const read = await mine.ask<{ rules: readonly Input[] }>(
      'query ($id: ID!) { answer: routingRuleSetVersion(id: $id) { number note ruleSet { name latestVersion } rules } }',
      { id: version?.id },
    );
    expect(read).toMatchObject({ number: 1, note: null, ruleSet: { name: 'Cards', latestVersion: 2 } });
    const [everything, rest, nobody] = read.rules;
    expect(everything).toEqual({
      ...rules[0],
      conditions: [
        { not: false, fact: { amount: { currency: 'EUR', min: 1000, max: null } } },
        { not: true, fact: { bin: [{ from: '400000', to: '41111111' }] } },
        {
          not: false,
          anyOf: [
            { not: false, fact: { scheme: ['VISA'] } },
            { not: true, fact: { isStored: true } },
          ],
        },
        ...(rules[0]?.conditions?.slice(3) ?? []).map((condition) => ({ not: false, ...condition })),
      ],
      action: { order: { paymentServiceIds: [mine.services[1]], onlyThese: false } },
    });
    expect(rest).toMatchObject({
      ...{ conditions: [], threeDSecure: null },
      action: {
        split: [
          { weight: 95, onlyThese: false },
          { weight: 5, onlyThese: true },
        ],
      },
    });
    expect(nobody).toMatchObject({ action: { refuse: { code: 'not_here' } } });
    expect(again.version?.number).toBe(2);
    const copy = await mine.makeVersion(read.rules);
    expect(copy.version?.rules).toEqual(read.rules);
  });

  it('is refused with the path of each fault', async () => {
    const rule = (change: Input) => ({ name: 'A', action: POSITIONS, ...change });

    expect(await codesOf()).toEqual(['input.rules: Give at least one rule.']);
    expect(await codesOf(rule({}), rule({}))).toEqual(['input.rules.1.name: Must be unique in the version.']);
    expect(
      await codesOf(
        rule({ conditions: [{ fact: { currency: [] } }, {}, { fact: { amount: { currency: 'EUR' } } }] }),
      ),
    ).toEqual([
      'input.rules.0.conditions.0.fact.currency: Give at least one value.',
      'input.rules.0.conditions.1: Give fact or anyOf, not both.',
      'input.rules.0.conditions.2.fact.amount: Give min, max, or both, and min not above max.',
    ]);
    expect(
      await codesOf(
        rule({
          conditions: [{ fact: { localTime: { zone: 'Mars', days: ['MON'], from: '9:00', to: '24:00' } } }],
        }),
      ),
    ).toEqual([
      'input.rules.0.conditions.0.fact.localTime.zone: Must be a time zone of the IANA database, such as Europe/Berlin.',
      'input.rules.0.conditions.0.fact.localTime.from: Must be a time such as 09:30.',
    ]);
    expect(
      await codesOf(rule({ action: { split: [{ weight: 1, paymentServiceIds: [shop.services[0]] }] } })),
    ).toEqual(['input.rules.0.action.split: Give at least two shares.']);
  });

  it.each([
    [
      'rules',
      201,
      () => Array.from({ length: 201 }, (_, nth) => ({ name: `Rule ${nth}`, action: POSITIONS })),
    ],
    [
      'conditions',
      21,
      () => [{ name: 'A', conditions: Array.from({ length: 21 }, () => EUROS), action: POSITIONS }],
    ],
  ])('has a limit of %s', async (_, count, rules) => {
    expect((await codesOf(...rules())).join()).toContain(`Give at most ${count - 1} `);
  });

  it('names only services of the merchant account that are not deleted', async () => {
    const other = await openShop(server);
    const [, , third] = shop.services;
    const mine = await openShop(server);
    await mine.ask(`mutation ($id: ID!) { answer: deletePaymentService(id: $id) { userErrors { code } } }`, {
      id: mine.services[2],
    });
    const named = (id: string) => [{ name: 'A', action: { order: { paymentServiceIds: [id] } } }];

    for (const [from, id] of [
      [shop, other.services[0]],
      [mine, mine.services[2]],
      [shop, UNKNOWN],
    ] as const) {
      const { userErrors } = await from.makeVersion(named(id));
      expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'rules', '0', 'action'] }]);
    }
    expect((await shop.makeVersion(named(third.toUpperCase()))).userErrors).toEqual([]);
  });

  it('comes with its weaknesses, and a dry run stores nothing', async () => {
    const mine = await openShop(server, [{}, {}, { acceptedCurrencies: ['EUR'] }]);
    const rules = [
      { name: 'Never', conditions: [EUROS, { ...EUROS, not: true }], action: POSITIONS },
      {
        name: 'Dollars',
        conditions: [{ fact: { currency: ['USD'] } }],
        action: { order: { paymentServiceIds: [mine.services[2]] } },
      },
      {
        name: 'Large dollars',
        conditions: [{ fact: { amount: { currency: 'USD', min: 1 } } }],
        action: POSITIONS,
      },
    ];

    const tried = await mine.makeVersion(rules, { dryRun: true });
    const made = await mine.makeVersion(rules);

    expect(tried).toMatchObject({ version: null, userErrors: [] });
    expect(tried.warnings.map(({ code, rule }) => [code, rule])).toEqual([
      ['NEVER_MATCHES', 1],
      ['SERVICE_NEVER_ACCEPTS', 2],
      ['HIDDEN', 3],
    ]);
    expect(made.warnings).toEqual(tried.warnings);
    expect(made.version?.number).toBe(1);
  });

  it('can be neither changed nor removed, and belongs to its account', async () => {
    const { version } = await shop.makeVersion([{ name: 'All', action: POSITIONS }]);
    const other = await openShop(server);
    const { DATABASE_URL = '' } = server.app.config;

    for (const change of [
      "UPDATE routing_rule_set_version SET note = 'x'",
      'DELETE FROM routing_rule_set_version',
    ])
      await expect(query(DATABASE_URL, change)).rejects.toThrow('append-only');
    expect(
      await other.ask('query ($id: ID!) { answer: routingRuleSetVersion(id: $id) { id } }', {
        id: version?.id,
      }),
    ).toBeNull();
    expect((await other.activate({ versionId: version?.id })).userErrors).toMatchObject([
      { code: 'NOT_FOUND', path: ['input', 'versionId'] },
    ]);
  });
});

describe('an unknown rule set', () => {
  it.each([true, false])('gets no version, with dryRun %p', async (dryRun) => {
    const { userErrors } = await shop.ask<{ userErrors: readonly object[] }>(
      `mutation ($ruleSetId: ID!, $input: CreateRoutingRuleSetVersionInput!, $dryRun: Boolean!) {
        answer: createRoutingRuleSetVersion(ruleSetId: $ruleSetId, input: $input, dryRun: $dryRun) { userErrors { code path } } }`,
      { ruleSetId: UNKNOWN, input: { rules: [{ name: 'All', action: POSITIONS }] }, dryRun },
    );

    expect(userErrors).toEqual([{ code: 'NOT_FOUND', path: ['ruleSetId'] }]);
  });
});

it('a dry run alone goes without a rule set', async () => {
  const run = (dryRun: boolean) =>
    shop.ask(
      `mutation ($input: CreateRoutingRuleSetVersionInput!, $dryRun: Boolean!) {
        answer: createRoutingRuleSetVersion(input: $input, dryRun: $dryRun) {
          routingRuleSetVersionId warnings { code } userErrors { code path } } }`,
      { input: { rules: ['One', 'Two'].map((name) => ({ name, action: POSITIONS })) }, dryRun },
    );

  expect(await run(true)).toEqual({
    ...{ routingRuleSetVersionId: null, warnings: [{ code: 'HIDDEN' }], userErrors: [] },
  });
  expect(await run(false)).toEqual({
    ...{ routingRuleSetVersionId: null, warnings: [] },
    userErrors: [{ code: 'INVALID_INPUT', path: ['ruleSetId'] }],
  });
});

describe('an activation', () => {
  it('is listed, publishes events, and has entries in the audit log', async () => {
    const mine = await openShop(server);
    const first = await mine.follow({ name: 'All', action: POSITIONS });
    const second = await mine.follow({ name: 'All', action: POSITIONS });
    await mine.activate({ versionId: first, note: 'Back' });

    const { nodes } = await mine.ask<{ nodes: readonly { version: { id: string }; note: string | null }[] }>(
      '{ answer: routingActivations { nodes { note version { id } } } }',
    );
    expect(nodes.map(({ version, note }) => [version.id, note])).toEqual([
      [first, 'Back'],
      [second, null],
      [first, null],
    ]);
    await relayAll(server.app);
    const events = await mine.ask<{ nodes: readonly { name: string }[] }>(
      '{ answer: events(first: 50) { nodes { name } } }',
    );
    expect(events.nodes.map(({ name }) => name).filter((name) => name.startsWith('routing-'))).toEqual([
      'routing-rule-set.created',
      ...['routing-rule-set.updated', 'routing-activation.created'],
      ...['routing-rule-set.updated', 'routing-activation.created'],
      'routing-activation.created',
    ]);
    const entries = await server.app.db.prisma.auditEntry.findMany({
      where: { merchantAccountId: mine.id, action: { startsWith: 'routing-' } },
      orderBy: { id: 'asc' },
    });
    const counts = Object.groupBy(entries, ({ action }) => action);
    expect(Object.entries(counts).map(([action, all]) => [action, all?.length])).toEqual([
      ['routing-rule-set.created', 1],
      ['routing-rule-set.updated', 2],
      ['routing-rule-set-version.created', 2],
      ['routing-activation.created', 3],
    ]);
    expect(entries.every(({ actorKind }) => actorKind === 'api_key')).toBe(true);
  });

  it('is refused for the past, and for an unknown version', async () => {
    const { activation, userErrors } = await shop.activate({ activeFrom: '2020-01-01T00:00:00Z' });

    expect(activation).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'activeFrom'] }]);
    expect((await shop.activate({ versionId: UNKNOWN })).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect(await shop.ask('{ answer: activeRouting { id } }')).toBeNull();
  });

  it('needs a scope of its own', async () => {
    const token = await server.mint({
      merchantAccountId: shop.id,
      scopes: ['routing-rules.read', 'routing-rules.write'],
    });

    const { body } = await server.graphql(
      'mutation { activateRoutingRuleSet(input: {}) { routingActivationId } }',
      {},
      { token },
    );

    expect(body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
