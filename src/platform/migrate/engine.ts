import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import type * as Package from '@prisma/schema-engine-wasm';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { withDatabaseName } from '../process/database-address.ts';
import { clientsOf } from '../postgres/client.ts';
import { readModels } from './files.ts';

/**
 * Runs `use` with Prisma's schema engine on the database at `url`. Throws the engine's error.
 *
 * The engine is the WebAssembly build. The native build is a download that many build machines block.
 */
export async function withEngine<Value>(
  url: string,
  use: (engine: SchemaEngine) => Promise<Value>,
): Promise<Value> {
  const bindings = await (loaded ??= loadBindings());
  const datamodels = (await readModels()).map(({ path, content }): [string, string] => [path, content]);
  const cleanups: Cleanup[] = [];
  const factory = bindMigrationAwareSqlAdapterFactory(adapterFactory(url, cleanups));
  try {
    const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, factory);
    return await use(engine).finally(() => engine.free());
  } finally {
    // The engine leaves its connections open.
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
}

type Cleanup = () => Promise<void>;

/** Opens connections to the database and to a scratch database, which the engine needs for comparisons. */
function adapterFactory(url: string, cleanups: Cleanup[]): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(url, cleanups),
    connectToShadowDb: async () => {
      // Prisma's own adapter would use the main database as the scratch database of a connection string.
      const name = `paygraph_shadow_${crypto.randomUUID().replaceAll('-', '')}`;
      await onServer(url, `CREATE DATABASE ${name}`);
      cleanups.push(() => onServer(url, `DROP DATABASE ${name} WITH (FORCE)`));
      return await connect(withDatabaseName(url, name), cleanups);
    },
  };
}

/**
 * Connects Prisma's Postgres adapter with two faults corrected.
 *
 * - The adapter splits scripts at every semicolon, even inside function bodies. Here a script is one simple
 *   query, as in the native engine. A failed script therefore leaves nothing behind.
 * - The adapter does not know the type `"char"` of the catalogue, so the engine could not read a schema.
 */
async function connect(url: string, cleanups: Cleanup[]): Promise<SqlDriverAdapter> {
  const pool = new pg.Pool({ Client: clientsOf(url), max: 2, connectionTimeoutMillis: 10_000 });
  // An error of an idle connection needs no handling. The next query opens another connection or throws the
  // reason.
  pool.on('error', () => undefined);
  cleanups.push(() => pool.end());
  const query = pool.query.bind(pool) as (...given: readonly unknown[]) => Promise<pg.QueryResult>;
  const patched = async (...given: readonly unknown[]): Promise<pg.QueryResult> => {
    const result = await query(...given);
    // A script with several statements returns a list of results, without fields.
    for (const field of Array.isArray(result) ? [] : result.fields) {
      if (field.dataTypeID === CHAR) field.dataTypeID = CHAR_ARRAY;
    }
    return result;
  };
  const adapter = await new PrismaPg(Object.assign(pool, { query: patched })).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: async (given: SqlQuery) => {
      const { columnTypes, ...rest } = await queryRaw(given);
      const { Character, CharacterArray } = ColumnTypeEnum;
      return {
        ...rest,
        columnTypes: columnTypes.map((type) => (type === CharacterArray ? Character : type)),
      };
    },
    executeScript: async (sql: string) => {
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
    },
  });
}

/** Type numbers of `"char"` and its array. The adapter knows only the array, which the engine never reads. */
const CHAR = 18;
const CHAR_ARRAY = 1002;

async function onServer(url: string, statement: string): Promise<void> {
  const client = new (clientsOf(url))();
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The exports of the package, with the function that connects JavaScript and WebAssembly. */
type Bindings = typeof Package & { __wbg_set_wasm(exports: Exports): void };
type Exports = { readonly __wbindgen_start: () => void };

/** The used part of the runtime's WebAssembly API. Its types ship with the DOM types, which are not loaded. */
type WebAssemblyApi = {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ readonly instance: { readonly exports: Exports } }>;
};

let loaded: Promise<Bindings> | undefined;

/** Loads the WebAssembly file by hand. Node's import of `.wasm` files is experimental and prints a warning. */
async function loadBindings(): Promise<Bindings> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: reportPanic } });
  const path = '@prisma/schema-engine-wasm/schema_engine_bg';
  const bindings = (await import(path)) as Bindings;
  const bytes = await readFile(
    createRequire(import.meta.url)
      .resolve(path)
      .replace(/\.js$/, '.wasm'),
  );
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': withoutWaiting(bindings),
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}

/**
 * Lets the process end while timers of the engine run. The engine never clears its timers, such as a lock's 10
 * s limit.
 */
function withoutWaiting(bindings: Bindings): object {
  const timers = Object.entries(bindings).filter(([name]) => name.startsWith('__wbg_setTimeout_'));
  const unref =
    (start: (...given: unknown[]) => NodeJS.Timeout) =>
    (...given: unknown[]) =>
      start(...given).unref();
  return { ...bindings, ...Object.fromEntries(timers.map(([name, start]) => [name, unref(start as never)])) };
}

/** Throws the message of a panic. Without this function, a panic would only say `unreachable`. */
function reportPanic(message: string): never {
  throw new Error(`Prisma's schema engine panicked: ${message}`);
}
