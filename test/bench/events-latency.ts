import pg from 'pg';
import type { App } from '../../src/app.ts';
import { createRelayHint } from '../../src/modules/events/index.ts';
import { startBareCommits } from './bare-commits.ts';
import type { BenchOptions } from './benches.ts';
import { nowMs, type Child } from './child.ts';
import { changeWithEvent } from './events-log.ts';
import { randomMoments } from './random-moments.ts';
import type { EventArrivals } from './subscribers.ts';
import type { Arrivals } from './webhook-receiver.ts';

export const EVENTS_PER_SECOND = 200;

export const latencySeconds = ({ quick }: BenchOptions) =>
  quick ? { warmUp: 1, measured: 2 } : { warmUp: 5, measured: 30 };

export type LatencySettings = {
  /** The app of a process without a relay. The app wakes the relays of others. */
  readonly app: App;
  readonly databaseUrl: string;
  readonly accounts: readonly string[];
  readonly receiver: Child;
  readonly subscribers: Child;
  readonly subscribersEach: number;
  readonly options: BenchOptions;
};

/**
 * Milliseconds from the return of COMMIT, for each delivery and each subscriber of each event. The bare commits are
 * beside them.
 */
export type EventLatencies = {
  readonly webhook: readonly number[];
  readonly subscriber: readonly number[];
  readonly commits: readonly number[];
};

/**
 * Commits events at random moments and compares the clocks of their consumers, all on one machine. The bare driver
 * commits as many rows beside them.
 */
export async function measureEventLatency(settings: LatencySettings): Promise<EventLatencies> {
  const { app, databaseUrl, accounts, receiver, subscribers, subscribersEach, options } = settings;
  const { warmUp, measured } = latencySeconds(options);
  const events = (warmUp + measured) * EVENTS_PER_SECOND;
  await Promise.all([receiver.ask('reset'), subscribers.ask('reset'), subscribers.ask('record')]);
  options.progress(`${EVENTS_PER_SECOND} events a second are committed for ${warmUp + measured} s`);
  const bare = await startBareCommits(databaseUrl, EVENTS_PER_SECOND);
  const committed = await commitAll({
    ...{ databaseUrl, accounts, events, hint: createRelayHint(app) },
    perSecond: EVENTS_PER_SECOND,
  });
  await receiver.ask('await', events);
  await subscribers.ask('await', events * subscribersEach);
  const commits = await bare.stop();
  const webhooks = await receiver.ask<Arrivals>('arrivals');
  const { ids, times } = await subscribers.ask<EventArrivals>('arrivals');
  const counted = new Map([...committed].slice(warmUp * EVENTS_PER_SECOND));
  const since = (id: string, at: number): number[] => {
    const committedAt = counted.get(id);
    return committedAt === undefined ? [] : [at - committedAt];
  };
  return {
    webhook: [...webhooks].flatMap(([key, at]) => since(key.split(' ')[1] ?? '', at)),
    subscriber: ids.flatMap((id, index) => since(id, times[index] ?? NaN)),
    commits: commits.slice(warmUp * EVENTS_PER_SECOND),
  };
}

type Commits = {
  readonly databaseUrl: string;
  readonly accounts: readonly string[];
  readonly events: number;
  readonly hint: () => void;
  readonly perSecond: number;
};

/** Commits events at random moments. Returns the return time of each COMMIT, by the event's id, in the planned order. */
export async function commitAll({
  databaseUrl,
  accounts,
  events,
  hint,
  perSecond,
}: Commits): Promise<ReadonlyMap<string, number>> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const committedAt = new Map<string, number>();
  const underWay: Promise<void>[] = [];
  const moments = randomMoments(perSecond);
  for (let nth = 0; nth < events; nth += 1) {
    await moments.next();
    const { id, statement } = changeWithEvent(accounts[nth % accounts.length] ?? '');
    const commit = async (): Promise<void> => {
      await pool.query(statement);
      committedAt.set(id, nowMs());
      hint();
    };
    underWay.push(commit());
  }
  await Promise.all(underWay);
  await pool.end();
  return committedAt;
}

const CONNECTIONS = 16;
