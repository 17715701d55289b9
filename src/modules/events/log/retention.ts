import type { App } from '../../../app.ts';
import { isNotAllowed } from '../../../platform/database/db.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { dropPartition, readWhole } from '../partitions/partitions.sql.ts';
import { cutFeed, findAccountsToCut } from './retention.sql.ts';

/**
 * Starts the loop that removes events older than the configured days, with their deliveries. Null when events are
 * retained for ever. Every process may run one. Only one removes at a time, in short transactions.
 */
export function startRetention(app: App): Loop | null {
  const { clock, log, config } = app;
  const days = config.PAYGRAPH_EVENT_RETENTION_DAYS;
  if (days === null) return null;
  const run = (signal: AbortSignal): Promise<boolean> => retainOnce(app, days, signal);
  return startLoop({ name: 'retention', idleMs: IDLE_MS, clock, log, run });
}

const IDLE_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * The number of events in a batch. A batch takes some ten milliseconds with one delivery for each event. An event may
 * have fifty.
 */
const BATCH_MAX = 200;

/**
 * The time that events and attempts may stay longer than their feed entries. Those of a full partition wait for its drop
 * if all become old within this time. A partition that takes longer to fill loses its rows one by one.
 */
const ROUNDING_MS = 7 * DAY_MS;

/**
 * Removes one batch of each merchant account with old events, and the oldest partition without events. Returns true when
 * more remain.
 */
export async function retainOnce(app: App, days: number, signal?: AbortSignal): Promise<boolean> {
  const before = new Date(app.clock.now().getTime() - days * DAY_MS);
  const whole = await readWhole(app.db, new Date(before.getTime() + ROUNDING_MS));
  let more = false;
  for (const merchantAccountId of await findAccountsToCut(app.db, before)) {
    if (signal?.aborted) return false;
    const removed = await cutFeed(app.db, merchantAccountId, { before, limit: BATCH_MAX, whole });
    if (removed === null) return false;
    if (removed > 0) app.log.debug({ merchantAccountId, removed }, 'Old events were removed.');
    more ||= removed === BATCH_MAX;
  }
  return more || (await dropOldest(app));
}

/** No transaction that writes events is open for so long. */
const OPEN_MS = 6 * 3_600_000;

/** Drops the oldest partition without events. Returns true when another one may follow. */
async function dropOldest({ db, log, clock }: App): Promise<boolean> {
  try {
    const dropped = await dropPartition(db, new Date(clock.now().getTime() - OPEN_MS));
    if (dropped !== null) log.info({ dropped }, 'A partition without events was dropped.');
    return dropped !== null;
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    log.error(
      { err: error },
      'The database role may not drop old partitions of event and delivery_attempt. Drop them as the owner of the tables.',
    );
    return false;
  }
}
