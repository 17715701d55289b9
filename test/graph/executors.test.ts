import { describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery, parse } from 'graphql';
import { createExecutor, type Executor } from '../../src/graph/execution/execute.ts';
import { comparable } from './agreement.ts';
import { askBoth, reference, schema, type Requested } from './both-executors.ts';
import { syntheticContext, syntheticGraph } from './synthetic.ts';

describe('compiled and reference', () => {
  it.each<[string, Requested]>([
    ['a resolver that throws', { text: '{ broken(how: "now") { id } }' }],
    ['a resolver that fails later', { text: '{ broken(how: "later") { id } }' }],
    ['a value that is in no enum', { text: '{ broken(how: "field") { id tier } }' }],
    ['a null where none may be', { text: '{ broken(how: "field") { id name } }' }],
    ['elements that fail among others', { text: '{ brokenList { id name } }' }],
    [
      'a scope that is missing',
      { text: '{ strict { id } shop(id: "s1") { closed } }', scopes: ['shops.read'] },
    ],
    [
      'types of an interface',
      {
        text: 'mutation { rename(id: "s7") { problems { __typename code ... on Missing { what } ... on Closed { since } } } }',
      },
    ],
    [
      'merged fields',
      {
        text: '{ shop(id: "s1") { orders { id } ...F } } fragment F on Shop { orders { total { amount } } name }',
      },
    ],
    [
      'an input type inside itself',
      {
        text: 'mutation($c: Changes!) { rename(id: "s1", changes: $c) { shop { id } } }',
        variables: { c: { name: 'a', more: [{ tier: 'GOLD', more: [{ at: '2026-01-01T00:00:00Z' }] }] } },
      },
    ],
    [
      'variables inside literals',
      {
        text: 'mutation($n: String, $t: String!) { rename(id: "s1", changes: { name: $n, tags: { a: $t, b: "c" } }) { echo } }',
        variables: { t: 'x' },
      },
    ],
    [
      'a variable that is not given, with a default of the field',
      { text: 'query($l: Level) { items(level: $l) { name } }' },
    ],
    ['a default of the variable', { text: 'query($l: Level! = NONE) { items(level: $l) { name } }' }],
  ])('answer alike, compiled: %s', async (_, requested) => {
    const { expected, answered, compiled } = await askBoth(requested);

    expect(compiled).toBe(true);
    expect(comparable(answered)).toEqual(comparable(expected));
  });

  it('answer references of a router alike, including failed ones', async () => {
    const stock = syntheticGraph().subgraphs().get('stock');
    if (!stock) throw new Error('No subgraph');
    const document = parse(
      'query($r: [_Any!]!) { _entities(representations: $r) { __typename ... on Item { name level } } }',
    );
    const keys = [{ sku: 'a' }, {}, { sku: 'b' }, { sku: 'none' }];
    const variables = { r: keys.map((key) => ({ __typename: 'Item', shopId: 's1', ...key })) };
    const [first, second] = [createExecutor(stock, 'reference'), createExecutor(stock, 'compiled')];
    const request = () => ({ document, variables, context: syntheticContext() });
    expect(second.tryCompiled(request())).toBeNull();

    const expected = comparable(await first.execute(request()));
    const answered = comparable((await second.tryCompiled(request())) ?? {});

    expect(expected.data).toEqual({
      _entities: [
        { __typename: 'Item', name: 'Apple', level: 'SOME_LEFT' },
        null,
        { __typename: 'Item', name: 'Bread', level: 'NONE' },
        null,
      ],
    });
    expect(answered).toEqual(expected);
  });

  const PROGRAM = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d0+(globalThis.ran=true)';

  it.each<[string, Requested]>([
    ['a literal', { text: `{ broken(how: "${PROGRAM}") { id } }` }],
    [
      'a literal inside another',
      { text: `mutation { rename(id: "s1", changes: { name: "${PROGRAM}" }) { shop { id } } }` },
    ],
    ['a default of a variable', { text: `query($h: String! = "${PROGRAM}") { broken(how: $h) { id } }` }],
    ['a variable', { text: 'query($h: String!) { broken(how: $h) { id } }', variables: { h: PROGRAM } }],
  ])('never run program text that is %s', async (_, requested) => {
    const { expected, answered, compiled } = await askBoth(requested);

    expect(compiled).toBe(true);
    expect(globalThis).not.toHaveProperty('ran');
    expect(comparable(answered)).toEqual(comparable(expected));
  });

  it.each<[string, Requested]>([
    [
      'keys with underscores',
      { text: '{ a_b: shop(id: "s1") { c: latest { id } } a: shop(id: "s2") { b_c: orders { id } } }' },
    ],
    ["keys like the compiler's own", { text: '{ shops { nodes { idx0: orders { id } } } }' }],
    ['__proto__ as a key', { text: '{ __proto__: shop(id: "s1") { __proto__: __typename } }' }],
    ['introspection', { text: getIntrospectionQuery() }],
    [
      'several mutations, where a failed one stops the next',
      {
        text: 'mutation { a: rename(id: "s1") { shop { id } } b: rename(id: "s2") { shop { id } } }',
        scopes: [],
      },
    ],
  ])('answer alike, left to the reference: %s', async (_, requested) => {
    const { expected, answered, compiled } = await askBoth(requested);

    expect(compiled).toBe(false);
    expect(JSON.stringify(answered)).toBe(JSON.stringify(expected));
  });

  it.each<[string, Requested]>([
    ['of the wrong type', { text: 'query($id: ID!) { shop(id: $id) { id } }', variables: { id: 1.5 } }],
    ['missing', { text: 'query($id: ID!) { shop(id: $id) { id } }' }],
    ['null', { text: 'query($id: ID!) { shop(id: $id) { id } }', variables: { id: null } }],
    [
      'with an unknown field',
      {
        text: 'mutation($c: Changes!) { rename(id: "s1", changes: $c) { echo } }',
        variables: { c: { nmae: 'x' } },
      },
    ],
    [
      'with two members of @oneOf',
      {
        text: 'mutation($p: Place) { rename(id: "s1", changes: { place: $p }) { echo } }',
        variables: { p: { city: 'a', coordinates: [] } },
      },
    ],
    [
      'null for an argument with a default',
      { text: 'query($l: Level = NONE) { items(level: $l) { name } }', variables: { l: null } },
    ],
  ])('refuse variables alike: %s', async (_, requested) => {
    const { expected, answered } = await askBoth(requested);

    expect(expected.errors).toHaveLength(1);
    expect(JSON.stringify(answered)).toBe(JSON.stringify(expected));
  });
});

describe('compiling', () => {
  const request = (text: string, variables = {}) => ({
    document: parse(text),
    variables,
    context: syntheticContext(),
  });

  it('happens at the second use of an operation', () => {
    const executor = createExecutor(schema, 'compiled');
    const same = request('{ shop(id: "s1") { name } }');

    expect([1, 2, 3].map(() => executor.tryCompiled(same) !== null)).toEqual([false, true, true]);
  });

  it('covers one operation of a document, for one set of @skip and @include', () => {
    const executor = createExecutor(schema, 'compiled');
    const { document } = request(
      'query A($x: Boolean!) { shop(id: "s1") { id name @skip(if: $x) } } query B { orders { id } }',
    );
    const sees = (operationName: string, variables: Readonly<Record<string, unknown>>) =>
      executor.tryCompiled({ document, operationName, variables, context: syntheticContext() }) !== null;

    expect(sees('A', { x: true })).toBe(false);
    expect(sees('B', {})).toBe(false);
    expect(sees('A', { x: false })).toBe(false);
    expect(sees('A', { x: true })).toBe(true);
    expect(sees('C', {})).toBe(false);
  });

  it('never happens in reference mode', () => {
    const same = request('{ shop(id: "s1") { name } }');

    expect([1, 2, 3].map(() => reference.tryCompiled(same))).toEqual([null, null, null]);
  });

  it('keeps a bounded number of operations, and still answers all', async () => {
    const executor: Executor = createExecutor(schema, 'compiled');
    const requests = Array.from({ length: 600 }, (_, n) =>
      request(`{ shop(id: "s1") { name${' '.repeat(n)} } }`),
    );

    for (const each of [...requests, ...requests, ...requests.slice(0, 50)]) {
      expect((await executor.execute(each)).data).toEqual({ shop: { name: 'Corner' } });
    }
  });

  it('is not slowed down by fragments that spread each other', async () => {
    const levels = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on Shop { ...F${n + 1} ...F${n + 1} }`,
    ).join(' ');

    const { compiled, answered } = await askBoth({
      text: `{ shop(id: "s1") { ...F0 } } ${levels} fragment F60 on Shop { name }`,
    });

    expect(compiled).toBe(true);
    expect(answered.data).toEqual({ shop: { name: 'Corner' } });
  });
});
