import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import {
  AuthenticationError,
  createClient,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  RefusedError,
  UnavailableError,
  type ClientOptions,
} from '../../src/client/index.ts';
import { SHAPE } from '../../src/client/generated/schema.ts';
import { documentOf } from '../../src/client/operations/document.ts';
import { keyed } from '../../src/client/operations/keys.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const clientFor = (options: Partial<ClientOptions> = {}) =>
  createClient({
    url: `${server.url}/graphql`,
    token: () => server.token,
    pauses: { firstMs: 1, mostMs: 5 },
    ...options,
  });

const named = (externalIdentifier: string) =>
  [{ input: { externalIdentifier } }, { buyer: { id: true } }] as const;

/** Counts the buyers with an identifier. */
async function buyersNamed(externalIdentifier: string): Promise<number> {
  const { buyers } = await clientFor().query({
    buyers: [{ externalIdentifier }, { nodes: { id: true } }],
  });
  return buyers.nodes.length;
}

describe('a query', () => {
  it('answers its selection', async () => {
    const paygraph = clientFor();
    const { createBuyer } = await paygraph.mutate({ createBuyer: named('selected') });

    const { buyer, buyers } = await paygraph.query({
      buyer: [
        { id: createBuyer.buyer?.id ?? '' },
        { __typename: true, externalIdentifier: true, displayName: false },
      ],
      buyers: [{ externalIdentifier: 'selected' }, { nodes: { id: true } }],
    });

    expect(buyer).toEqual({ __typename: 'Buyer', externalIdentifier: 'selected' });
    expect(buyers).toEqual({ nodes: [{ id: createBuyer.buyer?.id }] });
  });

  it('fails with the class of its code', async () => {
    const refused = (options: Partial<ClientOptions>): Promise<unknown> =>
      clientFor(options)
        .query({ buyers: [{ first: 1 }, { nodes: { id: true } }] })
        .catch((error: unknown) => error);
    const narrow = await server.mint({ scopes: ['events.read'] });

    expect(await refused({ token: () => 'wrong' })).toBeInstanceOf(AuthenticationError);
    expect(await refused({ token: () => narrow })).toBeInstanceOf(PermissionError);
    await expect(clientFor().query({ buyers: [{ first: 0 }, { nodes: { id: true } }] })).rejects.toThrow(
      InvalidRequestError,
    );
  });

  it('is refused before it is sent, with an argument that the schema lacks', async () => {
    const selection = { buyers: [{ colour: 'red' }, { nodes: { id: true } }] };
    await expect(clientFor().query(selection as never)).rejects.toThrow('There is no argument "colour".');
  });
});

describe('a mutation', () => {
  it('that is refused throws its refusals, with the answers of the others', async () => {
    const refused = clientFor().mutate({ createBuyer: named('') });

    await expect(refused).rejects.toThrow(RefusedError);
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      mutation: 'createBuyer',
      refusals: [{ path: ['input', 'externalIdentifier'] }],
      data: { createBuyer: { buyer: null } },
    });
  });

  it('that is refused returns its refusals to a caller who selects them', async () => {
    const { createBuyer } = await clientFor().mutate({
      createBuyer: [{ input: { externalIdentifier: '' } }, { userErrors: { path: true, on: {} } }],
    });

    expect(createBuyer).toEqual({ userErrors: [{ path: ['input', 'externalIdentifier'] }] });
  });

  it('whose answer is lost is sent again with the same key, and happens once', async () => {
    const keys: unknown[] = [];
    const losesFirst: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      keys.push(
        (JSON.parse(init?.body as string) as { readonly variables: { readonly v1: string } }).variables.v1,
      );
      if (keys.length === 1) throw new Error('The line broke.');
      return response;
    };

    const { createBuyer } = await clientFor({ fetch: losesFirst }).mutate({
      createBuyer: [{ input: { externalIdentifier: 'once' } }, { replayed: true }],
    });

    expect(createBuyer).toEqual({ replayed: true });
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
    expect(await buyersNamed('once')).toBe(1);
  });

  it.each([-1, 11, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('is not made with %d retries', (retries) => {
    expect(() => clientFor({ retries })).toThrow(
      new TypeError('The option retries must be a whole number from 0 to 10.'),
    );
  });

  it('without any answer names its key, with which it can be repeated', async () => {
    const paygraph = clientFor({
      retries: 1,
      fetch: async (input, init) => {
        await fetch(input, init);
        return new Response('Bad gateway', { status: 502 });
      },
    });

    const error = await paygraph.mutate({ createBuyer: named('unknown') }).catch((thrown: unknown) => thrown);
    if (!(error instanceof UnavailableError)) throw error;
    const { createBuyer: idempotencyKey = '' } = error.idempotencyKeys;
    const again = await clientFor().mutate({
      createBuyer: [{ input: { externalIdentifier: 'unknown' }, idempotencyKey }, { replayed: true }],
    });

    expect(error.message).toContain('502');
    expect(again.createBuyer.replayed).toBe(true);
    expect(await buyersNamed('unknown')).toBe(1);
  });
});

describe('a request', () => {
  const answering = (status: number, code: string, headers: Record<string, string> = {}) => {
    const sentAt: number[] = [];
    const limited: typeof fetch = (input, init) => {
      sentAt.push(performance.now());
      const errors = [{ message: 'Later.', extensions: { code } }];
      return sentAt.length < 3
        ? Promise.resolve(new Response(JSON.stringify({ errors }), { status, headers }))
        : fetch(input, init);
    };
    return { sentAt, limited };
  };

  it('waits as long as the service asks', async () => {
    const { sentAt, limited } = answering(429, 'RATE_LIMITED', { 'retry-after': '0.2' });

    await clientFor({ fetch: limited }).query({ buyers: [{ first: 1 }, { nodes: { id: true } }] });

    const [first = 0, second = 0, third = 0] = sentAt;
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(195);
  });

  it('fails with the last error if it stays limited', async () => {
    const { limited } = answering(429, 'RATE_LIMITED');
    const failed = clientFor({ fetch: limited, retries: 1 }).query({
      buyers: [{ first: 1 }, { nodes: { id: true } }],
    });
    await expect(failed).rejects.toThrow(RateLimitError);
  });

  it('ends with the signal of its caller, also in a pause', async () => {
    const { limited } = answering(429, 'RATE_LIMITED', { 'retry-after': '60' });
    const failed = clientFor({ fetch: limited }).query(
      { buyers: [{ first: 1 }, { nodes: { id: true } }] },
      { signal: AbortSignal.timeout(50) },
    );
    await expect(failed).rejects.toThrow('The operation was aborted due to timeout');
  });
});

describe('the types and the shape', () => {
  const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'));

  /** Selects the fields of a type that need no arguments, two levels deep. */
  const everything = (type: string, depth = 2): object => {
    const fields = Object.keys((schema.getType(type) as { getFields?: () => object }).getFields?.() ?? {});
    const chosen = fields.flatMap((field): [string, unknown][] => {
      const [target = '', args] = SHAPE[type]?.[field] ?? [];
      if (Object.values(args ?? {}).some((each) => each.endsWith('!'))) return [];
      if (target === '') return [[field, true]];
      return depth > 0 ? [[field, everything(target, depth - 1)]] : [];
    });
    return { __typename: true, ...Object.fromEntries(chosen) };
  };

  it.each([
    ['query', 'Query'],
    ['mutation', 'Mutation'],
  ] as const)('make a valid document for each field of a %s', (kind, root) => {
    const fields = Object.entries(SHAPE[root] ?? {});
    expect(fields.length).toBeGreaterThan(40);
    for (const [field, [target, args = {}]] of fields) {
      const given = Object.fromEntries(Object.keys(args).map((name) => [name, null] as const));
      const { query } = documentOf(SHAPE, kind, { [field]: [given, everything(target)] });
      expect([field, validate(schema, parse(query))]).toEqual([field, []]);
    }
    const names = Object.keys(schema[`get${root}Type`]()?.getFields() ?? {});
    expect(fields.map(([name]) => name).toSorted()).toEqual(names.toSorted());
  });
});

describe('the keys of mutations', () => {
  const shape = {
    Mutation: {
      make: ['Payload', { idempotencyKey: 'String', size: 'Int' }],
      end: ['Payload', { id: 'ID!' }],
    },
  } as const;

  it('are made where a mutation takes one and got none, with or without other arguments', () => {
    const made = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const inner = { id: true };

    expect(keyed(shape, { make: inner, end: [{ id: 'x' }, inner] })).toEqual({
      keys: { make: made },
      selection: { make: [{ idempotencyKey: made }, inner], end: [{ id: 'x' }, inner] },
    });
    expect(keyed(shape, { make: [{ size: 1, idempotencyKey: null }, inner] }).keys).toEqual({ make: made });
    expect(keyed(shape, { make: [{ idempotencyKey: 'mine' }, inner] }).keys).toEqual({ make: 'mine' });
    expect(keyed(shape, { make: false })).toEqual({ keys: {}, selection: { make: false } });
  });
});
