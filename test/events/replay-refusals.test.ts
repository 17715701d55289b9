import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { replayOnce } from '../../src/modules/events/index.ts';
import { retainOnce } from '../../src/modules/events/log/retention.ts';
import { query } from '../support/database.ts';
import { startReplays, type Job, type Merchant, type Replays } from './replays.ts';

const DAY_MS = 86_400_000;

let harness: Replays;
let merchant: Merchant;
let endpoint: string;
let eventId: string;

beforeAll(async () => {
  harness = await startReplays();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  merchant = await harness.merchant();
  [eventId = ''] = await merchant.record('test.a');
  endpoint = await merchant.endpoint('http://127.0.0.1:9/');
});

/** Reads every row that a replay may write, of any merchant account. */
const everything = (): Promise<readonly unknown[]> =>
  query(
    harness.server.app.config.DATABASE_URL ?? '',
    `SELECT to_jsonb(d) AS row FROM delivery d UNION ALL SELECT to_jsonb(j) FROM replay_job j
     UNION ALL SELECT to_jsonb(k) FROM idempotency_key k ORDER BY 1`,
  );

const jobs = async (of: Merchant, webhookEndpointId: string | null = null): Promise<readonly Job[]> =>
  (
    await of.ask<{ replayJobs: { nodes: readonly Job[] } }>(
      'query ($id: ID) { replayJobs(webhookEndpointId: $id) { nodes { id state } } }',
      { id: webhookEndpointId },
    )
  ).replayJobs.nodes;

describe("another merchant account's", () => {
  it('endpoints, events and replays get the same answers as unknown ones, and nothing happens', async () => {
    const { replayJob } = await merchant.replay('events', {
      input: { webhookEndpointId: endpoint, scope: 'ALL' },
    });
    const id = replayJob?.id ?? '';
    const other = await harness.merchant();
    const [theirs = ''] = await other.record('test.a');
    const own = await other.endpoint('http://127.0.0.1:9/');
    const before = await everything();

    for (const unknown of [randomUUID(), 'no-uuid', null]) {
      const [anEndpoint, anEvent, aJob] = [unknown ?? endpoint, unknown ?? eventId, unknown ?? id];
      const answers = [
        await other.replay('delivery', { webhookEndpointId: anEndpoint, eventId: theirs }),
        await other.replay('delivery', { webhookEndpointId: own, eventId: anEvent }),
        await other.replay('event', { eventId: anEvent, key: 'k' }),
        await other.replay('events', { input: { webhookEndpointId: anEndpoint, scope: 'ALL' }, key: 'k' }),
        await other.replay('events', {
          input: { webhookEndpointId: anEndpoint, scope: 'ALL', dryRun: true },
        }),
        await other.replay('cancel', { id: aJob }),
      ];
      expect(answers.map(({ userErrors }) => userErrors.map(({ code, path }) => [code, ...path]))).toEqual([
        [['NOT_FOUND', 'webhookEndpointId']],
        [['NOT_FOUND', 'eventId']],
        [['NOT_FOUND', 'eventId']],
        [['NOT_FOUND', 'input', 'webhookEndpointId']],
        [['NOT_FOUND', 'input', 'webhookEndpointId']],
        [['NOT_FOUND', 'id']],
      ]);
      expect(await other.job(aJob)).toBeNull();
      expect(await jobs(other, anEndpoint)).toEqual([]);
    }
    expect(await jobs(other)).toEqual([]);
    expect(await everything()).toEqual(before);
    expect(await merchant.job(id)).toMatchObject({ state: 'RUNNING' });
  });

  it('events are not in a replay, whatever their place in the log', async () => {
    const other = await harness.merchant();
    await other.record('test.a', 'test.b');
    const { replayJob } = await merchant.replay('events', {
      input: { webhookEndpointId: endpoint, scope: 'ALL' },
    });
    while (await replayOnce(harness.server.app)) continue;

    expect(await merchant.job(replayJob?.id ?? '')).toMatchObject({ state: 'DONE', queuedCount: 1 });
    expect((await merchant.deliveries(endpoint)).map(({ event }) => event.id)).toEqual([eventId]);
  });
});

describe('replayEvents', () => {
  it('refuses an end before its beginning, and an invalid key', async () => {
    const before = await everything();
    const input = { webhookEndpointId: endpoint, scope: 'ALL' };

    const answers = [
      await merchant.replay('events', {
        input: { ...input, from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' },
      }),
      await merchant.replay('events', { input, key: '' }),
    ];

    expect(answers.map(({ userErrors }) => userErrors)).toEqual([
      [{ code: 'INVALID_INPUT', message: 'Must not be before from.', path: ['input', 'until'] }],
      [{ code: 'INVALID_INPUT', message: 'Must be 1 to 255 characters.', path: ['idempotencyKey'] }],
    ]);
    expect(answers.map(({ replayJob }) => replayJob)).toEqual([null, null]);
    expect(await everything()).toEqual(before);
  });

  it('refuses the eleventh concurrent replay of an endpoint', async () => {
    const input = { webhookEndpointId: endpoint, scope: 'ALL' };
    for (let each = 0; each < 10; each += 1) await merchant.replay('events', { input });

    const { replayJob, userErrors } = await merchant.replay('events', { input });

    expect({ replayJob, userErrors }).toMatchObject({
      replayJob: null,
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'webhookEndpointId'] }],
    });
    expect(await jobs(merchant, endpoint)).toHaveLength(10);
    while (await replayOnce(harness.server.app)) continue;
    expect((await jobs(merchant, endpoint)).every(({ state }) => state === 'DONE')).toBe(true);
    expect((await merchant.replay('events', { input })).userErrors).toEqual([]);
    while (await replayOnce(harness.server.app)) continue;
  });

  it('ends at once without an event in the period', async () => {
    const from = new Date(Number(harness.clock.now()) + DAY_MS);
    const nothing = await harness.merchant();
    const mute = await nothing.endpoint('http://127.0.0.1:9/');

    const answers = [
      await merchant.replay('events', { input: { webhookEndpointId: endpoint, scope: 'ALL', from } }),
      await nothing.replay('events', { input: { webhookEndpointId: mute, scope: 'ALL' } }),
    ];

    expect(answers.map(({ replayJob }) => replayJob)).toMatchObject([
      { state: 'DONE', fromSequence: 2, untilSequence: 1, totalCount: 0, progress: 1, queuedCount: 0 },
      { state: 'DONE', fromSequence: 1, untilSequence: 0, totalCount: 0, progress: 1, queuedCount: 0 },
    ]);
  });

  it('counts in a dry run the events that it would queue, and stores nothing', async () => {
    await merchant.record('test.b', 'test.c');
    const settle = (state: string, nth: number): Promise<unknown> =>
      query(
        harness.server.app.config.DATABASE_URL ?? '',
        `UPDATE delivery SET state = $1 WHERE endpoint_id = $2
           AND position = (SELECT position FROM delivery WHERE endpoint_id = $2 ORDER BY position OFFSET $3 LIMIT 1)`,
        [state, endpoint, nth],
      );
    await settle('expired', 0);
    await settle('done', 1);
    const before = await everything();

    const counts: (number | null)[] = [];
    for (const scope of ['ALL', 'FAILED', 'MISSING']) {
      const input = { webhookEndpointId: endpoint, scope, dryRun: true };
      const answer = await merchant.replay('events', { input, key: 'dry' });
      expect(answer).toMatchObject({ replayJob: null, userErrors: [], replayed: false });
      counts.push(answer.dryRunCount);
    }

    expect(counts).toEqual([3, 1, 1]);
    expect(await everything()).toEqual(before);
  });

  it('answers a repeat with the same key from the record', async () => {
    const input = { webhookEndpointId: endpoint, scope: 'MISSING' };
    const first = await merchant.replay('events', { input, key: 'once' });
    while (await replayOnce(harness.server.app)) continue;

    const again = await merchant.replay('events', { input, key: 'once' });
    const reused = await merchant.replay('events', { input: { ...input, scope: 'ALL' }, key: 'once' });

    expect(first.replayed).toBe(false);
    expect(again).toEqual({ ...first, replayed: true });
    expect(reused.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(await jobs(merchant)).toEqual([{ id: first.replayJob?.id, state: 'DONE' }]);
  });

  it('refuses a period whose events have been removed, and names the rest', async () => {
    harness.clock.advance(10 * DAY_MS);
    await query(harness.server.app.config.DATABASE_URL ?? '', `UPDATE delivery SET state = 'done'`);
    const keptSince = harness.clock.now();
    const [kept = ''] = await merchant.record('test.b');
    while (await retainOnce(harness.server.app, 5)) continue;
    const input = { webhookEndpointId: endpoint, scope: 'MISSING' };
    await query(harness.server.app.config.DATABASE_URL ?? '', `DELETE FROM delivery WHERE endpoint_id = $1`, [
      endpoint,
    ]);
    const before = await everything();

    const early = await merchant.replay('events', {
      input: { ...input, from: new Date(Number(keptSince) - DAY_MS) },
    });
    const removed = await merchant.replay('delivery', { webhookEndpointId: endpoint, eventId });

    expect(early).toMatchObject({
      replayJob: null,
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'from'] }],
    });
    const since =
      /^Events before (\S+) have been removed/.exec(early.userErrors[0]?.message ?? '')?.[1] ?? '';
    expect(Date.parse(since)).toBeGreaterThanOrEqual(Number(keptSince));
    expect(removed.userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['eventId'] }]);
    expect(await everything()).toEqual(before);

    const all = await merchant.replay('events', { input });
    const exact = await merchant.replay('events', { input: { ...input, from: since } });
    expect([all, exact].map(({ replayJob }) => [replayJob?.fromSequence, replayJob?.untilSequence])).toEqual([
      [2, 2],
      [2, 2],
    ]);
    while (await replayOnce(harness.server.app)) continue;
    expect((await merchant.deliveries(endpoint)).map(({ event }) => event.id)).toEqual([kept]);
  });
});

describe('replayJobs', () => {
  it('are listed newest first, of one endpoint or of all', async () => {
    const second = await merchant.endpoint('http://127.0.0.1:9/');
    const made: string[] = [];
    for (const webhookEndpointId of [endpoint, second, endpoint]) {
      const { replayJob } = await merchant.replay('delivery', { webhookEndpointId, eventId });
      made.unshift(replayJob?.id ?? '');
    }
    type Page = { replayJobs: { nodes: Job[]; pageInfo: { hasNextPage: boolean; endCursor: string } } };
    const page = (first: number, after: string | null) =>
      merchant.ask<Page>(
        `query ($first: Int, $after: String) {
          replayJobs(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
        { first, after },
      );

    const one = (await page(2, null)).replayJobs;
    const two = (await page(2, one.pageInfo.endCursor)).replayJobs;

    expect([...one.nodes, ...two.nodes].map(({ id }) => id)).toEqual(made);
    expect([one.pageInfo.hasNextPage, two.pageInfo.hasNextPage]).toEqual([true, false]);
    expect((await jobs(merchant, endpoint.toUpperCase())).map(({ id }) => id)).toEqual([made[0], made[2]]);
    const [error] = await merchant.refused('{ replayJobs(after: "c1.eA") { nodes { id } } }');
    expect(error?.extensions.code).toBe('INVALID_INPUT');
  });
});

describe('the scope webhook-subscriptions', () => {
  it('is required in full for a replay, and for reading deliveries', async () => {
    const reader = await harness.server.mint({
      merchantAccountId: merchant.id,
      scopes: ['webhook-subscriptions.read', 'events.read'],
    });
    const listener = await harness.server.mint({ merchantAccountId: merchant.id, scopes: ['events.read'] });
    const before = await everything();
    const code = async (document: string, token: string): Promise<unknown> =>
      (await harness.server.graphql(document, {}, { token })).body.errors?.[0]?.extensions.code;

    expect(await code(`mutation { replayEvent(eventId: "${eventId}") { replayed } }`, reader)).toBe(
      'FORBIDDEN',
    );
    expect(await code(`mutation { cancelReplayJob(id: "${eventId}") { replayJob { id } } }`, reader)).toBe(
      'FORBIDDEN',
    );
    expect(await code('{ replayJobs { nodes { id } } }', listener)).toBe('FORBIDDEN');
    expect(await code('{ events { nodes { id deliveries { id } } } }', listener)).toBe('FORBIDDEN');
    expect(await code('{ events { nodes { id deliveries { id event { id } } } } }', reader)).toBeUndefined();
    expect(await everything()).toEqual(before);
  });
});
