import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Viewer } from '../../src/app.ts';
import { checkOutlets } from '../../src/cli/doctor/outlet-checks.ts';
import type { Finding } from '../../src/cli/doctor/checks.ts';
import { outletBacklogs, startOutlets } from '../../src/modules/events/index.ts';
import { brokerMessage } from '../../src/modules/events/outlets/broker-message.ts';
import { createLeaseKeeper } from '../../src/modules/events/outlets/lease-keeper.ts';
import { createOutage } from '../../src/modules/events/outlets/outage.ts';
import { findWaiting } from '../../src/modules/events/outlets/outlets.sql.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { relayAll } from '../support/relay-all.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { startTestServer } from '../support/server.ts';
import { startEvents, until, type EventsHarness } from './harness.ts';

let harness: EventsHarness;
beforeAll(async () => void (harness = await startEvents()));
afterAll(() => harness.stop());

const recorded = async (...names: readonly string[]): Promise<Viewer> => {
  const viewer = await harness.viewer();
  await harness.record(viewer, ...names);
  await relayAll(harness.app);
  return viewer;
};

const waitingOf = async (outlet: string, viewer: Viewer) => {
  const all = await findWaiting(harness.app.db, { outlet, after: '', limit: 1_000 });
  return all.find(({ merchantAccountId }) => merchantAccountId === viewer.merchantAccountId);
};

/** A log that keeps what is told. */
function keepingLog(): { readonly lines: unknown[]; readonly log: App['log'] } {
  const lines: unknown[] = [];
  const keep = (...line: readonly unknown[]): void => void lines.push(line);
  const log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log } as unknown as App['log'];
  return { lines, log };
}

describe('the message of an event', () => {
  it('has the text of webhooks, and headers with its id, name, place and version', async () => {
    const [event] = await harness.feed(await recorded('test.one.two'));
    if (!event) throw new Error('no event');

    const message = brokerMessage(event);
    expect(message).toMatchObject({ id: event.id, name: 'test.one.two', sequence: 1n, body: event.payload });
    expect(message.headers).toEqual({
      'paygraph-event-id': event.id,
      'paygraph-event-name': 'test.one.two',
      'paygraph-sequence': '1',
      'paygraph-cursor': event.cursor,
      'paygraph-schema-version': '1',
    });
  });
});

describe('the lease of an outlet', () => {
  it('belongs to one process, until that one gives it back', async () => {
    const other = await harness.another();
    const [first, second] = [createLeaseKeeper(harness.app, 'one'), createLeaseKeeper(other, 'one')];

    expect([await first.hold(), await second.hold(), await first.hold()]).toEqual(['taken', 'other', 'kept']);
    await first.giveBack();
    expect([await second.hold(), await first.hold()]).toEqual(['taken', 'other']);
  });

  it('is needed to store positions, and no position goes back', async () => {
    const viewer = await recorded('test.a', 'test.b', 'test.c');
    const [owner, stranger] = [createLeaseKeeper(harness.app, 'two'), createLeaseKeeper(harness.app, 'two')];
    await owner.hold();

    const place = (sequence: bigint) => new Map([[viewer.merchantAccountId, sequence]]);
    await stranger.commit(place(3n));
    expect(await waitingOf('two', viewer)).toMatchObject({ after: 0n });
    await owner.commit(place(2n));
    await owner.commit(place(1n));
    expect(await waitingOf('two', viewer)).toMatchObject({ after: 2n });
    await owner.commit(place(3n));
    expect(await waitingOf('two', viewer)).toBeUndefined();
  });
});

describe('the merchant accounts with events', () => {
  it('get their turns', async () => {
    for (let nth = 0; nth < 3; nth += 1) await recorded('test.a');
    const find = (after: string) => findWaiting(harness.app.db, { outlet: 'three', after, limit: 100 });

    const accounts = (await find('')).map(({ merchantAccountId }) => merchantAccountId);
    const turned = (await find(accounts[0] ?? '')).map(({ merchantAccountId }) => merchantAccountId);
    expect(turned).toEqual([...accounts.slice(1), accounts[0]]);
  });
});

describe('an outage', () => {
  it('makes one line at its start and one at its end', () => {
    const { lines, log } = keepingLog();
    const clock = createShiftedClock();
    const outage = createOutage({ log, clock }, 'nats:paygraph');
    outage.end();
    for (let nth = 0; nth < 3; nth += 1) outage.note(new Error('connection refused'));
    expect(outage.isPausing()).toBe(true);
    clock.advance(5_000);
    outage.end();
    outage.end();

    expect(outage.isPausing()).toBe(false);
    expect(lines).toEqual([
      [
        { outlet: 'nats:paygraph', error: 'connection refused' },
        'An outlet cannot publish. Its events wait, and it tries again.',
      ],
      [{ outlet: 'nats:paygraph', failures: 3, lastedMs: expect.any(Number) }, 'An outlet publishes again.'],
    ]);
  });
});

describe('a dead broker', () => {
  it('holds back its outlet alone, and is in the log, in the metrics and in the checks', async () => {
    const [natsPort, kafkaPort] = [await lastingPort(), await lastingPort()];
    const settings = {
      PAYGRAPH_METRICS: 'true',
      PAYGRAPH_OUTLET_NATS_URL: `nats://127.0.0.1:${natsPort}`,
      PAYGRAPH_OUTLET_KAFKA_BROKERS: `127.0.0.1:${kafkaPort}`,
    };
    const server = await startTestServer({ settings });
    const outlets = startOutlets(server.app);
    await server.graphql(
      'mutation { createBuyer(input: { displayName: "Jo" }) { buyer { id } userErrors { code } } }',
    );
    await relayAll(server.app);
    const { rows: head } = { rows: (await outletBacklogs(server.app))[0]?.events ?? 0 };
    const warned = (): readonly string[] =>
      server
        .logs()
        .split('\n')
        .filter((line) => line.includes('An outlet cannot publish'));
    await until(() => warned().length === 2, 'both outages');
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const ready = await fetch(`${server.url}/ready`);
    const findings: Finding[] = [];
    await checkOutlets(parseConfig(settings), (finding) => void findings.push(finding));
    await outlets.stop();
    await server.stop();

    expect(head).toBeGreaterThan(0);
    for (const outlet of ['nats:paygraph', 'kafka:paygraph.events']) {
      expect(metrics).toContain(`paygraph_outlet_backlog{outlet="${outlet}"} ${head}\n`);
      expect(metrics).toMatch(new RegExp(`paygraph_outlet_age_seconds{outlet="${outlet}"} \\d`));
    }
    expect(ready.status).toBe(200);
    expect(findings.map(({ check, state }) => [check, state])).toEqual([
      ['outlet', 'failed'],
      ['outlet', 'failed'],
    ]);
    expect(findings[0]?.sentence).toMatch(/^nats:paygraph cannot be used: .*refused/i);
  }, 60_000);
});
