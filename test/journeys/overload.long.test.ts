import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_BUDGETS } from '../bench/database.ts';
import { ACCOUNTS, measureOverload, type Overload } from '../bench/overload/measure.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';

// Twenty merchant accounts want three times what the process can do. `npm run bench -- overload` measures the parts. The limits here
// are wide, because other tests use the machine too.

let database: TestDatabase;
let server: ServerProcess;
let overload: Overload;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startProcess({ ...DEFAULT_BUDGETS, DATABASE_URL: database.url, LOG_LEVEL: 'error' });
  overload = await measureOverload({
    ...{ server, databaseUrl: database.url },
    ...{ capacityMs: 5_000, overloadMs: 20_000 },
  });
}, 180_000);
afterAll(async () => {
  await server.stop();
  await database.drop();
});

describe('a process that is asked for three times what it can do', () => {
  it('refuses with 429 and Retry-After, and answers every other request', () => {
    expect(overload.others).toEqual([]);
    expect(overload.refused).toBeGreaterThan(0);
  });

  it('loses no payment and no event', () => {
    expect(overload.lost).toBe(0);
  });

  it('still authorises most of what it can, for every account', () => {
    expect(overload.goodput).toBeGreaterThan(0.6 * overload.capacity);
    expect(overload.fewest).toBeGreaterThan((0.3 * overload.capacity) / ACCOUNTS);
  });

  it('is back to normal soon after', () => {
    expect(overload.recoverySeconds).toBeLessThan(15);
  });
});
