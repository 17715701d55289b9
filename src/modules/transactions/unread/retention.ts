import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { removeBefore } from './unread.sql.ts';
import { KEPT_MS } from './unread-webhook.ts';

const IDLE_MS = 60_000;

/** Starts the loop that removes unread webhooks after a week. Every process may run one. */
export const startUnreadRetention = (app: App): Loop =>
  startLoop({
    ...{ name: 'unread webhooks', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => retainUnreadOnce(app),
  });

/** Removes the unread webhooks that came a week ago or earlier. Commits once. Returns false, because none remains. */
export async function retainUnreadOnce({ db, clock, log }: App): Promise<boolean> {
  const removed = await removeBefore(db, new Date(clock.now().getTime() - KEPT_MS));
  if (removed > 0) log.warn({ removed }, 'Webhooks that nobody could read in a week were removed.');
  return false;
}
