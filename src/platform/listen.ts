import pg from 'pg';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** Hears what other processes say through Postgres (NOTIFY). */
export type Listener = { stop(): Promise<void> };

export type ListenerSettings = {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** What to do when something was said on a channel; must not throw. */
  readonly channels: Readonly<Record<string, () => void>>;
};

/**
 * Listens on one connection of its own and connects again for ever, after 0.1 to 5 s. What is said meanwhile is lost, so
 * every channel is called once after each connection too; and what is heard is a hint only: a pooler or a half-dead
 * network may swallow it, so that timers must guarantee progress.
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
  let waitMs = WAIT_MIN_MS;
  while (!stopped.aborted) {
    const listened = await listenOnce(settings, stopped);
    waitMs = listened ? WAIT_MIN_MS : Math.min(waitMs * 2, WAIT_MAX_MS);
    await settings.clock.sleep(waitMs, stopped);
  }
}

/** Listens until the connection or the listener ends. False when it could not begin. */
async function listenOnce({ url, log, channels }: ListenerSettings, stopped: AbortSignal): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'paygraph listen',
    // Stopping waits for so long when a server takes connections and says nothing.
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  // Its consequence is the end of the connection, which is waited for below.
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
    if (!stopped.aborted) log.warn({}, 'The connection that listens was lost; it is opened again.');
    return true;
  } catch {
    end();
    return false;
  } finally {
    stopped.removeEventListener('abort', end);
  }
}
