import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBudgets } from '../../src/http/limits/budgets.ts';
import { payFor } from '../../src/http/operations/event-price.ts';
import { NO_LOAD } from '../support/no-load.ts';
import { recordTestEvent } from '../support/record-test-event.ts';
import { relayAll } from '../support/relay-all.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const NOW = new Date('2030-01-01T12:00:00Z');
const LIVE = { createdAt: new Date('2030-01-01T11:59:55Z'), payload: '{}' };
const PAST = { createdAt: new Date('2030-01-01T11:59:45Z'), payload: '{}' };

/** A budget of 40, and a payer from it. */
function createPayer() {
  let nowMs = 0;
  const budgets = createBudgets(
    { PAYGRAPH_REQUESTS_PER_SECOND: null, PAYGRAPH_COST_PER_SECOND: 10 },
    NO_LOAD,
    () => nowMs,
  );
  const ended = new AbortController();
  const left = () => Number(/r=(\d+)/.exec(budgets.headersOf('a')['ratelimit'] ?? '')?.[1]);
  const wait = (ms: number) => void (nowMs += ms);
  return {
    payer: { budgets, merchantAccountId: 'a', signal: ended.signal },
    left,
    wait,
    end: () => ended.abort(),
  };
}

describe('the price of an event', () => {
  it('is one, and one for each whole 4,096 characters', () => {
    const { payer, left } = createPayer();

    expect(payFor(LIVE, NOW, payer)).toBeNull();
    expect(left()).toBe(39);
    expect(payFor({ ...PAST, payload: 'x'.repeat(8_192) }, NOW, payer)).toBeNull();
    expect(left()).toBe(36);
    expect(payFor({ kind: 'CursorExpired' }, NOW, payer)).toBeNull();
    expect(left()).toBe(36);
  });

  it('takes at most what is left for a live event', () => {
    const { payer, left } = createPayer();
    payer.budgets.spend('a', 40);

    expect(payFor(LIVE, NOW, payer)).toBeNull();
    expect(left()).toBe(0);
  });

  it('lets an event of the past wait for the budget', async () => {
    const { payer, left, wait } = createPayer();
    payer.budgets.spend('a', 40);
    const waiting = payFor(PAST, NOW, payer);
    wait(200);
    await waiting;

    expect(waiting).not.toBeNull();
    expect(left()).toBe(1);
  });

  it('is paid no more after the end of the subscription', async () => {
    const { payer, left, end } = createPayer();
    payer.budgets.spend('a', 40);
    const waiting = payFor(PAST, NOW, payer);
    end();
    await waiting;

    expect(left()).toBe(0);
  });
});

describe('a subscriber that catches up', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PAYGRAPH_COST_PER_SECOND: '40' } });
  });
  afterAll(() => server.stop());

  it('gets every event of the past, as fast as the budget of its account allows', async () => {
    const { app, merchantAccountId } = server;
    const createdAt = new Date(Date.now() - 60_000);
    const ids = Array.from({ length: 220 }, () => app.ids.uuid());
    await app.db.transaction(async (tx) => {
      for (const id of ids)
        await recordTestEvent(tx, {
          ...{ merchantAccountId, id, name: 'test.past', createdAt, production: false },
          target: { type: 'test', id },
        });
    });
    await relayAll(app);
    const client = server.socket();
    const from = performance.now();
    const received: string[] = [];
    const query = 'subscription { events(after: "BEGIN") { id } }';
    for await (const { data, errors } of client.iterate<{ events: { id: string } }>({ query })) {
      if (errors) throw new Error(JSON.stringify(errors));
      received.push(data?.events.id ?? '');
      if (received.length === ids.length) break;
    }
    await client.dispose();

    expect(received).toEqual(ids);
    // A full budget of 160 pays at once. The rest of 60 comes back within 1.5 s.
    expect(performance.now() - from).toBeGreaterThan(1_200);
  });
});
