import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { relayAll } from '../support/relay-all.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { CARD, openShop, type Input, type Shop, type UserError } from './harness.ts';

let server: TestServer;
let shop: Shop;
beforeAll(async () => {
  server = await startTestServer();
  shop = await openShop(server);
});
afterAll(() => server.stop());

const CREATE = `mutation ($input: CreateRoutingValueSetInput!) { answer: createRoutingValueSet(input: $input) {
  valueSet: routingValueSet { id name kind values } userErrors { __typename code message path } } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdateRoutingValueSetInput!) { answer: updateRoutingValueSet(id: $id, input: $input) {
  valueSet: routingValueSet { id name kind values } userErrors { __typename code message path } } }`;

type Changed = {
  readonly valueSet: { readonly id: string; readonly values: readonly string[] } | null;
  readonly userErrors: readonly UserError[];
};

const create = (input: Input, at = shop): Promise<Changed> => at.ask(CREATE, { input });
const update = (id: string, input: Input, at = shop): Promise<Changed> => at.ask(UPDATE, { id, input });

async function made(input: Input, at = shop): Promise<string> {
  const { valueSet, userErrors } = await create(input, at);
  if (!valueSet) throw new Error(JSON.stringify(userErrors));
  return valueSet.id;
}

const AMERICA = { name: 'America', kind: 'COUNTRY', values: ['US', 'CA'] };
const ISSUERS = { name: 'Our issuers', kind: 'BIN', values: ['41111100-41111199', '555555'] };
const TIERS = { name: 'Tiers', kind: 'TEXT', values: ['gold'] };

it('a version copies the values, and follows no later change of the set', async () => {
  const mine = await openShop(server);
  const [countryIn, binIn, valueSetId] = await Promise.all(
    [AMERICA, ISSUERS, TIERS].map((input) => made(input, mine)),
  );
  const conditions = [
    { fact: { countryIn } },
    { anyOf: [{ fact: { binIn } }, { fact: { metadataIn: { name: 'tier', valueSetId } } }] },
  ];
  const rule = { name: 'Ours', conditions, action: { order: { paymentServiceIds: [mine.services[2]] } } };
  const versionId = await mine.follow(rule);
  expect(await mine.asked()).toEqual([3]);
  const amex = { paymentMethod: { card: { ...CARD, number: '378282246310005' } } };
  expect(await mine.asked(amex)).toEqual([1]);
  expect(await mine.asked({ ...amex, metadata: { tier: 'gold' } })).toEqual([3]);

  await update(countryIn ?? '', { name: 'Nowhere', values: ['CA'] }, mine);

  expect(await mine.asked()).toEqual([3]);
  const version = await mine.ask<{ rules: readonly Input[] }>(
    'query ($id: ID!) { answer: routingRuleSetVersion(id: $id) { rules valueSets { valueSetId name values } } }',
    { id: versionId },
  );
  expect(version).toMatchObject({
    valueSets: [
      { valueSetId: countryIn, name: 'America', values: ['US', 'CA'] },
      { valueSetId: binIn, name: 'Our issuers', values: ['41111100-41111199', '555555-555555'] },
      { valueSetId: valueSetId, name: 'Tiers', values: ['gold'] },
    ],
  });
  // A copy of the rules names the set, so the new version has the values of today.
  const { version: copy } = await mine.makeVersion(version.rules);
  await mine.activate({ versionId: copy?.id });
  expect(await mine.asked()).toEqual([1]);
});

it('a version has no more characters than a process can remember, those of value sets included', async () => {
  const values = Array.from({ length: 250 }, (_, nth) => String(nth).padEnd(500, 'x'));
  const valueSetId = await made({ ...TIERS, values });
  const rules = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({
      name: `Rule ${nth}`,
      conditions: [{ fact: { metadataIn: { name: 'tier', valueSetId } } }],
      action: { positions: true },
    }));

  expect((await shop.makeVersion(rules(7), { dryRun: true })).userErrors).toEqual([]);
  expect((await shop.makeVersion(rules(8))).userErrors).toMatchObject([
    { code: 'INVALID_INPUT', path: ['input', 'rules'] },
  ]);
});

it.each<[string, Input, string]>([
  [
    'a country',
    { ...AMERICA, values: ['US', 'Canada'] },
    'input.values.1: Must be an ISO 3166-1 code such as US.',
  ],
  [
    'a BIN',
    { ...ISSUERS, values: ['4111'] },
    'input.values.0: Must be a BIN of 6 to 8 digits, or a range of two such as 400000-419999.',
  ],
  [
    'a range from high to low',
    { ...ISSUERS, values: ['419999-400000'] },
    'input.values.0: Must be a BIN of 6 to 8 digits, or a range of two such as 400000-419999.',
  ],
  ['no values', { ...TIERS, values: [] }, 'input.values: Give at least one value.'],
  ['no name', { ...TIERS, name: '' }, 'input.name: Must be 1 to 100 characters.'],
])('a value set with %s of the wrong form is refused', async (_, input, expected) => {
  const { valueSet, userErrors } = await create(input);

  expect(valueSet).toBeNull();
  expect(userErrors.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([expected]);
});

it('an update keeps to the kind and leaves out what is absent', async () => {
  const id = await made(AMERICA);

  const refused = await update(id, { values: ['gold'] });
  const renamed = await update(id, { name: 'The Americas' });

  expect(refused).toMatchObject({ valueSet: null, userErrors: [{ path: ['input', 'values', '0'] }] });
  expect(renamed).toMatchObject({ valueSet: { name: 'The Americas', values: ['US', 'CA'] }, userErrors: [] });
});

it('a rule names only value sets of the account and of the kind of its fact', async () => {
  const other = await openShop(server);
  const foreign = await made(AMERICA, other);
  const tiers = await made(TIERS);

  for (const countryIn of [foreign, tiers, '01900000-0000-7000-8000-000000000000']) {
    const { version, userErrors } = await shop.makeVersion([
      { name: 'A', action: { positions: true } },
      { name: 'B', conditions: [{ fact: { countryIn } }], action: { positions: true } },
    ]);
    expect(version).toBeNull();
    expect(userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'rules', '1', 'conditions', '0'] },
    ]);
  }
  expect((await update(foreign, { name: 'Mine' })).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
  expect(
    await shop.ask('query ($id: ID!) { answer: routingValueSet(id: $id) { id } }', { id: foreign }),
  ).toBeNull();
});

it('changes are listed, publish events, and have entries in the audit log', async () => {
  const mine = await openShop(server);
  const id = await made(AMERICA, mine);
  const second = await made(TIERS, mine);
  await update(id, { values: ['US'] }, mine);

  const { nodes } = await mine.ask<{ nodes: readonly { id: string }[] }>(
    '{ answer: routingValueSets { nodes { id } } }',
  );
  expect(nodes.map((node) => node.id)).toEqual([second, id]);
  await relayAll(server.app);
  const events = await mine.ask<{ nodes: readonly { name: string }[] }>(
    '{ answer: events(first: 50) { nodes { name } } }',
  );
  const CHANGES = ['routing-value-set.created', 'routing-value-set.created', 'routing-value-set.updated'];
  expect(events.nodes.map(({ name }) => name).filter((name) => name.startsWith('routing-value'))).toEqual(
    CHANGES,
  );
  const entries = await server.app.db.prisma.auditEntry.findMany({
    where: { merchantAccountId: mine.id, action: { startsWith: 'routing-value' } },
    orderBy: { id: 'asc' },
  });
  expect(entries.map(({ action }) => action)).toEqual(CHANGES);
});
