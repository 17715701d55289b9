import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startTestServer, type GraphqlBody, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { documentOf, type Extent } from './document.ts';

/** The schema of the API. */
export const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'));

/** The arguments of a mutation, without the key. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The common fields of every mutation with a key. */
export type Payload = {
  readonly userErrors: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[];
    readonly differingPaths?: readonly string[];
    readonly retryAfterMs?: number;
  }[];
  readonly replayed: boolean;
  readonly [field: string]: unknown;
};

export type SendOptions = {
  readonly key?: string;
  /** The default is everything. */
  readonly extent?: Extent;
};

/** A separate merchant account, so that a test can count its effects. */
export type Tenant = {
  readonly id: string;
  /** Runs a mutation. Without a payload, throws the code of the error. */
  send(mutation: string, given: Arguments, options?: SendOptions): Promise<Payload>;
  /** Runs a mutation of the setup and returns the record. Throws when the mutation is refused. */
  make(mutation: string, given: Arguments): Promise<{ readonly id: string }>;
  /** Runs any document. */
  ask(
    document: string,
    given: Arguments,
    scopes?: readonly string[],
  ): Promise<GraphqlBody<{ payload: Payload }>>;
};

/** The server, the provider and the clock of all scenarios. */
export type Harness = {
  readonly server: TestServer;
  readonly provider: FakeProvider;
  readonly clock: ShiftedClock;
  tenant(): Promise<Tenant>;
  /** Runs a statement with its values for `$1` and so on. Returns the rows. */
  rows<Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]>;
  /** Reads every row of the database as text, except the records of authentication. */
  everything(): Promise<readonly string[]>;
  stop(): Promise<void>;
};

export async function startHarness(): Promise<Harness> {
  const clock = createShiftedClock();
  const provider = await startFakeProvider();
  // All scenarios are stopped at once. Each has its own transaction and one that waits for it.
  const server = await startTestServer({
    clock,
    settings: { DATABASE_POOL: '60', PAYGRAPH_PROVIDER_DEADLINE_MS: '30000' },
  });
  const rootToken = tokenOf(server, clock);
  const rows: Harness['rows'] = <Row>(text: string, ...values: readonly unknown[]) =>
    server.app.db.prisma.$queryRawUnsafe<Row[]>(text, ...values);
  let dump: string | undefined;
  return {
    server,
    provider,
    clock,
    tenant: () => openTenant(server, rootToken),
    rows,
    everything: async () => {
      const all = await rows<{ row: string }>((dump ??= await dumpStatement(rows)));
      return all.map(({ row }) => row);
    },
    stop: async () => {
      await provider.close();
      await server.stop();
    },
  };
}

/** Builds one statement that returns every row of every table, without the counts of card numbers in requests. */
async function dumpStatement(rows: Harness['rows']): Promise<string> {
  const tables = await rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_name <> 'presented_card' ORDER BY 1`,
  );
  return tables
    .map(({ name }) => `SELECT '${name} ' || (to_jsonb(t) - 'last_used_at')::text AS row FROM "${name}" t`)
    .join(' UNION ALL ');
}

/**
 * Returns a function for tokens of every merchant account, because only such a token may create another account. A
 * token is renewed after half an hour, because time advances by weeks.
 */
function tokenOf({ mint }: TestServer, clock: ShiftedClock): () => Promise<string> {
  let latest = { madeAt: 0, token: Promise.resolve('') };
  return () => {
    const now = clock.now().getTime();
    if (now - latest.madeAt > 30 * 60_000) latest = { madeAt: now, token: mint() };
    return latest.token;
  };
}

async function openTenant(server: TestServer, rootToken: () => Promise<string>): Promise<Tenant> {
  const { id } = await server.createMerchantAccount();
  const ask: Tenant['ask'] = async (document, given, scopes) => {
    const token = await (scopes ? server.mint({ scopes }) : rootToken());
    const headers = { 'x-service-merchant-account-id': id };
    return (await server.graphql<{ payload: Payload }>(document, given, { token, headers })).body;
  };
  const send: Tenant['send'] = async (mutation, given, { key, extent = 'all' } = {}) => {
    const variables = { ...given, ...(key !== undefined && { idempotencyKey: key }) };
    const { data, errors } = await ask(documentFor(mutation, extent), variables);
    if (!data)
      throw new Error(errors?.map(({ extensions, message }) => `${extensions.code}: ${message}`).join(' '));
    return data.payload;
  };
  return {
    id,
    ask,
    send,
    make: async (mutation, given) => {
      const payload = await send(mutation, given);
      const [record] = Object.values(payload).filter(isRecord);
      if (!record || payload.userErrors.length > 0)
        throw new Error(`${mutation}: ${JSON.stringify(payload)}`);
      return record;
    },
  };
}

const isRecord = (value: unknown): value is { readonly id: string } =>
  typeof value === 'object' && value !== null && 'id' in value;

const documents = new Map<string, string>();

function documentFor(mutation: string, extent: Extent): string {
  const name = `${mutation} ${extent}`;
  const document = documents.get(name) ?? documentOf(schema, mutation, extent);
  documents.set(name, document);
  return document;
}
