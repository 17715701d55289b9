import { setFailpoint } from '../../src/platform/failpoint.ts';
import { until } from '../events/harness.ts';
import type { Harness, Payload } from './harness.ts';
import { committing, type Counts } from './made.ts';
import type { Scenario } from './scenarios.ts';

/** The answers to a request that arrived while another one with its key was stopped. */
export type Flight = {
  readonly first: Payload;
  readonly second: Payload;
  /** The time that the second request waited. */
  readonly waitedMs: number;
  /** The same request again, after the release of the first. */
  readonly third: Payload;
  readonly counts: Counts;
};

/**
 * Stops a first request of every scenario: those that move money at the provider, the others before their commit. All
 * run at once, because each second request waits for two seconds.
 */
export async function fly(
  harness: Harness,
  scenarios: Readonly<Record<string, Scenario>>,
): Promise<ReadonlyMap<string, Flight>> {
  const planes = await Promise.all(
    Object.entries(scenarios).map(async ([mutation, { makes, given }]) => {
      const tenant = await harness.tenant();
      const { input } = await given(harness, tenant);
      const send = () => tenant.send(mutation, input, { key: 'in flight' });
      return {
        mutation,
        send,
        count: () => makes.count(harness, tenant),
        heldAt: makes.money ? null : committing(mutation),
      };
    }),
  );
  const hold = holdNext(
    harness,
    planes.map(({ heldAt }) => heldAt),
  );
  try {
    const firsts = planes.map(({ send }) => send());
    await until(hold.complete, 'all first requests to be held');
    const seconds = await Promise.all(planes.map(({ send }) => timed(send)));
    hold.end();
    const flights = planes.map(async ({ mutation, send, count }, index) => {
      const [first, second] = [await firsts[index], seconds[index]];
      if (!first || !second) throw new Error(`${mutation} did not fly.`);
      return [mutation, { first, ...second, third: await send(), counts: await count() }] as const;
    });
    return new Map(await Promise.all(flights));
  } finally {
    hold.end();
  }
}

/** Stops one request at each of the points until `end`. Null means a stop at the provider. */
function holdNext({ provider }: Harness, heldAt: readonly (string | null)[]) {
  const gate = Promise.withResolvers<undefined>();
  const points = heldAt.filter((point) => point !== null);
  const callCount = () => provider.calls.length + provider.disputeCalls.length;
  const callsInAll = callCount() + heldAt.length - points.length;
  let held = 0;
  const removals = points.map((point) =>
    setFailpoint(point, () => {
      held++;
      return gate.promise;
    }),
  );
  provider.failNext(...heldAt.flatMap((point) => (point === null ? ['hang' as const] : [])));
  return {
    complete: () => held === points.length && callCount() === callsInAll,
    end: () => {
      removals.forEach((remove) => remove());
      gate.resolve(undefined);
      provider.release();
    },
  };
}

async function timed(send: () => Promise<Payload>): Promise<Pick<Flight, 'second' | 'waitedMs'>> {
  const startedAt = performance.now();
  return { second: await send(), waitedMs: performance.now() - startedAt };
}
