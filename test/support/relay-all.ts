import type { App } from '../../src/app.ts';
import { relayOnce } from '../../src/modules/events/index.ts';

const TRIES = 10;

/**
 * Moves all committed events into the feed. Postgres ends a relay that stands still for half a second, and a busy machine
 * stalls longer. The relay then tries again, as its loop does.
 */
export async function relayAll(app: App): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      while (await relayOnce(app)) continue;
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}
