import type { App } from '../../../app.ts';
import { isNotAllowed, type Db } from '../../../platform/database/db.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import { createForAttempts, createPartitions, readRoom, type Room } from './partitions.sql.ts';
import { howToRun } from '../../../platform/process/how-to-run.ts';

/**
 * Starts the loop that creates the next partitions of events and attempts ahead of the log. Every process may run one. The
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
 * Creates the next partitions, and returns the room then. Logs an error when the database role may not create them, and
 * returns the room of the existing ones.
 */
export const keepPartitions = (app: App): Promise<Room> => keep(app, createPartitions);

async function keep(app: App, create: typeof createPartitions): Promise<Room> {
  const size = BigInt(app.config.PAYGRAPH_LOG_PARTITION);
  try {
    return await create(app.db, { size, ahead: size * AHEAD });
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    const room = await readRoom(app.db);
    app.log.error(
      { err: error, eventsLeft: String(room.until - room.last) },
      'The database role may not create partitions of event and delivery_attempt. ' +
        `Run "${howToRun('migrate')}" as the owner of the tables before the events left are used up.`,
    );
    return room;
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
        'The database role may not create partitions of event and delivery_attempt. ' +
          `Run "${howToRun('migrate')}" as the owner of the tables.`,
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
 * Creates the function that returns the positions with a partition. A delivery elsewhere must not be sent, because its
 * attempt could not be stored. The function creates a partition that is missing. Its answer is at most a second old.
 */
export function createRoomReader(app: App): () => Promise<Room> {
  let known: { readonly room: Room; readonly readAt: number } | null = null;
  return async () => {
    const now = app.clock.now().getTime();
    if (known && now - known.readAt < ROOM_MS) return known.room;
    const found = await readRoom(app.db);
    const room = found.last < found.until && !found.isShort ? found : await keep(app, createForAttempts);
    known = { room, readAt: now };
    return room;
  };
}

const ROOM_MS = 1_000;
