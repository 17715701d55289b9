import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { startRelay } from '../../src/modules/events/index.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { pause, startEvents, until, type EventsHarness } from './harness.ts';
import { subscribe, take } from './subscribing.ts';

let harness: EventsHarness;
let relay: Loop;
beforeAll(async () => {
  harness = await startEvents();
  relay = startRelay(harness.app);
});
afterAll(async () => {
  await relay.stop();
  await harness.stop();
});

describe('a subscription', () => {
  it('loses nothing and uses little memory when its consumer is slow, and catches up', async () => {
    const viewer = await harness.viewer();
    const slow = await subscribe(harness.app, viewer);
    const quick = await subscribe(harness.app, viewer);
    const seenQuickly = take(quick, 12_002);
    const first = take(slow, 1);
    await harness.app.db.query({
      name: 'burst',
      text: BURST,
      values: [viewer.merchantAccountId, 12_000, harness.app.clock.now()],
    });
    await first;
    await until(
      async () =>
        (await harness.app.db.prisma.feedHead.findFirst({ where: viewerOf(viewer) }))?.sequence === 12_000n,
    );
    await pause(300);

    // All subscribers share 10 000 rows in memory. The slow one finds its next rows in the database.
    const rest = take(slow, 12_001);
    await harness.record(viewer, 'test.late', 'test.later');

    const sequences = [...(await first), ...(await rest)].map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    expect(sequences).toHaveLength(12_002);
    expect((await seenQuickly).map(({ sequence }) => Number(sequence))).toEqual(sequences);
    await Promise.all([slow.return(), quick.return()]);
  });
});

const viewerOf = ({ merchantAccountId }: Viewer) => ({ merchantAccountId });

const BURST = `
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
    SELECT $1, gen_random_uuid(), 'test.burst', 'test', 't', '{}', $3 FROM generate_series(1, $2::int)`;
