import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Kind, parse } from 'graphql';
import { composedFiles, supergraphFor, type RouterOptions } from '../../src/graph/compose.ts';
import { readModel } from '../../src/graph/federation/subgraph-model.ts';
import { readSdl, schemaUrl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';

describe('the composed schema', () => {
  it.each([...composedFiles()])(
    'is committed as it is composed now: %s (else run npm run compose)',
    (name, text) => {
      expect(readFileSync(schemaUrl(name), 'utf8')).toBe(text);
    },
  );

  it('describes an entity as its home subgraph does, not as a referring subgraph', () => {
    const api = composedFiles().get('api') ?? '';

    expect(api).not.toContain('of another part of the graph');
  });

  it('describes every field that starts an operation', () => {
    const undescribed = SUBGRAPHS.flatMap((name) => {
      const { document, objects } = readModel({ name, resolvers: {} }, readSdl(name));
      const roots = ['Query', 'Mutation', 'Subscription'].flatMap((root) => [
        ...(objects.get(root)?.fields.values() ?? []),
      ]);
      return [
        ...roots,
        ...document.definitions.filter((node) => node.kind === Kind.INTERFACE_TYPE_DEFINITION),
      ]
        .filter(({ description }) => !description)
        .map((node) => node.name.value);
    });

    expect(undescribed).toEqual([]);
  });

  it('answers userErrors from every mutation', () => {
    const without = SUBGRAPHS.flatMap((name) => {
      const { objects } = readModel({ name, resolvers: {} }, readSdl(name));
      return [...(objects.get('Mutation')?.fields.values() ?? [])]
        .map(({ type }) =>
          type.kind === Kind.NON_NULL_TYPE && type.type.kind === Kind.NAMED_TYPE ? type.type.name.value : '?',
        )
        .filter((payload) => !objects.get(payload)?.fields.has('userErrors'));
    });

    expect(without).toEqual([]);
  });
});

describe('a supergraph for a router', () => {
  const base = 'https://pay.example.com';
  const of = (given: Partial<RouterOptions>): string =>
    supergraphFor({ base, urls: [], publishesScopes: true, ...given });

  it('has the address of each subgraph', () => {
    const supergraph = of({ urls: ['events=https://other.example.com/graphql'] });
    const urls = [...supergraph.matchAll(/@join__graph\(\s*name: "([^"]+)",?\s+url: "([^"]+)"\s*\)/g)];

    expect(new Map(urls.map(([, name, url]) => [name, url]))).toEqual(
      new Map(
        SUBGRAPHS.map((name) => [
          name,
          name === 'events' ? 'https://other.example.com/graphql' : `${base}/subgraphs/${name}`,
        ]),
      ),
    );
  });

  it('has scopes, or none', () => {
    expect(of({})).toContain('@requiresScopes(scopes: [[');
    expect(of({ publishesScopes: false })).not.toContain('requiresScopes');
  });

  it.each<readonly [Partial<RouterOptions>, string]>([
    [{ urls: ['nothing=https://other.example.com'] }, 'No subgraph has the name "nothing"'],
    [{ urls: ['events=other'] }, 'The address of "events" is no URL'],
    [{ base: undefined }, 'No address for accounts, '],
  ])('is refused: %j', (given, message) => {
    expect(() => of(given)).toThrow(message);
  });
});

describe('a subgraph of another service', () => {
  const joined = (sdl: string): string =>
    supergraphFor({
      base: 'https://pay.example.com',
      urls: ['shop=https://shop.example.com/graphql'],
      publishesScopes: true,
      others: [{ name: 'shop', typeDefs: parse(`${LINK} ${sdl}`) }],
    });
  const LINK =
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])';

  it.each([
    'type Query { order: Order } type Order @key(fields: "id") { id: ID! } type Transaction @key(fields: "id") { id: ID! order: Order }',
    'type Query { one: Buyer } type Buyer @key(fields: "externalIdentifier") { externalIdentifier: String points: Int! }',
    'type Query { price: Money } type Money @shareable { amount: Int! currency: String! }',
    'type Query { page: PageInfo } type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }',
    'type Query { code: ErrorCode } enum ErrorCode { OUT_OF_STOCK }',
    'type Query { calendar: [ShopEvent!]! } type ShopEvent { id: ID! }',
  ])('composes: %s', (sdl) => {
    expect(joined(sdl)).toContain('url: "https://shop.example.com/graphql"');
  });

  it.each([
    ['type Query { calendar: [Event!]! } type Event { id: ID! }', 'Non-shareable field "Event.id"'],
    [
      'type Query { events: [Thing!]! } type Thing { id: ID! }',
      'Type of field "Query.events" is incompatible',
    ],
    [
      'type Query { price: Money } scalar Decimal type Money @shareable { amount: Decimal! currency: String! }',
      'Type of field "Money.amount" is incompatible',
    ],
    [
      'type Query { price: Money } type Money { amount: Int! currency: String! }',
      'Non-shareable field "Money.amount"',
    ],
    [
      'type Query { a: NotFound } type NotFound { message: String! }',
      'Non-shareable field "NotFound.message"',
    ],
    [
      'type Query { a: Bad } interface UserError { field: String } type Bad implements UserError { field: String }',
      'Interface field "UserError.field" is declared in subgraph "shop"',
    ],
  ])('is refused with the clash by name: %s', (sdl, message) => {
    expect(() => joined(sdl)).toThrow(message);
  });

  it('composes beside renamed parts of ours', () => {
    const supergraph = supergraphFor({
      ...{
        base: 'https://pay.example.com',
        urls: ['shop=https://shop.example.com/graphql'],
        publishesScopes: true,
      },
      others: [
        {
          name: 'shop',
          typeDefs: parse('type Query { events: [Event!]! } type Event { id: ID! title: String! }'),
        },
      ],
      renames: ['Event=PaygraphEvent', 'Query.events=paygraphEvents'],
    });

    expect(supergraph).toContain('node: PaygraphEvent!');
    expect(supergraph).toMatch(/paygraphEvents\(/);
    expect(supergraph).toMatch(/events: \[Event!\]! @join__field\(graph: SHOP/);
  });

  it.each([
    ['Nothing=Other', 'No type or root field has the name "Nothing".'],
    ['Query.nothing=other', 'No type or root field has the name "Query.nothing".'],
    ['Money.amount=other', 'No type or root field has the name "Money.amount".'],
    ['Query=Other', 'No type or root field has the name "Query".'],
    ['Event', '--rename Event gives no name. Write --rename Event=Other.'],
  ])('refuses the rename %s', (rename, message) => {
    const given = { base: 'https://pay.example.com', urls: [], publishesScopes: true, renames: [rename] };

    expect(() => supergraphFor(given)).toThrow(message);
  });

  it('needs an address', () => {
    const others = [{ name: 'shop', typeDefs: parse('type Query { a: Int }') }];
    const given = { base: 'https://pay.example.com', urls: [], publishesScopes: true, others };

    expect(() => supergraphFor(given)).toThrow('No address for shop.');
  });
});

it('the guide names every subgraph', () => {
  const guide = readFileSync('src/docs/guides/federation.md', 'utf8');

  expect([...guide.matchAll(/^- `([a-z-]+)`$/gm)].map(([, name]) => name)).toEqual(SUBGRAPHS.toSorted());
});
