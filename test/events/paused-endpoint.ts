import type { Viewer } from '../../src/app.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Dispatching } from './dispatching.ts';
import { until } from './harness.ts';

/**
 * The endpoint asks for the test's events and for health events. Events about its own health never reach the
 * endpoint.
 */
const ASKED_FOR = [
  'transaction.*',
  ...['failing', 'recovered', 'disabled'].map((health) => `webhook-endpoint.${health}`),
];

/** Creates an endpoint whose receiver refuses these events, and waits for its pause. */
export async function pausedEndpoint(
  d: Dispatching,
  viewer: Viewer,
  receiver: Receiver,
  ...names: readonly string[]
): Promise<string> {
  const { id } = await d.harness.endpoint(viewer, `${receiver.url}hook?key=secret`, ASKED_FOR);
  receiver.answer(500);
  d.dispatch();
  await d.record(viewer, ...names);
  await becomes(d, id, { pauses: 1, consecutiveFailures: 3 });
  return id;
}

/** Waits until an endpoint has this health. */
export const becomes = (
  d: Dispatching,
  id: string,
  health: Readonly<Record<string, unknown>>,
): Promise<void> =>
  until(
    async () => {
      const row: Readonly<Record<string, unknown>> = await d.endpoint(id);
      return Object.entries(health).every(([column, value]) => row[column] === value);
    },
    `an endpoint with ${JSON.stringify(health)}`,
  );

/** Returns the rest of the pause of an endpoint, in milliseconds. */
export const pauseLeft = async (d: Dispatching, id: string): Promise<number> =>
  Number((await d.endpoint(id)).pausedUntil) - Number(d.clock.now());
