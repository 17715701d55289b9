import pg from 'pg';
import { createConnectionTurns, type Turn } from './connection-turns.ts';
import { ownerOfWork } from './owner.ts';

export type TurnPoolConfig = pg.PoolConfig & {
  /** The number of connections. */
  readonly max: number;
  /** The longest wait for a turn, and again for a new connection. */
  readonly connectionTimeoutMillis: number;
};

/** The connections of a pool, by their use. */
export type Connections = { readonly used: number; readonly idle: number; readonly max: number };

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/**
 * A pool that gives its connections to merchant accounts in turn. Statements, transactions and Prisma all take their connections
 * by `connect`, so nothing passes a turn by.
 */
export class TurnPool extends pg.Pool {
  readonly #turns;
  readonly #running = new WeakMap<object, Turn>();
  readonly #waitMs: number;

  constructor(config: TurnPoolConfig) {
    super(config);
    this.#turns = createConnectionTurns(config.max);
    this.#waitMs = config.connectionTimeoutMillis;
    this.on('release', (_error, client) => {
      const turn = this.#running.get(client);
      if (!turn) return;
      this.#running.delete(client);
      this.#turns.end(turn);
    });
  }

  /** Returns the number of works that wait for a connection. */
  waits(): number {
    return this.#turns.waits();
  }

  /** Returns the numbers of connections. A connection that is being opened counts as used. */
  connections(): Connections {
    const { totalCount, idleCount } = this;
    return { used: totalCount - idleCount, idle: idleCount, max: this.options.max };
  }

  /** Returns how long the oldest waiting work of the owner waits for a connection, in milliseconds. */
  waitedMs(owner: string): number {
    return this.#turns.waitedMs(owner);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | void {
    if (connected) return this.#connectInTurn(connected);
    return new Promise((resolve, reject) => {
      this.#connectInTurn((error, client) =>
        client ? resolve(client) : reject(error ?? new Error(TIMED_OUT)),
      );
    });
  }

  #connectInTurn(connected: Connected): void {
    const wait: { timer?: NodeJS.Timeout } = {};
    const giveUp = this.#turns.ask(ownerOfWork(), (turn) => {
      clearTimeout(wait.timer);
      super.connect((error, client, release) => {
        if (client) this.#running.set(client, turn);
        // An ended pool answers at once. A call from here would go one level deeper for each waiting work.
        else queueMicrotask(() => this.#turns.end(turn));
        connected(error, client, release);
      });
    });
    if (!giveUp) return;
    wait.timer = setTimeout(() => {
      if (giveUp()) connected(new Error(TIMED_OUT), undefined, () => undefined);
    }, this.#waitMs).unref();
  }
}

/** The message of the driver for the same cause. */
const TIMED_OUT = 'timeout exceeded when trying to connect';
