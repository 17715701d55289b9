import type { App, Viewer } from '../../app.ts';
import { authenticate } from '../authentication/authenticate.ts';
import type { Credentials } from '../authentication/credentials.ts';

export type TokenEvents = {
  /** The token is still valid, perhaps with fewer rights. */
  renewed(viewer: Viewer): void;
  /** The token expired or is refused now. Called once, and nothing follows. */
  ended(): void;
};

/** Watches the token of a long connection. The answer stops watching. */
export function watchToken(
  app: App,
  credentials: Credentials,
  viewer: Viewer,
  events: TokenEvents,
): () => void {
  let watching = true;
  const stop = (): void => {
    watching = false;
    clearTimeout(expiry);
    clearInterval(checks);
  };
  const end = (): void => {
    if (!watching) return;
    stop();
    events.ended();
  };
  const check = async (): Promise<void> => {
    const known = await authenticate(app, credentials);
    if ('refusal' in known) end();
    else if (watching) events.renewed(known.viewer);
  };
  const leftMs = viewer.tokenExpiresAt.getTime() - app.clock.now().getTime();
  const expiry = setTimeout(end, leftMs > 0 ? Math.min(leftMs, TIMER_MAX_MS) : TOLERATED_MS);
  const checks = setInterval(() => {
    // A database fault says nothing about the token. The next check asks again.
    check().catch(() => undefined);
  }, CHECK_MS);
  return stop;
}

/** A key that is disabled closes its sockets within this time. */
const CHECK_MS = 30_000;

/** Extra time for an accepted token that has expired by this process's clock, because clocks differ. */
const TOLERATED_MS = 10_000;

/** Longer timers fire at once. After 24 days a connection may as well reconnect. */
const TIMER_MAX_MS = 2 ** 31 - 1;
