import { describe, expect, it } from '@jest/globals';
import { compose } from '../../src/graph/federation/composition.ts';
import { buildGraph } from '../../src/graph/schema.ts';
import type { Subgraph } from '../../src/graph/federation/subgraph.ts';
import { syntheticGraph } from './synthetic.ts';

const HEAD = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable",
  "@inaccessible", "@requiresScopes", "@external", "@requires", "@provides", "@override", "@interfaceObject", "@tag"])`;
const SCOPE = '@requiresScopes(scopes: [["a.read"]])';
const GUARD = '@requiresScopes(scopes: [["x.read"]])';
const WRITABLE = `@requiresScopes(scopes: [["x.read"], ["x.write"]])`;
const OR_GUARD = '@requiresScopes(scopes: [["x.read"], ["a.read"]])';
const OTHER = 'type Other { y: Int }';
const resolve = () => null;

/** Builds a graph with one subgraph from SDL. Returns the message of a refusal. */
function refusalOf(sdl: string, resolvers: Subgraph['resolvers'] = { Query: { a: resolve } }): string {
  try {
    buildGraph([{ name: 'one', resolvers }], { sdlOf: () => `${HEAD}\n${sdl}`, compose });
    return 'built';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a subgraph is refused', () => {
  const entity = { Query: { a: resolve }, T: { __resolveReference: resolve } };

  const cases: readonly (readonly [sdl: string, reason: string, resolvers?: Subgraph['resolvers']])[] = [
    [`type Query { a: Int }`, 'Query.a declares no scope: add @requiresScopes.'],
    [
      `type Query { a: Int ${SCOPE} } type Mutation { b: Int }`,
      'Mutation.b declares no scope: add @requiresScopes.',
    ],
    [`type Query { a: Int ${SCOPE} } type Subscription { b: Int }`, 'Subscription.b declares no scope'],
    [`type Query { a: Int ${SCOPE} b: Int ${SCOPE} }`, 'Query.b has no resolver.'],
    [`type Query { a: Int @requiresScopes(scopes: []) }`, 'Query.a requires an empty scope.'],
    [`type Query { a: Int @requiresScopes(scopes: [[]]) }`, 'Query.a requires an empty scope.'],
    [
      `type Query { a: T ${SCOPE} } type T @requiresScopes(scopes: [["x.read"]]) { x: Int }`,
      'Query.a answers T and does not require x.read.',
    ],
    [
      `type Query { a: I ${SCOPE} } interface I { x: Int } ${OTHER} type T implements I ${GUARD} { x: Int }`,
      'Query.a answers T and does not require x.read.',
    ],
    [
      `type Query { a: U ${SCOPE} } union U = T ${OTHER} type T ${GUARD} { x: Int }`,
      'Query.a answers T and does not require x.read.',
    ],
    [
      `type Query { a: P ${SCOPE} } type P { t: [T!]! } type T ${GUARD} { x: Int }`,
      'P.t answers T and does not require x.read.',
    ],
    [
      `type Query { a: P ${GUARD} b: P ${SCOPE} } type P { t: T } type T ${GUARD} { x: Int }`,
      'P.t answers T and does not require x.read.',
      { Query: { a: resolve, b: resolve } },
    ],
    [
      `type Query { a: T ${OR_GUARD} } type T ${GUARD} { x: Int }`,
      'Query.a answers T and does not require x.read.',
    ],
    [
      `type Query { a: T @requiresScopes(scopes: [["x.write"]]) } type T ${WRITABLE} { x: Int }`,
      'Query.a answers T and does not require x.read.',
    ],
    [
      `type Query { a: Int ${SCOPE} } type Mutation { b: P @requiresScopes(scopes: [["y.write"]]) }
       type P { t: T } type T ${WRITABLE} { x: Int }`,
      'P.t answers T and does not require x.read or x.write.',
      { Query: { a: resolve }, Mutation: { b: resolve } },
    ],
    [`type Query ${GUARD} { a: Int ${SCOPE} }`, '@requiresScopes on Query is not served'],
    [`type Query { a: Int ${SCOPE} } enum E ${GUARD} { X }`, '@requiresScopes on E is not served'],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id") ${GUARD} { id: ID! }`,
      'A reference to T does not require x.read.',
      entity,
    ],
    [
      `type Query { a: I ${SCOPE} } interface I { x: Int ${SCOPE} } type T implements I { x: Int }`,
      '@requiresScopes on fields of the interface I is not served.',
    ],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id") { id: ID! x: Int @external y: Int @requires(fields: "x") }`,
      '@requires is not served.',
      entity,
    ],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id") { id: ID! x: Int @external }`,
      '@external on T.x is not served',
      entity,
    ],
    [
      `type Query { a: T ${SCOPE} @provides(fields: "x") } type T @key(fields: "id") { id: ID! x: Int }`,
      '@provides is not served.',
      entity,
    ],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id") { id: ID! x: Int @override(from: "two") }`,
      '@override is not served.',
      entity,
    ],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id") @interfaceObject { id: ID! x: Int }`,
      '@interfaceObject is not served.',
      entity,
    ],
    [
      `type Query { a: T ${SCOPE} } type T @federation__key(fields: "id") { id: ID! }`,
      '@federation__key is not served.',
    ],
    [`directive @mine on FIELD_DEFINITION type Query { a: Int ${SCOPE} @mine }`, '@mine is defined here'],
    [
      `extend schema @link(url: "https://x.dev/y/v1.0", import: [{ name: "@requires", as: "@key" }]) type Query { a: Int ${SCOPE} }`,
      '@link must not rename',
    ],
    [
      `type Query { a: I ${SCOPE} } interface I @key(fields: "id") { id: ID! } type T implements I @key(fields: "id") { id: ID! }`,
      '@key on the interface I is not served.',
      entity,
    ],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id { x }") { id: ID! }`,
      'nested keys are not served.',
      entity,
    ],
    [
      `type Query { a: T ${SCOPE} } enum E { X } type T @key(fields: "id") { id: E! }`,
      'T.id is in the key and must be a scalar.',
      entity,
    ],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id") { id: ID! }`,
      'T is an entity and needs __resolveReference.',
    ],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id") { id: ID! }`,
      'T.id is in the key and must have no resolver.',
      { Query: { a: resolve }, T: { __resolveReference: resolve, id: resolve } },
    ],
    [
      `type Query { a: [T] ${SCOPE} } type T @key(fields: "id") { id: ID! }`,
      'no field of Query in "one" says its scope.',
      entity,
    ],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id", resolvable: false) { id: ID! }`,
      'T is referred to and no subgraph resolves it.',
    ],
    [
      `type Query { a: T ${SCOPE} } type T @key(fields: "id", resolvable: false) { id: ID! x: Int }`,
      'may only have its key, not x.',
    ],
    [`type Query { a: T ${SCOPE} } type T { id: ID! }`, 'T.__resolveReference has no @key', entity],
    [
      `type Query { a: Int ${SCOPE} }`,
      'A resolver for Query.b, which the SDL does not have.',
      { Query: { a: resolve, b: resolve } },
    ],
    [
      `type Query { a: I ${SCOPE} } interface I { x: Int } type T implements I { x: Int }`,
      'Resolvers for I, which is no object type',
      { Query: { a: resolve }, I: { __resolveType: resolve } },
    ],
    [`type Query { a: Odd ${SCOPE} } scalar Odd`, 'The scalar Odd is not in scalars.ts.'],
    [`type Query { a: Nothing ${SCOPE} }`, 'Nothing'],
  ];

  it.each(cases.map(([sdl, reason, resolvers]) => ({ sdl, reason, resolvers })))(
    '$sdl',
    ({ sdl, reason, resolvers }) => {
      expect(refusalOf(sdl, resolvers)).toContain(reason);
    },
  );

  it('with every problem in one message', () => {
    const message = refusalOf('type Query { a: Int b: Int }', { Query: {} });

    expect(message.split('\n')).toEqual([
      'The subgraph "one" cannot be served:',
      '- Query.a declares no scope: add @requiresScopes.',
      '- Query.b declares no scope: add @requiresScopes.',
      '- Query.a has no resolver.',
      '- Query.b has no resolver.',
    ]);
  });

  it.each([
    `type Query { a: T ${GUARD} } type T ${GUARD} { x: Int more: [T!] }`,
    `type Query { a: P ${GUARD} } type P { t: T } type T ${GUARD} { p: P }`,
    `type Query { a: P ${SCOPE} } type P { t: T ${GUARD} } type T ${GUARD} { x: Int }`,
    `type Query { a: T @requiresScopes(scopes: [["x.read", "a.read"], ["x.read", "b.read"]]) } type T ${GUARD} { x: Int }`,
    `type Query { a: Int ${SCOPE} } type P { t: T } type T ${GUARD} { x: Int }`,
  ])('not when each way to a guarded type requires its scope: %s', (sdl) => {
    expect(refusalOf(sdl)).toBe('built');
  });

  it('not when it uses supported directives only', () => {
    expect(refusalOf(`type Query { a: Int ${SCOPE} @deprecated(reason: "Use b.") @tag(name: "t") }`)).toBe(
      'built',
    );
  });
});

describe('subgraphs are refused together', () => {
  it.each<[string, Parameters<typeof syntheticGraph>[0], string]>([
    [
      'when a field of an entity is in two',
      {
        orders: (sdl) => sdl.replace('orderCount: Int!', 'orderCount: Int! name: String! @shareable'),
        shops: (sdl) => sdl.replace('name: String!\n      tier', 'name: String! @shareable\n      tier'),
      },
      'Shop.name is in "shops" and in "orders": a field of an entity has one home.',
    ],
    [
      'when an interface or union holds an entity of another',
      { stock: (sdl) => sdl.replace('type Query {', 'union Odd = Shop | Item\n type Query {') },
      'Odd in "stock" holds Shop of another subgraph, which is not served.',
    ],
    [
      'when one of them refers to an entity by a key that its home does not resolve',
      {
        orders: (sdl) =>
          sdl.replace('"shopId sku", resolvable: false) { shopId: ID! ', '"sku", resolvable: false) { '),
      },
      'Item',
    ],
    [
      'when they do not compose',
      { stock: (sdl) => sdl.replace('amount: Int!', 'amount: Float!') },
      'The subgraphs do not compose',
    ],
  ])('%s', (_, changes, reason) => {
    expect(() => syntheticGraph(changes)).toThrow(reason);
  });
});
