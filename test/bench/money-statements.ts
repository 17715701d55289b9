import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { App } from '../../src/app.ts';
import { startService } from '../../src/main.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import type { Settings } from '../support/command.ts';
import { authorization, payloadOf, post, type Order, type Verb } from '../support/payments.ts';

/** A statement as sent to Postgres. */
export type Sent = {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** The places of the sending and of the reply among all sendings and replies. No place repeats. */
  readonly sentAt: number;
  readonly repliedAt: number;
};

/** The statements of one operation, in order. */
export type Recording = {
  readonly startedAt: Date;
  readonly sent: readonly Sent[];
  /** The transaction of the operation. */
  readonly transactionId: string;
  readonly idempotencyKey: string;
};

/** Returns the statements of each round trip. Statements under way at once share a trip. The statements must be in order. */
export function tripsOf(sent: readonly Sent[]): readonly (readonly Sent[])[] {
  const trips: Sent[][] = [];
  for (const statement of sent) {
    const trip = trips.at(-1);
    if (trip?.some(({ repliedAt }) => repliedAt > statement.sentAt)) trip.push(statement);
    else trips.push([statement]);
  }
  return trips;
}

export type RecordingOptions = Pick<Partial<App>, 'clock'> & {
  /**
   * Statements by the name of another. The reply of the other is held until the statement is sent, at most 5 s. Statements that
   * may share a round trip then share it on any machine.
   */
  readonly holding?: Readonly<Record<string, string>>;
};

/**
 * Carries out one operation of each kind through GraphQL, in a service in this process. Records every statement of
 * its driver. The settings must name a database.
 *
 * Statements of an idle service are left out, and so is the hint that wakes the relays of other processes. The hint goes out
 * once for all operations of five milliseconds, and no request waits for it. Merchant
 * account, payment service and key pair stay in the database. With a clock that stands still, no statement reads the key again
 * or records its use.
 */
export async function recordOperations(
  settings: Settings,
  { holding = {}, ...overrides }: RecordingOptions = {},
): Promise<Readonly<Record<Verb, Recording>>> {
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-bench-'));
  const service = await startService(
    parseConfig({
      ...settings,
      PORT: '0',
      PAYGRAPH_DATA_DIR: folder,
      PAYGRAPH_ROLES: 'api',
      LOG_LEVEL: 'error',
    }),
    { overrides },
  );
  const server = { url: service.url, token: (await service.sandbox?.token()) ?? '' };
  const tap = tapDriver(holding);
  try {
    await delay(1_000);
    const besides = new Set(['relay_notify', ...tap.take().map(({ name }) => name)]);
    const record = async (order: Order): Promise<Recording> => {
      tap.take();
      const startedAt = new Date();
      const key = randomUUID();
      const { text } = await post(server, { ...order, variables: { ...order.variables, key } });
      const { transaction } = payloadOf(text) ?? {};
      if (!transaction) throw new Error(`The ${order.verb} that was to be recorded was refused: ${text}`);
      const sent = tap.take().filter(({ name }) => !besides.has(name));
      return { startedAt, sent, transactionId: transaction.id, idempotencyKey: key };
    };
    const payment = authorization(1_299, null);
    // The first one also fills caches.
    const { transactionId: voided } = await record(payment);
    const authorize = await record(payment);
    return {
      authorize,
      capture: await record({
        verb: 'capture',
        variables: { id: authorize.transactionId, input: { amount: 1_299 } },
      }),
      refund: await record({
        verb: 'refund',
        variables: { id: authorize.transactionId, input: { amount: 1_299 } },
      }),
      void: await record({ verb: 'void', variables: { id: voided } }),
    };
  } finally {
    tap.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const HELD_MS = 5_000;

/** Records the statements of every client of the driver in this process. `take` returns those since the last call. */
function tapDriver(holding: Readonly<Record<string, string>>): { take(): readonly Sent[]; close(): void } {
  type Query = (this: unknown, ...given: unknown[]) => unknown;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const sent: Sent[] = [];
  let place = 0;
  prototype.query = function (this: unknown, ...given: unknown[]): unknown {
    const [first, second] = given;
    const statement = (typeof first === 'string' ? { text: first } : first) as Partial<Sent>;
    const { text = '', values = Array.isArray(second) ? (second as unknown[]) : [] } = statement;
    const name = statement.name ?? text.trim().slice(0, 40);
    const one = { name, text, values, sentAt: (place += 1), repliedAt: Infinity };
    sent.push(one);
    const replied = (): number => (one.repliedAt = place += 1);
    const callback = given.at(-1);
    if (isFunction(callback)) {
      const told = async (...answer: unknown[]): Promise<void> => {
        await held(name);
        replied();
        callback(...answer);
      };
      return query.apply(this, [...given.slice(0, -1), told]);
    }
    const answer = query.apply(this, given);
    if (answer instanceof Promise) answer.then(replied, replied);
    return answer;
  };
  const held = async (name: string): Promise<void> => {
    const awaited = holding[name];
    const endsAt = performance.now() + HELD_MS;
    while (awaited !== undefined && !sent.some((one) => one.name === awaited) && performance.now() < endsAt)
      await setImmediate();
  };
  return {
    take: () => sent.splice(0),
    close: () => {
      prototype.query = query;
    },
  };
}

const isFunction = (value: unknown): value is (...given: unknown[]) => unknown => typeof value === 'function';
