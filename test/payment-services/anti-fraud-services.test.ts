import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { antiFraudConnectors } from '../../src/connectors/anti-fraud/index.ts';
import { createAntiFraudService } from '../../src/modules/payment-services/index.ts';
import { dumpDatabase } from '../journeys/dump.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { CHECKS, openAntiFraudHarness, type AntiFraudHarness, type Input } from './anti-fraud-harness.ts';
import { viewerOf } from './viewer.ts';

let server: TestServer;
beforeAll(async () => {
  const [connector] = antiFraudConnectors;
  const [definition] = connector?.definitions ?? [];
  if (!connector || !definition) throw new Error('There is no connector.');
  // A definition with a single version, unlike the sandbox's.
  const single = { ...definition, id: 'single', newerInterfaceVersion: null };
  server = await startTestServer({
    antiFraudConnectors: [connector, { ...connector, id: 'single', definitions: [single] }],
  });
});
afterAll(() => server.stop());

const harness = (): Promise<AntiFraudHarness> => openAntiFraudHarness(server);

/** Lists the events of a merchant account's anti-fraud services, in order. */
async function notified({ merchantAccountId }: AntiFraudHarness): Promise<readonly unknown[]> {
  const rows = await server.app.db.prisma.event.findMany({
    where: { merchantAccountId },
    orderBy: { position: 'asc' },
  });
  return rows.map(({ name, payload }) => [name, (JSON.parse(payload) as { target: unknown }).target]);
}

const rowsOf = ({ merchantAccountId }: AntiFraudHarness): Promise<number> =>
  server.app.db.prisma.antiFraudService.count({ where: { merchantAccountId } });

describe('an anti-fraud service', () => {
  test('is active and in the older version by default, shows no secret and publishes an event', async () => {
    const own = await harness();

    const { antiFraudService: service, userErrors } = await own.create();

    expect(userErrors).toEqual([]);
    expect(service).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'anti-fraud-service',
      merchantAccountId: own.merchantAccountId,
      antiFraudServiceDefinitionId: 'mock-anti-fraud',
      displayName: 'Checks',
      fields: [{ key: 'merchant_id', value: 'm-1' }],
      active: true,
      newerInterfaceEnabled: false,
      fallback: 'ACCEPT',
      interfaceVersion: '2.1',
      isDeleted: false,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: service?.['createdAt'],
    });
    expect(await own.get(service?.id.toUpperCase() ?? '')).toEqual(service);
    expect(await notified(own)).toEqual([
      [
        'anti-fraud-service.created',
        {
          ...{ type: 'anti-fraud-service', id: service?.id, active: true },
          anti_fraud_service_definition_id: 'mock-anti-fraud',
          ...{ created_at: service?.['createdAt'], updated_at: service?.['createdAt'] },
        },
      ],
    ]);
  });

  test.each<[string, Input, string[]]>([
    ['an empty name', { displayName: '' }, ['input.displayName']],
    ['a name of 201 characters', { displayName: 'x'.repeat(201) }, ['input.displayName']],
    [
      'a definition of payment services',
      { antiFraudServiceDefinitionId: 'mock-card' },
      ['input.antiFraudServiceDefinitionId'],
    ],
    ['an empty definition', { antiFraudServiceDefinitionId: '' }, ['input.antiFraudServiceDefinitionId']],
    ['no required field', { fields: [] }, ['input.fields']],
    ['an unknown field', { fields: [...CHECKS.fields, { key: 'x', value: 'y' }] }, ['input.fields.2.key']],
    [
      'a switch to a version that there is not',
      { antiFraudServiceDefinitionId: 'single', newerInterfaceEnabled: true },
      ['input.newerInterfaceEnabled'],
    ],
    [
      'several faults at once',
      { displayName: '', fields: [{ key: 'merchant_id', value: '' }] },
      ['input.displayName', 'input.fields.0.value'],
    ],
  ])('is refused with %s, and nothing is stored', async (_, change, paths) => {
    const own = await harness();

    const { antiFraudService, userErrors } = await own.create(change);

    expect(antiFraudService).toBeNull();
    expect(userErrors.map(({ code, path }) => [code, path.join('.')])).toEqual(
      paths.map((path) => ['INVALID_INPUT', path]),
    );
    expect([await rowsOf(own), await notified(own)]).toEqual([0, []]);
  });

  test('is switched to the newer version and back, and an update keeps omitted fields', async () => {
    const own = await harness();
    const { id, ...made } = await own.made();

    const switched = await own.update(id, { newerInterfaceEnabled: true });
    const back = await own.update(id, {
      ...{ newerInterfaceEnabled: false, displayName: 'Other' },
      fields: [{ key: 'api_url', value: 'https://risk.example' }],
    });

    expect(switched.antiFraudService).toEqual({
      ...{ id, ...made, newerInterfaceEnabled: true, interfaceVersion: '10.2' },
      updatedAt: expect.any(String),
    });
    expect(back.antiFraudService).toMatchObject({
      ...{ interfaceVersion: '2.1', newerInterfaceEnabled: false, displayName: 'Other', active: true },
      fields: [...(made['fields'] as object[]), { key: 'api_url', value: 'https://risk.example' }],
    });
    expect((await notified(own)).map((event) => (event as string[])[0])).toEqual([
      'anti-fraud-service.created',
      'anti-fraud-service.updated',
      'anti-fraud-service.updated',
    ]);
  });

  test('is not changed by a refused update', async () => {
    const own = await harness();
    const service = await own.made({ antiFraudServiceDefinitionId: 'single' });

    const { userErrors } = await own.update(service.id, {
      ...{ displayName: '', newerInterfaceEnabled: true },
      fields: [{ key: 'merchant_id', value: '' }],
    });

    expect(userErrors.map(({ path }) => path.join('.'))).toEqual([
      'input.displayName',
      'input.fields.0.value',
      'input.newerInterfaceEnabled',
    ]);
    expect(await own.get(service.id)).toEqual(service);
    expect(await notified(own)).toHaveLength(1);
  });

  test('loses no update of many at once', async () => {
    const own = await harness();
    const { id } = await own.made();
    const changes = [{ displayName: 'Other' }, { newerInterfaceEnabled: true }, { active: false }];

    await Promise.all(changes.map((change) => own.update(id, change)));

    expect(await own.get(id)).toMatchObject(Object.assign({}, ...changes) as object);
  });

  test('is deleted softly and once, and leaves the list', async () => {
    const own = await harness();
    const { id } = await own.made();

    const deleted = await own.delete(id);
    const again = await own.delete(id);

    expect(deleted.antiFraudService).toMatchObject({ id, isDeleted: true });
    expect(again).toEqual(deleted);
    expect(await own.get(id)).toEqual(deleted.antiFraudService);
    expect((await own.update(id, { displayName: 'x' })).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect([(await own.list()).nodes, (await own.list({ deleted: true })).nodes]).toEqual([
      [],
      [deleted.antiFraudService],
    ]);
    expect(await notified(own)).toMatchObject([
      ['anti-fraud-service.created', {}],
      ['anti-fraud-service.deleted', {}],
    ]);
  });

  test('of another merchant account looks like an unknown one', async () => {
    const [own, rival] = [await harness(), await harness()];
    const service = await own.made();

    expect(await rival.get(service.id)).toBeNull();
    expect((await rival.update(service.id, { active: false })).userErrors).toMatchObject([
      { code: 'NOT_FOUND' },
    ]);
    expect((await rival.delete(service.id)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect((await rival.list()).nodes).toEqual([]);
    expect(await own.get(service.id)).toEqual(service);
  });
});

/** Lists the ids of the active services. */
const activeOf = async (own: AntiFraudHarness): Promise<readonly string[]> =>
  (await own.list()).nodes.filter(({ active }) => active).map(({ id }) => id);

describe('the active one', () => {
  test('is one: another is refused, and the refusal names the active one', async () => {
    const own = await harness();
    const first = await own.made();

    const refused = await own.create({}, 'second');
    const second = await own.made({ active: false });
    const activated = await own.update(second.id, { active: true });

    const duplicate = [{ code: 'DUPLICATE', path: ['input', 'active'], resourceId: first.id }];
    expect([refused.userErrors, activated.userErrors]).toEqual([duplicate, duplicate]);
    expect(await activeOf(own)).toEqual([first.id]);
    expect(await notified(own)).toHaveLength(2);
  });

  test('is one of many concurrent creations', async () => {
    const own = await harness();

    const made = await Promise.all(Array.from({ length: 5 }, () => own.create()));

    expect(made.filter(({ antiFraudService }) => antiFraudService)).toHaveLength(1);
    expect(await rowsOf(own)).toBe(1);
  });

  test('makes room when it is disabled or deleted', async () => {
    const own = await harness();
    const first = await own.made();
    await own.update(first.id, { active: false });
    expect(await activeOf(own)).toEqual([]);

    const second = await own.made();
    expect(await activeOf(own)).toEqual([second.id]);
    await own.delete(second.id);

    expect((await own.update(first.id, { active: true })).userErrors).toEqual([]);
    expect(await activeOf(own)).toEqual([first.id]);
  });

  test('cannot be created where its definition does not work', async () => {
    const own = await harness();
    const app = { ...server.app, config: { ...server.app.config, production: true } };

    expect(await createAntiFraudService(app, viewerOf(own.merchantAccountId), CHECKS, null)).toMatchObject({
      ok: false,
      refusals: [{ path: ['input', 'antiFraudServiceDefinitionId'] }],
    });
  });
});

test('the list pages both ways, newest first', async () => {
  const own = await harness();
  const ids: string[] = [];
  for (let made = 0; made < 5; made += 1) ids.unshift((await own.made({ active: false })).id);
  const idsOf = async (page: Input) => (await own.list(page)).nodes.map(({ id }) => id);

  const { nodes, pageInfo } = await own.list({ first: 2 });

  expect(nodes.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(pageInfo.hasNextPage).toBe(true);
  expect(await idsOf({ first: 100, after: pageInfo.endCursor })).toEqual(ids.slice(2));
  expect(await idsOf({ last: 2 })).toEqual(ids.slice(3));
});

test('the catalogue lists the versions', async () => {
  const { body } = await server.graphql(
    `{ antiFraudServiceDefinitions { id displayName interfaceVersion newerInterfaceVersion sandboxOnly
       fields { key required secret } } }`,
  );

  expect(body.data?.['antiFraudServiceDefinitions']).toMatchObject([
    {
      ...{ id: 'mock-anti-fraud', interfaceVersion: '2.1', newerInterfaceVersion: '10.2', sandboxOnly: true },
      fields: [
        { key: 'merchant_id', required: true, secret: false },
        { key: 'api_key', required: false, secret: true },
        { key: 'api_url', required: false, secret: false },
        { key: 'webhook_secret', required: false, secret: true },
      ],
    },
    { id: 'single', newerInterfaceVersion: null },
  ]);
});

test.each([
  ['{ answer: antiFraudServices { nodes { id } } }', 'anti-fraud-services.read'],
  ['{ answer: antiFraudServiceDefinitions { id } }', 'anti-fraud-service-definitions.read'],
  [
    'mutation { answer: deleteAntiFraudService(id: "x") { userErrors { code } } }',
    'anti-fraud-services.write',
  ],
])('%s needs %s', async (document, scope) => {
  const others = ['payment-services.read', 'payment-services.write', 'transactions.read'];
  const [allowed, refused] = [await server.mint({ scopes: [scope] }), await server.mint({ scopes: others })];

  const denied = await server.graphql(document, {}, { token: refused });

  expect(denied.body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  expect((await server.graphql(document, {}, { token: allowed })).body.errors).toBeUndefined();
});

test('a secret is in no answer, nowhere in the database and in no log', async () => {
  const own = await harness();
  const second = 'canary-second-93ab7e';
  const created = await own.create({}, 'with a secret');
  const id = created.antiFraudService?.id ?? '';

  const answers = [
    ...[created, await own.create({}, 'with a secret')],
    await own.update(id, { fields: [{ key: 'api_key', value: second }] }),
    await own.update(id, { displayName: '', fields: [{ key: 'webhook_secret', value: `${second}\u0000` }] }),
    ...[await own.get(id), await own.list(), await own.delete(id)],
  ];
  const kept = await dumpDatabase(server.app.config.DATABASE_URL ?? '');
  const seen = `${JSON.stringify(answers)}\n${kept}\n${server.logs()}`;

  expect(seen).toContain(id);
  for (const secret of [CHECKS.fields[1]?.value ?? '', second])
    for (const form of [
      secret,
      ...(['hex', 'base64'] as const).map((as) => Buffer.from(secret).toString(as)),
    ])
      expect(seen).not.toContain(form.slice(0, -3));
});
