import { SpanKind } from '@opentelemetry/api';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { readMoment } from '../../kernel/moment.ts';
import { clientsOf } from '../postgres/client.ts';
import { TurnPool, type Connections } from '../fairness/turn-pool.ts';
import { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { PLANS, readsWithin, toOptions } from '../postgres/connection-settings.ts';
import { runningSpan, traced, traceparent, type Part } from '../tracing/trace.ts';
import { hasCode } from './database-faults.ts';
import { prepare, type Statement } from './statement.ts';

/** A database transaction. Never call the network inside. */
export type Tx = Prisma.TransactionClient;

/**
 * The database: Prisma for plain reads and writes, single statements for hot paths such as payments and the
 * relay.
 */
export type Db = {
  readonly prisma: PrismaClient;
  /** Runs one statement in its own transaction and returns the rows. */
  query<Row>(statement: Statement): Promise<readonly Row[]>;
  /** Runs several writes in one short transaction. Never call the network inside. */
  transaction<Value>(run: (tx: Tx) => Promise<Value>): Promise<Value>;
  /** Takes a separate connection, for LISTEN and advisory locks. The caller releases the connection. */
  connect(): Promise<pg.PoolClient>;
  /** Returns how long the oldest work of an owner waits for its turn at a connection, in milliseconds. Zero if none waits. */
  waitedMs(owner: string): number;
  /** Returns the number of works that wait for their turn at a connection. */
  waits(): number;
  /** Returns the number of connections that are in use, that are idle, and that there may be. */
  connections(): Connections;
  close(): Promise<void>;
};

export type DbSettings = {
  readonly url: string;
  readonly connectionMax: number;
  readonly applicationName: string;
  /** Only reads, and ends each statement after this time in milliseconds. */
  readonly readTimeoutMs?: number;
  /** The longest time of a statement by the clock of this process, in milliseconds. Its connection then ends. */
  readonly answerWithinMs?: number;
  /** True for a pooler in transaction mode. Its roles have the settings of connections. */
  readonly pooled?: boolean;
};

/**
 * Time in milliseconds until an idle connection closes. A new connection plans each statement several times
 * before it caches the plan.
 */
const IDLE_MS = 600_000;

/** The longest wait for a free connection, in milliseconds. */
const CONNECTION_WAIT_MS = 10_000;

/**
 * A transaction waits for a connection as long as a single statement does. The time limit exceeds a queue for
 * one row lock.
 */
const TRANSACTIONS = { maxWait: 10_000, timeout: 15_000 };

/** Opens the pool. The first statement makes the first connection. Merchant accounts take turns at the connections. */
export function openDb({
  url,
  connectionMax,
  applicationName,
  readTimeoutMs,
  pooled,
  answerWithinMs,
}: DbSettings): Db {
  const settings = readTimeoutMs === undefined ? PLANS : readsWithin(readTimeoutMs);
  const pool = new TurnPool({
    Client: clientsOf(url),
    max: connectionMax,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(answerWithinMs !== undefined && { query_timeout: answerWithinMs }),
    ...(!pooled && { options: toOptions(settings) }),
    types: TYPES,
  });
  // An error of an idle connection must not end the process. The pool opens another connection.
  pool.on('error', () => undefined);
  // An error of a connection in use must not end the process either. The next statement on that connection
  // fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  let made: PrismaClient | null = null;
  // Each client unpacks its own index of the models, which takes 13 MB. Most reads need no client.
  const prisma = () =>
    (made ??= new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: TRANSACTIONS }));
  return {
    get prisma() {
      return prisma();
    },
    query: tracedQueries(queryOn(pool).query),
    transaction: (run) => traced(TRANSACTION, () => prisma().$transaction(run)),
    connect: () => pool.connect(),
    waits: () => pool.waits(),
    connections: () => pool.connections(),
    waitedMs: (owner) => pool.waitedMs(owner),
    close: async () => {
      await made?.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

const TRANSACTION: Part = {
  name: 'transaction',
  kind: SpanKind.CLIENT,
  attributes: { 'db.system.name': 'postgresql' },
};

const { TIMESTAMPTZ } = pg.types.builtins;

const momentByDriver = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => unknown;

const toMoment = (text: string): unknown => readMoment(text) ?? momentByDriver(text);

/** The driver's readers of values, with a quicker one for moments. Each row of a list has two of them. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format): unknown =>
    oid === TIMESTAMPTZ && format !== 'binary' ? toMoment : pg.types.getTypeParser(oid, format),
};

/** Runs statements on one connection, or on any connection of a pool. Named statements are prepared once on each. */
export const queryOn = (client: Pick<pg.ClientBase, 'query'>): Pick<Db, 'query'> => ({
  query: async <Row>(statement: Statement) => {
    const { name, text, asArrays } = statement;
    const rowMode = asArrays ? { rowMode: 'array' } : {};
    const values = withTrace(statement);
    const { rows } = await client.query({ ...(name !== null && { name }), text, values, ...rowMode });
    // The statement's author declares the row type.
    return rows as readonly Row[];
  },
});

/** Runs each statement as a part of the running trace. */
const tracedQueries =
  (query: Db['query']): Db['query'] =>
  <Row>(statement: Statement) =>
    runningSpan() ? traced(partOf(statement), () => query<Row>(statement)) : query<Row>(statement);

const partOf = ({ name }: Statement): Part => ({
  name: name ?? 'statement',
  kind: SpanKind.CLIENT,
  attributes: { 'db.system.name': 'postgresql', ...(name !== null && { 'db.query.summary': name }) },
});

/** Returns the values, with the place in the running trace for a statement that stores it. */
const withTrace = ({ values, traceAt = null }: Statement): unknown[] =>
  traceAt === null ? [...values] : values.with(traceAt, traceparent());

/** Runs statements inside a transaction. Prisma sends them without a name, so Postgres plans them each time. */
export const queryIn = (tx: Tx): Pick<Db, 'query'> => ({
  query: <Row>(statement: Statement) =>
    tx.$queryRawUnsafe<readonly Row[]>(statement.text, ...withTrace(statement)),
});

const lockStatement = prepare(
  'lock_name',
  'SELECT pg_advisory_xact_lock(hashtextextended(@lock, 0)) IS NULL AS locked',
);

/** Locks a name until the transaction ends. Others who lock the same name wait. */
export async function lockName(tx: Tx, lock: string): Promise<void> {
  await queryIn(tx).query(lockStatement({ lock }));
}

/** NULL for a JSON column. Prisma cannot tell a plain null from the null of JSON. */
export const DB_NULL = Prisma.DbNull;

/** Postgres error codes that the code handles. */
export const SQLSTATE = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  checkViolation: '23514',
  /** A function of the database refuses. */
  raisedException: 'P0001',
  lockTimeout: '55P03',
  notAllowed: '42501',
  /** A trigger holds payments back after a restore. */
  paymentsHeld: 'PH001',
  /** A trigger refuses changes of a merchant account that moves to another cell. */
  accountAway: 'PH002',
} as const;

/** Returns the Postgres error code of a failed statement, or null. */
export function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** True if the database holds payments back after a restore. The statement has left nothing. */
export const isHeldBack = (error: unknown): boolean => sqlState(error) === SQLSTATE.paymentsHeld;

/** True if the database refuses a change because the merchant account moves. The statement has left nothing. */
export const isAccountAway = (error: unknown): boolean => hasCode(error, SQLSTATE.accountAway);

/** Returns the merchant account whose change the database refused because the account moves. Null for another error. */
export const accountAwayOf = (error: unknown): string | null =>
  sqlState(error) === SQLSTATE.accountAway && error instanceof Error && 'detail' in error
    ? String(error.detail)
    : null;

/** True if a statement waited too long for a lock. The statement has left nothing. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === SQLSTATE.lockTimeout;

/** True if a Prisma write failed because another row holds the unique value. */
export const isDuplicate = (error: unknown): boolean => sqlState(error) === 'P2002';

/** True if a plain statement failed because it refers to a missing row. */
export const isReferenceMissing = (error: unknown): boolean =>
  sqlState(error) === SQLSTATE.foreignKeyViolation;

/** True if the database role lacks a privilege, such as the ownership of a table. */
export const isNotAllowed = (error: unknown): boolean => sqlState(error) === SQLSTATE.notAllowed;

/** True if a Prisma deletion failed because another row refers to the deleted row. */
export const isReferenced = (error: unknown): boolean => sqlState(error) === 'P2003';
