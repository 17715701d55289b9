import { describe, expect, it } from '@jest/globals';
import { execute, parse, subscribe, validate, type ExecutionResult, type GraphQLSchema } from 'graphql';
import type { GraphContext } from '../../src/graph/context.ts';
import { syntheticContext, syntheticGraph } from './synthetic.ts';

const graph = syntheticGraph();

const ask = async (
  text: string,
  context: GraphContext = syntheticContext(),
  variables = {},
): Promise<ExecutionResult> => plain(await run(graph.schema, text, context, variables));

async function run(
  schema: GraphQLSchema,
  text: string,
  context: GraphContext,
  variables = {},
): Promise<ExecutionResult> {
  const document = parse(text);
  const refused = validate(schema, document);
  if (refused.length > 0) throw new Error(refused.join('\n'));
  return await execute({ schema, document, contextValue: context, variableValues: variables });
}

const plain = (result: ExecutionResult): ExecutionResult =>
  JSON.parse(JSON.stringify(result)) as ExecutionResult;

describe('a reference to an entity of another subgraph', () => {
  it('is completed by its home, once for each reference', async () => {
    const context = syntheticContext();

    const { data, errors } = await ask('{ order(id: "o1") { shop { name tier openedAt } } }', context);

    expect(errors).toBeUndefined();
    expect(data).toEqual({
      order: { shop: { name: 'Corner', tier: 'GOLD', openedAt: '2026-01-02T03:04:05.006Z' } },
    });
    expect(context.loads).toEqual(['shop s1']);
  });

  it('needs no load when the request selects only the key, whatever is skipped beside it', async () => {
    const context = syntheticContext();

    const text =
      'query($no: Boolean!) { orders { shop { id __typename name @include(if: $no) ...F @skip(if: true) } } } fragment F on Shop { tier }';
    const { data } = await ask(text, context, { no: false });

    expect(data).toEqual({
      orders: ['s1', 's2', 'gone'].map((id) => ({ shop: { id, __typename: 'Shop' } })),
    });
    expect(context.loads).toEqual([]);
  });

  it('is null when the home has no such entity', async () => {
    const { data, errors } = await ask('{ order(id: "o3") { id shop { name } } }');

    expect(errors).toBeUndefined();
    expect(data).toEqual({ order: { id: 'o3', shop: null } });
  });

  it('may be of several fields together, in lists', async () => {
    const context = syntheticContext();

    const { data } = await ask(
      '{ shop(id: "s1") { bestItems { shopId sku name level price { amount currency } } } }',
      context,
    );

    expect(data).toEqual({
      shop: {
        bestItems: [
          {
            shopId: 's1',
            sku: 'a',
            name: 'Apple',
            level: 'SOME_LEFT',
            price: { amount: 120, currency: 'USD' },
          },
          { shopId: 's1', sku: 'b', name: 'Bread', level: 'NONE', price: null },
        ],
      },
    });
    expect(context.loads).toEqual(['item s1/a', 'item s1/b']);
  });

  it('leads back to its origin', async () => {
    const { data } = await ask(
      '{ shop(id: "s2") { bestItems { shop { orders { items { shop { name } } } } } } }',
    );

    expect(data).toEqual({
      shop: { bestItems: [{ shop: { orders: [{ items: [{ shop: { name: 'Market' } }] }] } }] },
    });
  });
});

describe('an entity with fields in two subgraphs', () => {
  it('asks the other subgraph by the key, once for all its fields', async () => {
    const context = syntheticContext();

    const { data } = await ask('{ shop(id: "s1") { name orders { id } orderCount latest { id } } }', context);

    expect(data).toEqual({
      shop: { name: 'Corner', orders: [{ id: 'o1' }], orderCount: 1, latest: { id: 'o1' } },
    });
    expect(context.loads).toEqual(['orders of s1']);
  });

  it('calls no other subgraph when the referring one has the fields', async () => {
    const context = syntheticContext();

    const { data } = await ask('{ order(id: "o1") { shop { id orderCount } } }', context);

    expect(data).toEqual({ order: { shop: { id: 's1', orderCount: 1 } } });
    expect(context.loads).toEqual([]);
  });

  it('asks the home for the rest', async () => {
    const context = syntheticContext();

    const { data } = await ask('{ order(id: "o1") { shop { orderCount name } } }', context);

    expect(data).toEqual({ order: { shop: { orderCount: 1, name: 'Corner' } } });
    expect(context.loads).toEqual(['shop s1']);
  });
});

describe('values', () => {
  it('are lower case inside for every enum: defaults, arguments, input fields, answers', async () => {
    const context = syntheticContext();

    const defaults = await ask('{ shops { nodes { tier } } items { level } }', context);
    const given = await ask(
      'query($t: Tier) { shops(tier: $t) { nodes { tier } } items(level: NONE) { level } }',
      context,
      { t: 'PLAIN' },
    );
    await ask('mutation { rename(id: "s1") { shop { id } } }', context);
    await ask('mutation { rename(id: "s1", changes: { tier: GOLD }) { shop { id } } }', context);

    expect(defaults.data).toEqual({
      shops: { nodes: [{ tier: 'GOLD' }] },
      items: [{ level: 'SOME_LEFT' }, { level: 'SOME_LEFT' }],
    });
    expect(given.data).toEqual({ shops: { nodes: [{ tier: 'PLAIN' }] }, items: [{ level: 'NONE' }] });
    expect(context.loads).toEqual(['rename s1 {"tier":"plain"}', 'rename s1 {"tier":"gold"}']);
  });

  it('of an interface and a union are distinguished by their __typename', async () => {
    const { data } = await ask(
      `{ find(id: "s0") { __typename ... on Missing { what code } ... on Shop { name } } }`,
    );

    expect(data).toEqual({ find: { __typename: 'Missing', what: 'shop', code: 'PLAIN' } });
  });

  it('of a @oneOf input must be exactly one', async () => {
    const text = 'mutation($place: Place) { rename(id: "s1", changes: { place: $place }) { shop { id } } }';

    const { errors } = await ask(text, syntheticContext(), { place: { city: 'Rome', coordinates: [1] } });

    expect(errors?.[0]?.message).toContain('Exactly one key must be specified for OneOf type "Place".');
  });

  it('that are inaccessible are in no answer', () => {
    expect(validate(graph.schema, parse('{ shop(id: "s1") { till } }'))[0]?.message).toBe(
      'Cannot query field "till" on type "Shop". Did you mean "tier"?',
    );
    expect(graph.apiSdl).not.toContain('till');
  });
});

describe('a subscription', () => {
  const place = (context: GraphContext) =>
    subscribe({
      schema: graph.schema,
      document: parse('subscription { placed { id shop { name } } }'),
      contextValue: context,
    });

  it('follows references in each event', async () => {
    const stream = await place(syntheticContext());

    if (!(Symbol.asyncIterator in stream)) throw new Error('No stream');
    const events = await Array.fromAsync(stream);

    expect(events.map(({ data }) => plain({ data: data ?? null }).data)).toEqual([
      { placed: { id: 'o1', shop: { name: 'Corner' } } },
      { placed: { id: 'o2', shop: { name: 'Market' } } },
    ]);
  });

  it('needs its scope when it starts', async () => {
    const result = await place(syntheticContext(['shops.read']));

    expect(result).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN', requiredScopes: [['orders.read']] } }],
    });
  });
});

describe('scopes', () => {
  const forbidden = (requiredScopes: string[][], path: (string | number)[]) =>
    expect.objectContaining({ path, extensions: { code: 'FORBIDDEN', requiredScopes } });

  it.each([
    [['shops.read'], true],
    [['*.read'], true],
    [['shops.write'], false],
    [['*.write'], false],
    [['shop.read'], false],
    [['*'], false],
    [['orders.read'], false],
    [[], false],
  ])('%j may read shops: %s', async (scopes, allowed) => {
    const { data, errors } = await ask('{ shop(id: "s1") { id } }', syntheticContext(scopes));

    expect(data).toEqual({ shop: allowed ? { id: 's1' } : null });
    expect(errors ?? []).toEqual(allowed ? [] : [forbidden([['shops.read']], ['shop'])]);
  });

  it.each([
    [['shops.read', 'audits.read'], true],
    [['admin.read'], true],
    [['shops.read'], false],
  ])('%j are all of one group: %s', async (scopes, allowed) => {
    const { data, errors } = await ask('{ strict { id } }', syntheticContext(scopes));

    expect(data).toEqual(allowed ? { strict: { id: 's1' } } : null);
    expect(errors?.map(({ message }) => message)).toEqual(
      allowed ? undefined : ['The token lacks the scope shops.read and audits.read, or admin.read.'],
    );
  });

  it('of the home are required to reach an entity by reference, and nothing is loaded without them', async () => {
    const context = syntheticContext(['orders.read']);

    const { data, errors } = await ask('{ order(id: "o1") { id shop { name } } }', context);

    expect(data).toEqual({ order: { id: 'o1', shop: null } });
    expect(errors).toEqual([forbidden([['shops.read']], ['order', 'shop'])]);
    expect(context.loads).toEqual([]);
  });

  it('of the home are required for the fields that another subgraph adds', async () => {
    const context = syntheticContext(['orders.read', 'items.read']);

    const { data, errors } = await ask(
      '{ item(shopId: "s1", sku: "a") { shop { id latest { id } } } }',
      context,
    );

    expect(data).toEqual({ item: { shop: { id: 's1', latest: null } } });
    expect(errors).toEqual([forbidden([['shops.read']], ['item', 'shop', 'latest'])]);
  });

  it('may stand on any field', async () => {
    const { data, errors } = await ask(
      '{ shop(id: "s1") { name closed } }',
      syntheticContext(['shops.read']),
    );

    expect(data).toEqual({ shop: { name: 'Corner', closed: null } });
    expect(errors).toEqual([forbidden([['audits.read']], ['shop', 'closed'])]);
  });
});

describe('a subgraph by itself', () => {
  const entities = async (
    subgraph: string,
    representations: unknown,
    fields: string,
    context = syntheticContext(),
  ) => {
    const schema = graph.subgraphs().get(subgraph);
    if (!schema) throw new Error(`No subgraph ${subgraph}`);
    const text = `query($r: [_Any!]!) { _entities(representations: $r) { ${fields} } }`;
    return plain(await run(schema, text, context, { r: representations }));
  };

  it('shows a router its SDL with the federation directives', async () => {
    const schema = graph.subgraphs().get('stock');
    if (!schema) throw new Error('No subgraph');

    const { data } = await run(schema, '{ _service { sdl } }', syntheticContext([]));

    expect(JSON.stringify(data)).toContain('@key(fields: \\"shopId sku\\")');
  });

  it('resolves references with the same enum values', async () => {
    const { data } = await entities(
      'stock',
      [{ __typename: 'Item', shopId: 's1', sku: 'b' }],
      '... on Item { name level }',
    );

    expect(data).toEqual({ _entities: [{ name: 'Bread', level: 'NONE' }] });
  });

  it('requires the scope of the entity', async () => {
    const context = syntheticContext(['orders.read']);

    const { data, errors } = await entities(
      'shops',
      [{ __typename: 'Shop', id: 's1' }],
      '... on Shop { name }',
      context,
    );

    expect(data).toEqual({ _entities: [null] });
    expect(errors).toEqual([
      expect.objectContaining({
        path: ['_entities', 0],
        extensions: { code: 'FORBIDDEN', requiredScopes: [['shops.read']] },
      }),
    ]);
    expect(context.loads).toEqual([]);
  });

  it.each([[{ id: { x: 1 } }], [{}], [{ id: null }]])(
    'refuses a reference without a key: %j',
    async (key) => {
      const context = syntheticContext();

      const { data, errors } = await entities(
        'shops',
        [{ __typename: 'Shop', ...key }],
        '... on Shop { name }',
        context,
      );

      expect(data).toEqual({ _entities: [null] });
      expect(errors?.[0]).toMatchObject({
        message: 'representations: A reference to Shop needs id.',
        extensions: { code: 'INVALID_INPUT' },
      });
      expect(context.loads).toEqual([]);
    },
  );

  it('does not echo references to entities of others', async () => {
    const { data } = await entities('stock', [{ __typename: 'Shop', id: 'secret' }], '... on Shop { id }');

    expect(data).toEqual({ _entities: [null] });
  });

  it('has the same scopes on its own fields', async () => {
    const schema = graph.subgraphs().get('stock');
    if (!schema) throw new Error('No subgraph');

    const result = await run(
      schema,
      '{ item(shopId: "s1", sku: "a") { name } }',
      syntheticContext(['shops.read']),
    );

    expect(result).toMatchObject({ data: { item: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  });
});
