import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { startRelay, oldestWaitingEvent, subscribeEvents } from '../../src/modules/events/index.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { startEvents, until, type EventsHarness } from './harness.ts';

const EVENTS = 250;
const SUBSCRIBERS = 200;

/** Half of the connections for reads. */
const READS_AT_ONCE = 4;

let harness: EventsHarness;
let viewer: Viewer;
beforeAll(async () => {
  harness = await startEvents();
  viewer = await harness.viewer();
  await harness.record(viewer, ...Array.from({ length: EVENTS }, () => 'test.a'));
  const relay = startRelay(harness.app);
  await until(async () => (await oldestWaitingEvent(harness.app)) === null, 'the relay');
  await relay.stop();
});
afterAll(() => harness.stop());

async function catchUp(): Promise<readonly bigint[]> {
  const started = await subscribeEvents(harness.app, viewer, { after: 'BEGIN' });
  if (!started.ok) throw new Error(JSON.stringify(started.refusals));
  const sequences: bigint[] = [];
  for await (const event of started.value) {
    if (!('sequence' in event)) throw new Error('The subscription expired.');
    sequences.push(event.sequence);
    if (sequences.length === EVENTS) break;
  }
  return sequences;
}

/** Counts the runs of a statement, and the most that run at once. */
function watch(db: Db, name: string) {
  const original = db.query.bind(db);
  let [count, running, atOnceMax] = [0, 0, 0];
  Object.assign(db, {
    query: async <Row>(statement: Statement) => {
      if (statement.name !== name) return original<Row>(statement);
      count += 1;
      running += 1;
      atOnceMax = Math.max(atOnceMax, running);
      return original<Row>(statement).finally(() => (running -= 1));
    },
  });
  return {
    end: () => {
      Object.assign(db, { query: original });
      return { count, atOnceMax };
    },
  };
}

describe('many subscribers that catch up at once', () => {
  it('all get every event, share their reads, and use half of the connections for reads', async () => {
    const watched = watch(harness.app.readDb, 'feed_range_whole');

    const all = await Promise.all(Array.from({ length: SUBSCRIBERS }, catchUp));
    const { count, atOnceMax } = watched.end();

    const whole = Array.from({ length: EVENTS }, (_, index) => BigInt(index + 1));
    expect(all).toEqual(all.map(() => whole));
    expect(atOnceMax).toBeLessThanOrEqual(READS_AT_ONCE);
    expect(atOnceMax).toBeGreaterThan(0);
    expect(count).toBeLessThan(SUBSCRIBERS);
  });
});
