import pg from 'pg';
import { clientsOf, type ClientClass } from '../postgres/client.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

/** A listener for notifications of other processes through Postgres (NOTIFY). */
export type Listener = { stop(): Promise<void> };

export type ListenerSettings = {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The function to call after a notification on a channel. The function must not throw. */
  readonly channels: Readonly<Record<string, () => void>>;
};

/**
 * Listens on a separate connection and reconnects for ever, after 0.1 to 5 s.
 *
 * Notifications during an interruption are lost, so every channel is also called once after each connection. A pooler
 * or a half-dead network may swallow notifications too. Timers must therefore guarantee progress.
 */
export function createListener(settings: ListenerSettings): Listener {
  const stopped = new AbortController();
  const done = keepListening(settings, stopped.signal);
  return {
    stop: () => {
      stopped.abort();
      return done;
    },
  };
}

const WAIT_MIN_MS = 100;
const WAIT_MAX_MS = 5_000;

async function keepListening(settings: ListenerSettings, stopped: AbortSignal): Promise<void> {
  const Client = clientsOf(settings.url);
  let waitMs = WAIT_MIN_MS;
  while (!stopped.aborted) {
    const listened = await listenOnce(Client, settings, stopped);
    waitMs = listened ? WAIT_MIN_MS : Math.min(waitMs * 2, WAIT_MAX_MS);
    // Processes that lost one server come back at different times.
    await settings.clock.sleep(waitMs * (0.5 + Math.random() / 2), stopped);
  }
}

/** Listens until the connection or the listener ends. Returns false when it could not connect. */
async function listenOnce(
  Client: ClientClass,
  { log, channels }: ListenerSettings,
  stopped: AbortSignal,
): Promise<boolean> {
  const client = new Client({
    application_name: 'paygraph listen',
    // The longest delay of a stop while a server accepts connections and stays silent.
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  // An error ends the connection, and the code below waits for the end.
  client.on('error', () => undefined);
  client.on('notification', ({ channel }) => channels[channel]?.());
  const end = (): void => void client.end().catch(() => undefined);
  stopped.addEventListener('abort', end);
  try {
    await client.connect();
    await client.query(
      Object.keys(channels)
        .map((name) => `LISTEN ${pg.escapeIdentifier(name)}`)
        .join('; '),
    );
    Object.values(channels).forEach((call) => call());
    await ended;
    if (!stopped.aborted) log.warn({}, 'The connection for notifications was lost. Paygraph reconnects.');
    return true;
  } catch {
    end();
    return false;
  } finally {
    stopped.removeEventListener('abort', end);
  }
}
