import type { App } from '../../../app.ts';
import { isNotAllowed, type Db } from '../../../platform/db.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import { createPartitions, readRoom } from './partitions.sql.ts';

/**
 * Starts the loop that creates the next partitions of the attempts ahead of the log. Every process may run one. The
 * dispatcher asks for a partition by itself when the log outruns the loop.
 */
export const startPartitions = (app: App): Loop =>
  startLoop({
    name: 'partitions',
    idleMs: IDLE_MS,
    clock: app.clock,
    log: app.log,
    run: async () => {
      await keepPartitions(app);
      return false;
    },
  });

const IDLE_MS = 60_000;

/** The number of partitions to create ahead. One is nearly always empty. */
const AHEAD = 2n;

/**
 * Creates the next partitions, and returns the first position without a partition. Logs an error when the database
 * role may not create them, and returns the end of the existing ones.
 */
export async function keepPartitions(app: App): Promise<bigint> {
  const size = BigInt(app.config.PAYGRAPH_LOG_PARTITION);
  try {
    return (await createPartitions(app.db, { size, ahead: size * AHEAD })).until;
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    const { until, last } = await readRoom(app.db);
    app.log.error(
      { err: error, eventsLeft: String(until - last) },
      'The database role may not create partitions of delivery_attempt. ' +
        'Run "npm run migrate" as the owner of the table before the events left are used up.',
    );
    return until;
  }
}

/**
 * Creates many partitions ahead, for a service whose database role may not create them. Throws an OperatorError when
 * this role may not either.
 */
export async function preparePartitions(db: Db, size: number): Promise<void> {
  await createPartitions(db, { size: BigInt(size), ahead: BigInt(size) * AHEAD_OF_OWNER }).catch(
    (error: unknown) => {
      if (!isNotAllowed(error)) throw error;
      throw new OperatorError(
        'The database role may not create partitions of delivery_attempt. ' +
          'Run "npm run migrate" as the owner of the table.',
      );
    },
  );
}

const AHEAD_OF_OWNER = 8n;

/** Returns true while the next event of the log has a partition for its attempts. */
export async function hasRoom(app: App): Promise<boolean> {
  const { until, last } = await readRoom(app.db);
  return last + 1n < until;
}

/**
 * Creates the function that filters rows by their positions. A row stays if its position has a partition. A delivery
 * without a partition must not be sent, because its attempt could not be stored.
 */
export function createRoomFilter(
  app: App,
): <Row extends { readonly position: string }>(rows: readonly Row[]) => Promise<readonly Row[]> {
  let end = 0n;
  return async (rows) => {
    if (rows.some(({ position }) => BigInt(position) >= end)) end = await keepPartitions(app);
    return rows.filter(({ position }) => BigInt(position) < end);
  };
}
