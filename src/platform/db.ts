import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';

/** A transaction of plain reading and writing. */
export type Tx = Prisma.TransactionClient;

/** One statement, prepared under its name on each connection that runs it; without a name, planned for its values each time. */
export type Statement = {
  readonly name: string | null;
  readonly text: string;
  readonly values: readonly unknown[];
};

/** Postgres: Prisma where reading and writing is plain, single statements where money or the relay is hot. */
export type Db = {
  readonly prisma: PrismaClient;
  /** Runs one statement in a transaction of its own and answers its rows. */
  query<Row>(statement: Statement): Promise<readonly Row[]>;
  /** Runs several writes in one short transaction. Never call the network inside. */
  transaction<Value>(run: (tx: Tx) => Promise<Value>): Promise<Value>;
  /** A connection of one's own, for LISTEN and advisory locks; the caller releases it. */
  connect(): Promise<pg.PoolClient>;
  close(): Promise<void>;
};

export type DbSettings = {
  readonly url: string;
  readonly connectionMax: number;
  readonly applicationName: string;
};

/**
 * A connection keeps the plan of a statement that it has run a few times, until the table is next analysed: one that was made
 * while the table was small, and reads all of it, would last while thousands of rows are written. Where there is an index, it
 * is used. No plan is compiled: where there is none, Postgres 17 and older take the price of that for a long query.
 */
const PLANS = '-c enable_seqscan=off -c jit=off';

/** Milliseconds after which an idle connection is closed: a new one plans each statement several times before it keeps a plan. */
const IDLE_MS = 600_000;

/** A transaction waits for a connection as a single statement does, and outlasts a queue for the lock of one row. */
const TRANSACTIONS = { maxWait: 10_000, timeout: 15_000 };

/** Opens the pool; the first connection is made by the first statement. */
export function openDb({ url, connectionMax, applicationName }: DbSettings): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionMax,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: IDLE_MS,
    options: PLANS,
  });
  // An idle connection that the server closes must not end the process; the pool opens another.
  pool.on('error', () => undefined);
  // The same for one that the server closes while it is lent out: the statement that follows on it fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: TRANSACTIONS });
  return {
    prisma,
    query: async <Row>({ name, text, values }: Statement) =>
      // The row shape is what the statement's author says it is.
      (await pool.query({ ...(name !== null && { name }), text, values: [...values] }))
        .rows as readonly Row[],
    transaction: (run) => prisma.$transaction(run),
    connect: () => pool.connect(),
    close: async () => {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

/** Runs statements inside a transaction. They are planned each time: Prisma prepares none under a name. */
export const queryIn = (tx: Tx): Pick<Db, 'query'> => ({
  query: <Row>({ text, values }: Statement) => tx.$queryRawUnsafe<readonly Row[]>(text, ...values),
});

/** NULL for a JSON column; to Prisma, plain null would be ambiguous with JSON's own. */
export const DB_NULL = Prisma.DbNull;

/** Postgres error codes that the house decides on. */
export const SQLSTATE = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  checkViolation: '23514',
  lockTimeout: '55P03',
} as const;

/** The Postgres error code of something thrown by a statement, or null. */
export function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Whether a write by Prisma failed because another row has a value that must be unique. */
export const isDuplicate = (error: unknown): boolean => sqlState(error) === 'P2002';

/** Whether a plain statement failed because it refers to a row that is not there. */
export const isReferenceMissing = (error: unknown): boolean =>
  sqlState(error) === SQLSTATE.foreignKeyViolation;

/** Whether a deletion by Prisma failed because another row refers to what it deletes. */
export const isReferenced = (error: unknown): boolean => sqlState(error) === 'P2003';
