import type { App } from '../../../app.ts';
import type { Broker, LastMessage } from '../../../platform/brokers/broker.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { FeedEvent } from '../feed/feed-event.ts';
import { readBounds, readLanes } from '../feed/store/feed.sql.ts';
import { brokerMessage } from './broker-message.ts';
import { createLeaseKeeper, type LeaseKeeper } from './lease-keeper.ts';
import { createOutage, type Outage } from './outage.ts';
import { findWaiting, readFeedVersion, type Waiting } from './outlets.sql.ts';

/** An outlet of the event feed: publishes the events of all merchant accounts to one broker. */
export type Outlet = {
  /** Publishes one batch. Returns true when more may wait. A broker's faults are noted, and never thrown. */
  publishBatch(): Promise<boolean>;
  /** Ends the connection and the lease. */
  close(): Promise<void>;
};

/** The merchant accounts of one batch. Each gives at most 200 events, and all together 2000. */
const ACCOUNTS_MAX = 100;

/** The parts of an outlet, and what this process remembers between batches. */
type State = {
  readonly app: App;
  readonly broker: Broker;
  readonly lease: LeaseKeeper;
  readonly outage: Outage;
  /** The accounts whose stored position is surely that of the broker. */
  readonly aligned: Set<string>;
  /** The version of the feed when nothing waited. Null before. */
  quietVersion: string | null;
  /** The account of the last published event. The next batch begins behind it. */
  lastAccount: string;
};

/**
 * Creates the outlet of a broker. Every process may have one. Only the process with the outlet's lease publishes.
 *
 * The position of each merchant account is its sequence in the feed. It is stored only after the broker's acknowledgement. After a
 * crash or a failure, the outlet first asks the broker for the last event of an account.
 */
export function createOutlet(app: App, broker: Broker): Outlet {
  const lease = createLeaseKeeper(app, broker.name);
  const outage = createOutage(app, broker.name);
  const aligned = new Set<string>();
  const state: State = { app, broker, lease, outage, aligned, quietVersion: null, lastAccount: '' };
  return {
    publishBatch: async () => {
      try {
        return await publishBatch(state);
      } catch (error) {
        // The broker may have events whose positions are not stored.
        aligned.clear();
        throw error;
      }
    },
    close: async () => {
      await broker.close();
      await lease.giveBack();
    },
  };
}

async function publishBatch(state: State): Promise<boolean> {
  const { app, broker, lease, outage, aligned } = state;
  if (outage.isPausing()) return false;
  const version = await readFeedVersion(app.db);
  if (version === state.quietVersion) return false;
  const order = { outlet: broker.name, after: state.lastAccount, limit: ACCOUNTS_MAX };
  const waiting = await findWaiting(app.db, order);
  if (waiting.length === 0) {
    state.quietVersion = version;
    return false;
  }
  const held = await lease.hold();
  if (held === 'other') return false;
  if (held === 'taken') {
    // Another process may have published meanwhile. Its positions are newer than those read above.
    aligned.clear();
    return true;
  }
  const places = await align(state, waiting);
  if (!places) return false;
  const events = await readLanes(app.db)(places);
  if (events.length > 0) await publish(state, events);
  else outage.end();
  return !outage.isPausing();
}

/**
 * Moves the positions behind the last events that the broker has, and behind those that the retention removed. Returns null when
 * the broker fails.
 */
async function align(state: State, waiting: readonly Waiting[]): Promise<readonly Waiting[] | null> {
  const { app, broker, lease, aligned } = state;
  const last = await lastMessages(state, waiting);
  if (!last) return null;
  const moved = await Promise.all(
    waiting.map(async (one, nth) =>
      behindRemoved(app.log, broker.name, await alignedTo(app, one, last[nth] ?? null)),
    ),
  );
  await lease.commit(positionsOf(moved.filter((one, nth) => one !== waiting[nth])));
  moved.forEach(({ merchantAccountId }) => aligned.add(merchantAccountId));
  return moved;
}

async function lastMessages(
  { broker, lease, outage, aligned }: State,
  waiting: readonly Waiting[],
): Promise<readonly (LastMessage | null)[] | null> {
  const ask = async ({ merchantAccountId }: Waiting): Promise<LastMessage | null> =>
    aligned.has(merchantAccountId) ? null : await broker.last(merchantAccountId);
  try {
    return await lease.during(() => Promise.all(waiting.map(ask)));
  } catch (failure) {
    aligned.clear();
    outage.note(failure);
    return null;
  }
}

/** Publishes events, and stores the positions behind those that the broker has acknowledged. */
async function publish(state: State, events: readonly FeedEvent[]): Promise<void> {
  const { broker, lease, outage, aligned } = state;
  const { count, failure } = await lease
    .during(() => broker.publish(events.map(brokerMessage)))
    .catch((error: unknown) => ({ count: 0, failure: error }));
  await failpoint('outlet.published');
  const done = events.slice(0, count);
  await lease.commit(
    positionsOf(done.map(({ merchantAccountId, sequence }) => ({ merchantAccountId, after: sequence }))),
  );
  state.lastAccount = done.at(-1)?.merchantAccountId ?? state.lastAccount;
  if (count === events.length) return outage.end();
  aligned.clear();
  outage.note(failure);
}

/**
 * Returns the place behind the last event that the broker has. The id of that event must be in the feed at its sequence. Otherwise
 * the database was restored, and the feed has given the sequence to another event.
 */
async function alignedTo({ db }: App, place: Waiting, last: LastMessage | null): Promise<Waiting> {
  if (!last || last.sequence <= place.after) return place;
  const { idAt } = await readBounds(db, place.merchantAccountId, last.sequence);
  return idAt === last.id ? { ...place, after: last.sequence } : place;
}

const positionsOf = (
  places: readonly Pick<Waiting, 'merchantAccountId' | 'after'>[],
): ReadonlyMap<string, bigint> =>
  new Map(places.map(({ merchantAccountId, after }) => [merchantAccountId, after]));

/**
 * Returns the place behind the events that the retention removed, and reports those that the outlet has not published. A new outlet
 * begins with the oldest event that the feed has.
 */
function behindRemoved(log: App['log'], outlet: string, place: Waiting): Waiting {
  const { merchantAccountId, after, floor } = place;
  if (floor <= after) return place;
  const missed = Number(floor - after);
  if (after > 0n)
    log.error({ outlet, merchantAccountId, missed }, 'The retention removed events before an outlet.');
  return { ...place, after: floor };
}
