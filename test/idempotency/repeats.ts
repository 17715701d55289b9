import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendDueResponses } from '../../src/modules/disputes/index.ts';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { twiceOf } from './document.ts';
import { begin, KEY, textOf } from './begin.ts';
import { schema, startHarness, type Payload, type Harness } from './harness.ts';
import { fly, type Flight } from './in-flight.ts';
import type { Scenario } from './scenarios.ts';

let harness: Harness;

/** Runs every case of a repeated request with each of these mutations, on one server. */
export function describeRepeats(scenarios: Readonly<Record<string, Scenario>>): void {
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.stop());

  describe.each(Object.entries(scenarios))('%s', describeAnswers);
  describe.each(Object.entries(scenarios))('%s', describeEffects);
  describeFlights(scenarios);

  it('keeps the keys of different mutations apart', async () => {
    const tenant = await harness.tenant();
    for (const [mutation, scenario] of Object.entries(scenarios)) {
      const { input } = await scenario.given(harness, tenant);
      expect(await tenant.send(mutation, input, { key: KEY })).toMatchObject({
        userErrors: [],
        replayed: false,
      });
    }
  });
}

function describeAnswers(mutation: string, scenario: Scenario): void {
  const { makes, shownOnce, meanwhile } = scenario;

  it('answers the same request from the record, byte for byte, and does nothing', async () => {
    const { input, alike, send, count } = await begin(harness, mutation, scenario);
    const first = await send(input);
    const before = await harness.everything();

    const replays = [await send(input), await send(alike)];

    expect(first).toMatchObject({ userErrors: [], replayed: false });
    for (const replay of replays) {
      expect(replay).toMatchObject({ userErrors: [], replayed: true });
      expect(textOf(replay, scenario)).toBe(textOf(first, scenario));
    }
    expect(await changesSince(before)).toEqual([]);
    expect(await count()).toEqual(makes.times(1));
  });

  if (shownOnce)
    it(`shows ${shownOnce} in the first answer only, and stores it nowhere`, async () => {
      const { input, send } = await begin(harness, mutation, scenario);
      const { [shownOnce]: shown } = await send(input);
      const [secret = ''] = /[A-Za-z0-9+/]{40,}/.exec(String(shown)) ?? [];

      const replay = await send(input);

      expect(secret).not.toBe('');
      expect(replay[shownOnce]).toBeNull();
      expect(JSON.stringify(replay)).not.toContain(secret);
      expect((await harness.everything()).filter((row) => row.includes(secret))).toEqual([]);
    });

  if (meanwhile)
    it('returns the answer of that time, whatever has happened since', async () => {
      const { input, send, tenant } = await begin(harness, mutation, scenario);
      const first = await send(input, { extent: 'record' });
      await meanwhile(tenant, first);

      const replay = await send(input, { extent: 'record' });

      expect(replay.replayed).toBe(true);
      expect(textOf(replay, scenario)).toBe(textOf(first, scenario));
    });

  it('refuses the key with other input, names the difference, and changes nothing', async () => {
    const { input, other, send, count } = await begin(harness, mutation, scenario);
    await send(input);
    const different = await other();
    const before = await harness.everything();

    const reused = await send(different);

    expect(reused).toMatchObject({
      userErrors: [
        { code: 'IDEMPOTENCY_KEY_REUSED', path: ['idempotencyKey'], differingPaths: scenario.differs },
      ],
      replayed: false,
    });
    expect(await changesSince(before)).toEqual([]);
    expect(await count()).toEqual(makes.times(1));
  });
}

function describeEffects(mutation: string, scenario: Scenario): void {
  const { makes, timely } = scenario;

  it('is done once when four requests arrive at once', async () => {
    const { input, send, count } = await begin(harness, mutation, scenario);

    const answers = await Promise.all(Array.from({ length: 4 }, () => sendUntilDone(() => send(input))));

    expect(answers.map(({ replayed }) => replayed).sort()).toEqual([false, true, true, true]);
    expect(new Set(answers.map((answer) => textOf(answer, scenario))).size).toBe(1);
    expect(await count()).toEqual(makes.times(1));
  });

  it.each(makes.deaths(mutation))('is done once when the first dies at $point', async (death) => {
    const { input, send, count } = await begin(harness, mutation, scenario);
    const remove = setFailpoint(death.point, () => {
      throw new Error('The process died.');
    });
    await expect(send(input)).rejects.toThrow('INTERNAL_SERVER_ERROR').finally(remove);
    expect(await count()).toEqual(death.left);

    harness.clock.advance(60_000);
    const again = await send(input);
    // Only reconciliation may continue a money operation, because only reconciliation knows if a caller is still
    // alive.
    expect(await count()).toEqual(makes.money ? death.left : death.recovered);
    while (await reconcileDue(harness.server.app)) continue;
    while (await sendDueResponses(harness.server.app)) continue;
    const settled = await send(input);

    expect(again).toMatchObject({ userErrors: [], replayed: makes.money });
    expect(settled).toMatchObject({ userErrors: [], replayed: true });
    expect(await count()).toEqual(death.recovered);
    expect(textOf(await send(input), scenario)).toBe(textOf(settled, scenario));
  });

  if (timely)
    it('is replayed even when its input is invalid by then', async () => {
      const { send, count, tenant } = await begin(harness, mutation, scenario);
      toLastMinuteOfMonth();
      const input = timely(harness.clock.now(), tenant);
      const first = await send(input);
      harness.clock.advance(120_000);

      const replay = await send(input);
      const late = await send(input, { key: 'never used' });

      expect(late).toMatchObject({ userErrors: [{ code: 'INVALID_INPUT' }] });
      expect(replay).toMatchObject({ userErrors: [], replayed: true });
      expect(textOf(replay, scenario)).toBe(textOf(first, scenario));
      expect(await count()).toEqual(makes.times(1));
    });

  it('uses up no key when it is refused', async () => {
    const { input, refused, send, count, keys, tenant } = await begin(harness, mutation, scenario);
    const wrong = await refused();
    const before = await harness.everything();

    const refusal = await send(wrong);
    const forbidden = await tenant.ask(twiceOf(schema, mutation), { ...input, idempotencyKey: KEY }, [
      '*.read',
    ]);

    expect(refusal).toMatchObject({ userErrors: [{ code: scenario.refusal }], replayed: false });
    expect(forbidden.errors?.map(({ extensions }) => extensions.code)).toContain('FORBIDDEN');
    expect(await changesSince(before)).toEqual([]);
    expect(await keys()).toBe(0);
    expect(await send(input)).toMatchObject({ userErrors: [], replayed: false });
    expect(await count()).toEqual(makes.times(1));
  });

  it('refuses an empty key, a key of more than 255 characters, and a key with U+0000', async () => {
    const { input, send } = await begin(harness, mutation, scenario);
    const before = await harness.everything();

    const refusals = [];
    for (const key of ['', 'k'.repeat(256), 'a\0b']) refusals.push(await send(input, { key }));

    const refused = { userErrors: [{ code: 'INVALID_INPUT', path: ['idempotencyKey'] }], replayed: false };
    expect(refusals).toMatchObject([refused, refused, refused]);
    expect(await changesSince(before)).toEqual([]);
  });

  if (makes.money)
    it('needs a key twice in one document', async () => {
      const { input, tenant } = await begin(harness, mutation, scenario);
      const before = await harness.everything();

      const { errors } = await tenant.ask(twiceOf(schema, mutation), input);

      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['IDEMPOTENCY_KEY_REQUIRED']);
      expect(await changesSince(before)).toEqual([]);
    });
}

function describeFlights(scenarios: Readonly<Record<string, Scenario>>): void {
  describe('while the first request is stopped', () => {
    let flights: ReadonlyMap<string, Flight>;
    beforeAll(async () => {
      flights = await fly(harness, scenarios);
    });

    it.each(Object.entries(scenarios))('%s is not done twice', async (mutation, scenario) => {
      const flight = flights.get(mutation);
      if (!flight) throw new Error(`${mutation} did not fly.`);
      const { first, second, waitedMs, third, counts } = flight;

      expect(second).toMatchObject({
        userErrors: [
          {
            code: 'IDEMPOTENCY_IN_PROGRESS',
            path: ['idempotencyKey'],
            retryAfterMs: 2_000,
            message: expect.stringContaining('2000 ms'),
          },
        ],
        replayed: false,
      });
      expect(waitedMs).toBeGreaterThan(1_950);
      expect(first).toMatchObject({ userErrors: [], replayed: false });
      expect(third).toMatchObject({ userErrors: [], replayed: true });
      expect(textOf(third, scenario)).toBe(textOf(first, scenario));
      expect(counts).toEqual(scenario.makes.times(1));
    });
  });
}

/** Sends a request again while another one with its key is in progress. A slow machine exceeds the wait for it. */
async function sendUntilDone(send: () => Promise<Payload>): Promise<Payload> {
  for (;;) {
    const answer = await send();
    if (answer.userErrors.every(({ code }) => code !== 'IDEMPOTENCY_IN_PROGRESS')) return answer;
  }
}

function toLastMinuteOfMonth(): void {
  const now = harness.clock.now();
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  harness.clock.advance(Math.max(0, end - now.getTime() - 60_000));
}

/** Lists added and removed rows, of every merchant account. */
async function changesSince(before: readonly string[]): Promise<string[]> {
  const after = await harness.everything();
  const [then, now] = [new Set(before), new Set(after)];
  return [...after.filter((row) => !then.has(row)), ...before.filter((row) => !now.has(row))];
}
