import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clockFits } from '../../src/platform/database/health.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const clock = createShiftedClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    ...{ clock, settings: { PAYGRAPH_METRICS: 'true' } },
    checks: { clock: () => clockFits(clock, server.app.db) },
  });
});
afterAll(() => server.stop());

const offset = async (): Promise<number> => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^paygraph_clock_offset_seconds (.*)$/m.exec(text)?.[1]);
};

describe('the clock of a process', () => {
  it('fits the clock of the database, also while the database answers late', async () => {
    const late = {
      query: async <Row>() => {
        clock.advance(-20_000);
        const rows = await server.app.db.query<Row>({
          name: null,
          text: 'SELECT clock_timestamp() AS now',
          values: [],
        });
        clock.advance(40_000);
        return rows;
      },
    };
    expect(await clockFits(clock, late)).toBe(true);
    clock.advance(-20_000);
    expect(await clockFits(clock, server.app.db)).toBe(true);
  });

  it('fails the readiness when it is far off, with the difference, and the metrics tell it', async () => {
    clock.advance(60_000);
    const ready = await fetch(`${server.url}/ready`);

    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      status: 'failing',
      checks: { clock: 'failed' },
      reasons: {
        clock: expect.stringMatching(
          /^The clock of this process is \d\d\.\d s ahead of the clock of the database\.$/,
        ),
      },
    });
    expect(await offset()).toBeGreaterThan(50);

    clock.advance(-120_000);
    expect(await clockFits(clock, server.app.db)).toMatch(/ s behind the clock of the database\.$/);
  });
});
