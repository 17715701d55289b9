import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { supergraphFor } from '../../src/graph/compose.ts';

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
