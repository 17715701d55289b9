import { expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { subscribeToEvents } from '../../src/client/index.ts';
import { openDb } from '../../src/platform/database/db.ts';
import { createRandom } from '../simulation/random.ts';
import { createTestDatabase } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { numbers, recordMany, sequencesOf, take } from './harness.ts';

const EVENTS = 20_000;
const CUTS = 200;

it('delivers each of 20 000 events once and in order over a connection that breaks 200 times', async () => {
  const database = await createTestDatabase();
  const server = await startProcess({ DATABASE_URL: database.url });
  const db = openDb({ url: database.url, connectionMax: 1, applicationName: 'writer' });
  const random = createRandom(20_260_101);
  // An event takes at least 400 bytes, so all budgets are used up before the last event has passed.
  const budgets = Array.from({ length: CUTS }, () => random.int(0, (2 * EVENTS * 350) / CUTS));
  const proxy = await startCuttingProxy(server.url, budgets);
  const reasons: string[] = [];
  const events = subscribeToEvents({
    url: `${proxy.url}/graphql`,
    token: () => server.token,
    after: 'BEGIN',
    webSocketImpl: WebSocket,
    retry: { firstMs: 1, mostMs: 20 },
    onStatus: (status) => status.state === 'disconnected' && reasons.push(status.reason),
  });

  const taking = take(events, EVENTS);
  for (let written = 0; written < EVENTS; written += 500) await recordMany(db, 500, written + 1);
  const taken = await taking;
  await events.return();
  await Promise.all([proxy.close(), db.close(), server.stop()]);
  await database.drop();

  expect(proxy.cuts()).toBe(CUTS);
  expect(reasons).toHaveLength(CUTS);
  expect(sequencesOf(taken)).toEqual(numbers(1, EVENTS));
  expect(taken.every(({ name, sequence }) => name === `test.${sequence}`)).toBe(true);
}, 300_000);
