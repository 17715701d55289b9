import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getIntrospectionQuery,
  getOperationAST,
  parse,
  validate,
  type GraphQLError,
} from 'graphql';
import { checkLimits, parseOptions, validationOptions } from '../../src/graph/limits/check-limits.ts';
import { composedFiles } from '../../src/graph/compose.ts';
import { LIMITS } from '../../src/graph/limits/limits.ts';

const api = buildSchema(composedFiles().get('api') ?? '');

/** A schema with cycles. The API has none. */
const round = buildSchema(`
  type Query { a: Query b: Query c(x: In): Int list: [Query!] page(first: Int, last: Int): Page either: Either }
  type Page { nodes: [Query!]! edges: [Edge!]! info: Query }
  type Edge { node: Query }
  union Either = Query | Edge
  input In { list: [In!], number: Int, text: String }
  type Mutation { a: Int }
`);

type Requested = {
  readonly text: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly schema?: typeof api;
};

/** Returns the refusal of the parser, the validator or the limits. */
function refusalOf({ text, variables = {}, schema = round }: Requested): GraphQLError | null {
  const document = parse(text, parseOptions);
  const [invalid] = validate(schema, document, undefined, validationOptions);
  if (invalid) return invalid;
  const operation = getOperationAST(document);
  if (!operation) throw new Error('No operation');
  return checkLimits({ schema, document, operation, variables });
}

const codeOf = (requested: Requested): unknown => refusalOf(requested)?.extensions['code'] ?? null;
const repeat = (count: number, write: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => write(n)).join(' ');
const nested = (depth: number, inner = 'c'): string =>
  depth === 1 ? inner : `a { ${nested(depth - 1, inner)} }`;
const listOf = (length: number): number[] => Array.from({ length }, () => 1);
const deep = (levels: number): unknown => (levels === 0 ? {} : { list: [deep(levels - 1)] });

describe('within the limits', () => {
  it.each<[string, Requested]>([
    ['as deep as allowed', { text: `{ ${nested(LIMITS.depth)} }` }],
    [
      'as many aliases as allowed',
      { text: `{ a { ${repeat(LIMITS.aliases, (n) => `x${n}: __typename`)} } }` },
    ],
    ['introspection, which is deeper', { text: getIntrospectionQuery() }],
    [
      'a page of the largest size',
      { text: '{ page(first: 100) { nodes { c list { c } } edges { node { c } } } }' },
    ],
    [
      'a fragment used in several places',
      { text: '{ a { ...F } b { ...F } } fragment F on Query { list { c } page(last: 5) { nodes { c } } }' },
    ],
    [
      'a list as long as allowed',
      {
        text: 'query($l: [In!]) { c(x: { list: $l }) }',
        variables: { l: listOf(LIMITS.inputList).map(() => ({})) },
      },
    ],
    ['input as deep as allowed', { text: 'query($x: In) { c(x: $x) }', variables: { x: deep(4) } }],
    [
      'a dashboard page of the API',
      {
        schema: api,
        text: `query($n: Int) { transactions(first: $n) { pageInfo { endCursor } edges { cursor node { id amount currency status
          card { scheme lastFour } buyer { billingDetails { address { city } } } paymentService { id displayName }
          captures { id amount status } refunds { id amount status } } } } }`,
        variables: { n: 100 },
      },
    ],
    [
      'two money mutations with a key each',
      {
        schema: api,
        text: `mutation($k: String!) { a: voidTransaction(id: "1", idempotencyKey: $k) { replayed }
          b: captureTransaction(id: "2", idempotencyKey: "y") { replayed } }`,
        variables: { k: 'x' },
      },
    ],
    [
      'one money mutation without a key',
      { schema: api, text: 'mutation { voidTransaction(id: "1") { replayed } }' },
    ],
    [
      'the same money mutation written twice, which is one',
      {
        schema: api,
        text: 'mutation { voidTransaction(id: "1") { replayed } voidTransaction(id: "1") { userErrors { code } } }',
      },
    ],
  ])('%s', (_, requested) => {
    expect(refusalOf(requested)).toBeNull();
  });
});

describe('QUERY_TOO_DEEP', () => {
  it.each([
    ['fields', `{ ${nested(LIMITS.depth + 1)} }`],
    ['very many fields', `{ ${nested(200)} }`],
    [
      'through fragments',
      `{ a { ...F0 } } ${repeat(9, (n) => `fragment F${n} on Query { a { ...F${n + 1} } }`)} fragment F9 on Query { c }`,
    ],
    ['through inline fragments', `{ ${repeat(11, () => 'a { ... on Query {')} c ${'} }'.repeat(11)} }`],
    ['with everything skipped', `{ ${nested(LIMITS.depth, 'a @skip(if: true) { c }')} }`],
    ['through a union', `{ ${repeat(6, () => 'either { ... on Query { a {')} c ${'} } }'.repeat(6)} }`],
  ])('%s', (_, text) => {
    expect(codeOf({ text })).toBe('QUERY_TOO_DEEP');
  });
});

describe('QUERY_TOO_COMPLEX', () => {
  it.each<[string, Requested]>([
    ['aliases', { text: `{ ${repeat(5, (n) => `x${n}: c`)} a { ${repeat(11, (n) => `x${n}: c`)} } }` }],
    [
      'aliases of __typename',
      { text: `{ a { ${repeat(LIMITS.aliases + 1, (n) => `x${n}: __typename`)} } }` },
    ],
    [
      'aliases in a fragment',
      { text: `{ ...F } fragment F on Query { a { ${repeat(LIMITS.aliases + 1, (n) => `x${n}: c`)} } }` },
    ],
    [
      'directives',
      { text: `{ a { ${repeat(LIMITS.directives + 1, () => '... @include(if: true) { c }')} } }` },
    ],
    ['root fields', { text: `{ ${repeat(11, (n) => `x${n}: c`)} }` }],
    [
      'root fields in fragments',
      { text: `{ ...F } fragment F on Query { ${repeat(11, (n) => `x${n}: c`)} }` },
    ],
    ['lists inside lists', { text: '{ list { list { list { list { c } } } } }' }],
    ['pages inside pages', { text: '{ page(first: 100) { nodes { page(first: 100) { nodes { c } } } } }' }],
    [
      'a size in a variable',
      { text: 'query($n: Int) { page(first: $n) { nodes { c } } }', variables: { n: 6_000 } },
    ],
    ['a size in a default', { text: 'query($n: Int = 6000) { page(last: $n) { nodes { c } } }' }],
    ['a size beside a small one', { text: '{ page(first: 1, last: 6000) { nodes { c } } }' }],
    [
      'edges, too',
      { text: '{ page(first: 100) { edges { node { page(first: 100) { edges { node { c } } } } } } }' },
    ],
    [
      'a negative size, which gives nothing back',
      { text: '{ a { page(first: -1000000) { nodes { c } } } page(first: 6000) { nodes { c } } }' },
    ],
    [
      'lists of a fragment in several places',
      { text: `{ a { ...F } b { ...F } } fragment F on Query { list { list { list { c } } } }` },
    ],
    [
      'many places through fragments',
      {
        text: `{ ...F0 } ${repeat(7, (n) => `fragment F${n} on Query { a { ...F${n + 1} } b { ...F${n + 1} } either { ... on Query { ...F${n + 1} } } }`)} fragment F7 on Query { a { c } }`,
      },
    ],
  ])('%s', (_, requested) => {
    expect(codeOf(requested)).toBe('QUERY_TOO_COMPLEX');
  });

  it('names the amount and the remedy', () => {
    expect(
      refusalOf({ text: '{ page(first: 100) { nodes { page(first: 100) { nodes { c } } } } }' })?.message,
    ).toBe(
      'The answer could hold 10202 objects, and 5000 are allowed: request fewer elements with first or last, or fewer lists inside lists.',
    );
  });
});

describe('INPUT_TOO_LARGE', () => {
  it.each<[string, Requested]>([
    [
      'a long list in the document',
      { text: `{ c(x: { list: [${repeat(LIMITS.inputList + 1, () => '{}')}] }) }` },
    ],
    [
      'a long list in a variable',
      { text: 'query($l: [In!]) { c(x: { list: $l }) }', variables: { l: listOf(LIMITS.inputList + 1) } },
    ],
    [
      'a long list deep in a variable',
      { text: 'query($x: In) { c(x: $x) }', variables: { x: { list: [{ list: listOf(251) }] } } },
    ],
    ['a deep document', { text: `{ c(x: ${'{ list: ['.repeat(6)}${'] }'.repeat(6)}) }` }],
    ['a deep variable', { text: 'query($x: In) { c(x: $x) }', variables: { x: deep(6) } }],
    ['a very deep variable', { text: 'query($x: In) { c(x: $x) }', variables: { x: deep(2_000) } }],
    [
      'a variable of no input type',
      { text: 'query($x: String) { c(x: { text: $x }) }', variables: { x: deep(2_000) } },
    ],
  ])('%s', (_, requested) => {
    expect(codeOf(requested)).toBe('INPUT_TOO_LARGE');
  });
});

describe('IDEMPOTENCY_KEY_REQUIRED', () => {
  const withKeys = (declared: string, first: string, second: string): string =>
    `mutation${declared} { a: voidTransaction(id: "1"${first}) { replayed } ...F }
     fragment F on Mutation { b: refundTransaction(id: "2"${second}) { replayed } }`;
  const KEY = ', idempotencyKey: "x"';

  it.each([
    ['none', withKeys('', '', ''), {}],
    ['one of two', withKeys('', KEY, ''), {}],
    ['null', withKeys('', KEY, ', idempotencyKey: null'), {}],
    ['a variable that is null', withKeys('($k: String)', ', idempotencyKey: $k', KEY), { k: null }],
    ['a variable that is not given', withKeys('($k: String)', KEY, ', idempotencyKey: $k'), {}],
    ['a default that is null', withKeys('($k: String = null)', KEY, ', idempotencyKey: $k'), {}],
  ])('%s', (_, text, variables) => {
    const refusal = refusalOf({ schema: api, text, variables });

    expect(refusal?.extensions['code']).toBe('IDEMPOTENCY_KEY_REQUIRED');
    expect(refusal?.message).toContain('needs an idempotencyKey on each');
  });
});

describe('hostile documents', () => {
  const bomb = (levels: number, inner: (next: string) => string): string =>
    `{ ...F0 } ${repeat(levels, (n) => `fragment F${n} on Query { ${inner(`...F${n + 1}`)} }`)} fragment F${levels} on Query { c }`;

  it.each<[string, string]>([
    ['spreads of spreads', bomb(60, (next) => `${next} ${next}`)],
    ['fields of spreads', bomb(50, (next) => `a { ${next} } a { ${next} }`)],
    ['different fields of spreads', bomb(50, (next) => `a { ${next} } b { ${next} }`)],
    ['unions of spreads', bomb(40, (next) => `either { ... on Query { ${next} } ... on Query { ${next} } }`)],
    ['one field many times', `{ ${repeat(240, () => 'a { c }')} }`],
    [
      'circles',
      `{ ...F0 } ${repeat(18, (n) => `fragment F${n} on Query { a { ${repeat(10, (m) => `...F${(n + m) % 18}`)} } }`)}`,
    ],
    ['unknown fields', `{ ${repeat(900, (n) => `z${n}`)} }`],
    ['too many words', `{ ${repeat(1_001, () => 'c')} }`],
  ])('are answered quickly: %s', (_, text) => {
    const started = process.cpuUsage();
    try {
      refusalOf({ text });
    } catch {
      // The parser refuses some.
    }
    // A document takes some ten milliseconds of the processor. An exponential one would take minutes.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(10_000);
  });

  it('with too many tokens are refused by the parser', () => {
    expect(() => refusalOf({ text: `{ ${repeat(1_001, () => 'c')} }` })).toThrow('more that 1000 tokens');
  });

  it('list few of their mistakes', () => {
    const document = parse(`{ ${repeat(300, (n) => `z${n}`)} }`);

    expect(validate(round, document, undefined, validationOptions)).toHaveLength(LIMITS.validationErrors + 1);
  });
});
