import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions } from './benches.ts';
import { startChild, type Child } from './child.ts';
import { BODY_BYTES, writeEvents } from './events-log.ts';
import type { Counted } from './subscribers.ts';
import { takeTurns, type Turns } from './turns.ts';

/** Sockets of each merchant account, the maximum of one process. */
export const SOCKETS_EACH = 50;

export const fanoutExtent = ({ quick }: BenchOptions) =>
  quick ? { rounds: 1, events: 20 } : { rounds: 7, events: 200 };

export type FanoutSettings = {
  /** The process with all subscribers of the accounts. */
  readonly subscribers: Child;
  readonly accounts: readonly string[];
  readonly databaseUrl: string;
  readonly options: BenchOptions;
};

/**
 * Measures messages a second to all subscribers together. Many events of each account are committed at once. For the
 * limit, a bare process broadcasts as many messages of the same size to as many sockets.
 */
export async function measureFanout(settings: FanoutSettings): Promise<Turns> {
  const { subscribers, accounts, databaseUrl, options } = settings;
  const { rounds, events } = fanoutExtent(options);
  const sockets = accounts.length * SOCKETS_EACH;
  const [broadcaster, listeners] = [startChild('bare-broadcast.ts'), startChild('subscribers.ts')];
  await listeners.ask('connect', { url: await broadcaster.ask<string>('open'), count: sockets });
  const count = sockets * events;
  const turns = await takeTurns({
    name: 'messages to subscribers',
    rounds,
    options,
    ours: async () => {
      await subscribers.ask('reset');
      await writeEvents(databaseUrl, accounts, events);
      return await rateOf(subscribers, count);
    },
    limit: async () => {
      await listeners.ask('reset');
      await broadcaster.ask('broadcast', { text: MESSAGE, times: events });
      return await rateOf(listeners, count);
    },
  });
  await Promise.all([listeners.end(), broadcaster.end()]);
  return turns;
}

async function rateOf(clients: Child, count: number): Promise<number> {
  const { firstAt, lastAt } = await clients.ask<Counted>('await', count);
  // An additional message would be as wrong as a missing one.
  await delay(50);
  const messages = await clients.ask<number>('count');
  if (messages !== count) throw new Error(`${messages} messages came for ${count}.`);
  return count / ((lastAt - firstAt) / 1_000);
}

/** The bytes around the payload: the envelope of the protocol, id, name, cursor, and the payload's escaped quotes. */
const AROUND_BYTES = 260;
const MESSAGE = 'x'.repeat(BODY_BYTES + AROUND_BYTES);
