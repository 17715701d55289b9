import type { GraphContext } from '../../src/graph/context.ts';
import { compose } from '../../src/graph/federation/composition.ts';
import { buildGraph, type Graph } from '../../src/graph/schema.ts';
import type { Subgraph } from '../../src/graph/federation/subgraph.ts';

/** A graph of three subgraphs that uses every supported feature, with fixed data. */
export const syntheticGraph = (changes: Partial<Record<Name, (sdl: string) => string>> = {}): Graph =>
  buildGraph([shops, orders, stock], {
    sdlOf: (name) => (changes[name as Name] ?? ((sdl) => sdl))(sdlOf[name as Name]),
    compose,
  });

/** Returns a context with these scopes. Counts the loads in `loads`. */
export function syntheticContext(
  scopes: readonly string[] = ['*.read', '*.write'],
): GraphContext & { loads: string[] } {
  const made = {
    app: { readDb: {}, config: { DATABASE_READ_POOL: 8 } },
    spend: () => null,
    marks: { mayChange: false },
    viewer: { scopes },
    loaders: {},
    loads: [],
  };
  return made as unknown as GraphContext & { loads: string[] };
}

type Name = 'shops' | 'orders' | 'stock';
type Context = { readonly loads: string[] };

const HEAD = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
    import: ["@key", "@shareable", "@inaccessible", "@requiresScopes", "@external", "@requires"])
  scalar DateTime
  scalar StringMap
  type Money @shareable { amount: Int! currency: String! }
`;

const sdlOf: Readonly<Record<Name, string>> = {
  shops: `${HEAD}
    enum Tier { GOLD PLAIN }
    "A place that sells."
    type Shop @key(fields: "id") {
      id: ID!
      name: String!
      tier: Tier!
      openedAt: DateTime!
      bestItems: [Item!]!
      rent: Money
      till: String @inaccessible
      closed: Boolean @requiresScopes(scopes: [["audits.read"]])
    }
    type Item @key(fields: "shopId sku", resolvable: false) { shopId: ID! sku: String! }
    type ShopEdge { node: Shop! }
    type ShopConnection { nodes: [Shop!]! edges: [ShopEdge!]! }
    interface Problem { code: Tier! message: String! }
    type Closed implements Problem { code: Tier! message: String! since: DateTime! }
    type Missing implements Problem { code: Tier! message: String! what: String! }
    union Found = Shop | Missing
    input Place @oneOf { city: String, coordinates: [Float!] }
    input Changes { name: String, tier: Tier! = PLAIN, place: Place, tags: StringMap, at: DateTime, more: [Changes!] }
    type Renamed { shop: Shop problems: [Problem!]! echo: StringMap }
    type Query {
      shop(id: ID!): Shop @requiresScopes(scopes: [["shops.read"]])
      shops(tier: Tier = GOLD, first: Int, names: [String!]): ShopConnection! @requiresScopes(scopes: [["shops.read"]])
      find(id: ID!): Found @requiresScopes(scopes: [["shops.read"]])
      broken(how: String!): Shop @requiresScopes(scopes: [["shops.read"]])
      brokenList: [Shop] @requiresScopes(scopes: [["shops.read"]])
      strict: Shop! @requiresScopes(scopes: [["shops.read", "audits.read"], ["admin.read"]])
    }
    type Mutation {
      rename(id: ID!, changes: Changes! = {}, idempotencyKey: String): Renamed! @requiresScopes(scopes: [["shops.write"]])
      captureTransaction(id: ID, idempotencyKey: String): Int @requiresScopes(scopes: [["shops.write"]])
      refundTransaction(id: ID, idempotencyKey: String): Int @requiresScopes(scopes: [["shops.write"]])
    }`,
  orders: `${HEAD}
    type Order @key(fields: "id") { id: ID! shop: Shop items: [Item!]! total: Money! notes: StringMap before: Order }
    type Shop @key(fields: "id") { id: ID! orders(first: Int = 2): [Order!]! orderCount: Int! latest: Order }
    type Item @key(fields: "shopId sku", resolvable: false) { shopId: ID! sku: String! }
    type Query {
      order(id: ID!): Order @requiresScopes(scopes: [["orders.read"]])
      orders: [Order!]! @requiresScopes(scopes: [["orders.read"]])
    }
    type Subscription { placed(count: Int! = 2): Order! @requiresScopes(scopes: [["orders.read"]]) }`,
  stock: `${HEAD}
    enum Level { NONE SOME_LEFT }
    type Item @key(fields: "shopId sku") { shopId: ID! sku: String! name: String! level: Level! price: Money shop: Shop }
    type Shop @key(fields: "id", resolvable: false) { id: ID! }
    type Query {
      item(shopId: ID!, sku: String!): Item @requiresScopes(scopes: [["items.read"]])
      items(level: Level! = SOME_LEFT): [Item!]! @requiresScopes(scopes: [["items.read"]])
    }`,
};

const SHOPS = [
  {
    id: 's1',
    name: 'Corner',
    tier: 'gold',
    openedAt: new Date('2026-01-02T03:04:05.006Z'),
    rent: { amount: 5, currency: 'USD' },
  },
  { id: 's2', name: 'Market', tier: 'plain', openedAt: new Date('2026-02-02T00:00:00Z'), rent: null },
];
const ITEMS = [
  { shopId: 's1', sku: 'a', name: 'Apple', level: 'some_left', price: { amount: 120, currency: 'USD' } },
  { shopId: 's1', sku: 'b', name: 'Bread', level: 'none', price: null },
  { shopId: 's2', sku: 'a', name: 'Anchor', level: 'some_left', price: { amount: 9, currency: 'EUR' } },
];
const ORDERS = [
  {
    id: 'o1',
    shopId: 's1',
    items: ['a', 'b'],
    total: { amount: 120, currency: 'USD' },
    notes: { gift: 'yes' },
  },
  { id: 'o2', shopId: 's2', items: ['a'], total: { amount: 9, currency: 'EUR' }, notes: null },
  { id: 'o3', shopId: 'gone', items: [], total: { amount: 0, currency: 'USD' }, notes: null },
];

const later = async <Value>(value: Value): Promise<Value> => {
  await new Promise((resolve) => setImmediate(resolve));
  return value;
};

const fail = (how: string): never => {
  throw new Error(`broken ${how}`);
};

const shops: Subgraph = {
  name: 'shops',
  resolvers: {
    Query: {
      shop: (_: unknown, { id }: { id: string }) => later(SHOPS.find((shop) => shop.id === id) ?? null),
      shops: (_: unknown, { tier, names }: { tier: string | null; names?: string[] }) => {
        const nodes = SHOPS.filter(
          (shop) => (tier === null || shop.tier === tier) && (names?.includes(shop.name) ?? true),
        );
        return later({ nodes, edges: nodes.map((node) => ({ node })) });
      },
      find: (_: unknown, { id }: { id: string }) => {
        const shop = SHOPS.find((each) => each.id === id);
        return shop
          ? { ...shop, __typename: 'Shop' }
          : { __typename: 'Missing', code: 'plain', message: 'No such shop.', what: 'shop' };
      },
      broken: (_: unknown, { how }: { how: string }) =>
        how === 'later'
          ? later(null).then(() => fail(how))
          : how === 'field'
            ? { id: 's9', tier: 'unheard_of' }
            : fail(how),
      brokenList: () => [
        later(SHOPS[0]),
        later(null).then(() => fail('element')),
        later(null),
        later({ id: 's9' }),
      ],
      strict: () => SHOPS[0],
    },
    Mutation: {
      rename: async (
        _: unknown,
        { id, changes }: { id: string; changes: Record<string, unknown> },
        { loads }: Context,
      ) => {
        loads.push(`rename ${id} ${JSON.stringify(changes)}`);
        const shop = SHOPS.find((each) => each.id === id);
        if (shop) return { shop: later(shop), problems: [], echo: changes['tags'] ?? null };
        const since = new Date('2026-03-03T00:00:00Z');
        const problems = [
          { __typename: 'Closed', code: 'gold', message: 'It is closed.', since },
          { __typename: 'Missing', code: 'plain', message: 'No such shop.', what: 'shop' },
        ];
        return { shop: null, problems, echo: null };
      },
      captureTransaction: () => 1,
      refundTransaction: () => 2,
    },
    Shop: {
      __resolveReference: ({ id }: { id: string }, { loads }: Context) => {
        loads.push(`shop ${id}`);
        return later(SHOPS.find((shop) => shop.id === id) ?? null);
      },
      bestItems: ({ id }: { id: string }) =>
        ITEMS.filter(({ shopId }) => shopId === id).map(({ shopId, sku }) => ({ shopId, sku })),
      closed: () => false,
    },
  },
};

const orders: Subgraph = {
  name: 'orders',
  resolvers: {
    Query: {
      order: (_: unknown, { id }: { id: string }) => ORDERS.find((order) => order.id === id) ?? null,
      orders: () => later(ORDERS),
    },
    Subscription: {
      placed: {
        subscribe: async function* (_: unknown, { count }: { count: number }) {
          for (const order of ORDERS.slice(0, count)) yield await later(order);
        },
        resolve: (order: unknown) => order,
      },
    },
    Order: {
      __resolveReference: ({ id }: { id: string }) => ORDERS.find((order) => order.id === id) ?? null,
      shop: ({ shopId }: { shopId: string }) => ({ id: shopId }),
      items: ({ shopId, items }: { shopId: string; items: string[] }) =>
        items.map((sku) => ({ shopId, sku })),
      before: ({ id }: { id: string }) => ORDERS[ORDERS.findIndex((order) => order.id === id) - 1] ?? null,
    },
    Shop: {
      __resolveReference: ({ id }: { id: string }, { loads }: Context) => {
        loads.push(`orders of ${id}`);
        return { id };
      },
      orders: ({ id }: { id: string }, { first }: { first: number }) => later(ordersOf(id).slice(0, first)),
      orderCount: ({ id }: { id: string }) => ordersOf(id).length,
      latest: ({ id }: { id: string }) => ordersOf(id).at(-1) ?? null,
    },
  },
};

const ordersOf = (id: string) => ORDERS.filter(({ shopId }) => shopId === id);

const stock: Subgraph = {
  name: 'stock',
  resolvers: {
    Query: {
      item: (_: unknown, key: { shopId: string; sku: string }) => itemOf(key),
      items: (_: unknown, { level }: { level: string }) => ITEMS.filter((item) => item.level === level),
    },
    Item: {
      __resolveReference: (key: { shopId: string; sku: string }, { loads }: Context) => {
        loads.push(`item ${key.shopId}/${key.sku}`);
        return later(itemOf(key));
      },
      shop: ({ shopId }: { shopId: string }) => ({ id: shopId }),
    },
  },
};

const itemOf = ({ shopId, sku }: { shopId: string; sku: string }) =>
  ITEMS.find((item) => item.shopId === shopId && item.sku === sku) ?? null;
