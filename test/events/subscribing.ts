import type { App, Viewer } from '../../src/app.ts';
import { subscribeEvents, type FeedArguments, type FeedEvent } from '../../src/modules/events/index.ts';

/** Starts a subscription. Throws when it is refused. */
export async function subscribe(
  app: App,
  viewer: Viewer,
  args: FeedArguments = {},
): Promise<AsyncGenerator<FeedEvent, void>> {
  const started = await subscribeEvents(app, viewer, args);
  if (!started.ok) throw new Error(JSON.stringify(started.refusals));
  // Nothing is removed here, so no cursor expires.
  return started.value as AsyncGenerator<FeedEvent, void>;
}

/** Takes so many events, or fewer when the subscription ends. */
export async function take(events: AsyncGenerator<FeedEvent, void>, count: number): Promise<FeedEvent[]> {
  const taken: FeedEvent[] = [];
  while (taken.length < count) {
    const { done, value } = await events.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
