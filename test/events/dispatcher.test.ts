import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { App, Viewer } from '../../src/app.ts';
import {
  deleteWebhookEndpoint,
  oldestWaitingEvent,
  startDispatcher,
  startRelay,
  updateWebhookEndpoint,
} from '../../src/modules/events/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { createHttpClient, SANDBOX_NETWORKS, type HttpClient } from '../../src/platform/http/http-client.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { startReceiver, type Receiver, type ReceiverAnswer } from '../support/receiver.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { deliveriesWithAttempts } from './deliveries-with-attempts.ts';
import { pause, startEvents, until, type EventsHarness } from './harness.ts';

const clock = createShiftedClock();
const client = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
/** The deadline of 5 s. One test shortens the deadline, because a shorter one has the same effect. */
let deadlineMs = 5_000;
const http: HttpClient = { ...client, send: (request) => client.send({ ...request, deadlineMs }) };

let harness: EventsHarness;
let relay: Loop;
let receiver: Receiver;
let viewer: Viewer;
const running: Loop[] = [];

beforeAll(async () => {
  harness = await startEvents({ clock, http });
  relay = startRelay(harness.app);
});
afterAll(async () => {
  await relay.stop();
  await harness.stop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  viewer = await harness.viewer();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((loop) => loop.stop()));
  // Leaves no delivery of one test to the dispatcher of the next.
  await harness.app.db.prisma.webhookEndpoint.updateMany({ data: { deletedAt: clock.now() } });
  await receiver.close();
});

const dispatch = (app: App = harness.app): Loop => {
  const loop = startDispatcher(app);
  running.push(loop);
  return loop;
};

const record = async (...names: readonly string[]): Promise<void> => {
  await harness.record(viewer, ...names);
  relay.poke();
  await until(async () => (await oldestWaitingEvent(harness.app)) === null, 'the relay');
  running.forEach((loop) => loop.poke());
};

const deliveries = (endpointId: string) => deliveriesWithAttempts(harness.app, endpointId);
const delivery = async (endpointId: string) => {
  const [one] = await deliveries(endpointId);
  if (!one) throw new Error('There is no delivery.');
  return one;
};
const settled = (endpointId: string, count: number): Promise<void> =>
  until(
    async () => (await deliveries(endpointId)).filter(({ state }) => state === 'done').length === count,
    'deliveries',
  );
const attempted = (endpointId: string, count: number): Promise<void> =>
  until(
    async () =>
      (await deliveries(endpointId)).reduce((sum, { attempts }) => sum + attempts.length, 0) === count,
    'attempts',
  );
const endpointRow = (id: string) => harness.app.db.prisma.webhookEndpoint.findFirstOrThrow({ where: { id } });

describe('deliveries', () => {
  it('carry the text of the feed, with a signature that Standard Webhooks verifies', async () => {
    const { id, secret } = await harness.endpoint(viewer, `${receiver.url}hooks?a=1`);
    dispatch();
    await record('transaction.authorized', 'transaction.captured');
    await settled(id, 2);

    const feed = await harness.feed(viewer);
    expect(receiver.received.map(({ body }) => body)).toEqual(feed.map(({ payload }) => payload));
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      feed.map((event) => event.id),
    );
    for (const { headers, body, path } of receiver.received) {
      expect(path).toBe('/hooks?a=1');
      expect(headers['content-type']).toBe('application/json');
      expect(headers['user-agent']).toBe('Paygraph');
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    }
  });

  it('are signed with every live secret and with none that has expired', async () => {
    const { id, secret } = await harness.endpoint(viewer, receiver.url);
    const retired = await harness.endpoint(viewer, 'https://example.com/');
    const expired = await harness.endpoint(viewer, 'https://example.com/');
    const { webhookSecret } = harness.app.db.prisma;
    await webhookSecret.updateMany({
      where: { endpointId: retired.id },
      data: { endpointId: id, expiresAt: new Date(Number(clock.now()) + 60_000) },
    });
    await webhookSecret.updateMany({
      where: { endpointId: expired.id },
      data: { endpointId: id, expiresAt: clock.now() },
    });
    dispatch();
    await record('transaction.authorized');
    await settled(id, 1);

    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const verify = (key: string) => new Webhook(key).verify(body, headers as Record<string, string>);
    expect(verify(secret)).toEqual(verify(retired.secret));
    expect(() => verify(expired.secret)).toThrow();
  });

  it('record status, duration and the start of the reply of every attempt', async () => {
    const { id } = await harness.endpoint(viewer, receiver.url);
    receiver.answer((response) => response.writeHead(500).end(`\u0000é${'x'.repeat(70_000)}`));
    dispatch();
    await record('transaction.authorized');
    await attempted(id, 1);
    receiver.answer(204);
    clock.advance(10_000);
    await settled(id, 1);

    const { attempts, attempt, settledAt } = await delivery(id);
    expect(attempts).toMatchObject([
      { number: 1, statusCode: 500, error: null, replyStart: ` é${'x'.repeat(4_093)}` },
      { number: 2, statusCode: 204, error: null, replyStart: '' },
    ]);
    expect(attempts[0]?.durationMs).toBeGreaterThanOrEqual(0);
    const parts = {
      lookupMs: null,
      connectMs: expect.any(Number),
      tlsMs: null,
      firstByteMs: expect.any(Number),
    };
    expect(attempts[0]).toMatchObject(parts);
    expect(attempt).toBe(1);
    expect(settledAt).not.toBeNull();
  });
});

describe('retries', () => {
  it('carry the same id and text, with a fresh signature for their time', async () => {
    const { id, secret } = await harness.endpoint(viewer, receiver.url);
    receiver.answer(500);
    const dispatcher = dispatch();
    await record('transaction.authorized');
    await attempted(id, 1);
    clock.advance(6_000);
    dispatcher.poke();
    await attempted(id, 2);

    const [first, last] = receiver.received;
    expect(last?.body).toBe(first?.body);
    expect(last?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(last?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    // The verifier itself would refuse the shifted clock, so the test compares with its signer.
    const sentAt = new Date(Number(last?.headers['webhook-timestamp']) * 1_000);
    expect(last?.headers['webhook-signature']).toBe(
      new Webhook(secret).sign(String(last?.headers['webhook-id']), sentAt, last?.body ?? ''),
    );
  });

  it.each<[string, ReceiverAnswer, number | null, string | null]>([
    ['no answer in time', () => undefined, null, 'timeout'],
    ['a connection that is cut', (response) => void response.destroy(), null, 'connection_lost'],
    ['a redirect, which is not followed', 302, 302, null],
  ])('follow %s', async (_, answer, statusCode, error) => {
    const { id } = await harness.endpoint(viewer, receiver.url);
    receiver.answer(answer);
    deadlineMs = error === 'timeout' ? 300 : 5_000;
    dispatch();
    await record('transaction.authorized');
    await attempted(id, 1);
    deadlineMs = 5_000;

    const { attempts, state, attempt } = await delivery(id);
    expect(attempts).toMatchObject([{ statusCode, error }]);
    expect({ state, attempt }).toEqual({ state: 'pending', attempt: 1 });
  });

  it('wait as long as Retry-After says, and a 429 uses up no attempt', async () => {
    const { id } = await harness.endpoint(viewer, receiver.url);
    receiver.answer((response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    dispatch();
    await record('transaction.authorized');
    await attempted(id, 1);

    const { nextAt, attempt, state } = await delivery(id);
    expect({ attempt, state }).toEqual({ attempt: 0, state: 'pending' });
    expect(Number(nextAt) - Number(clock.now())).toBeGreaterThan(3_590_000);
  });
});

describe('endpoints', () => {
  it('get more concurrent requests with every success, and one after a failure', async () => {
    const { id } = await harness.endpoint(viewer, receiver.url);
    const open: ServerResponse[] = [];
    receiver.answer((response) => void open.push(response));
    await record(...Array.from({ length: 60 }, () => 'transaction.authorized'));
    const dispatcher = dispatch();
    const windows: number[] = [];
    for (let answered = 0; answered < 60;) {
      dispatcher.poke();
      // Every request of the window is open at once, before any of them has an answer.
      const full = async () => Math.min((await endpointRow(id)).window, 60 - answered) === open.length;
      await until(full, 'the whole window');
      windows.push(open.length);
      answered += open.length;
      open.splice(0).forEach((response) => response.writeHead(204).end());
      await settled(id, answered);
    }
    expect(Math.max(...windows)).toBe(8);
    expect(windows.slice(0, -1)).toEqual(windows.slice(0, -1).toSorted((one, other) => one - other));
    expect((await endpointRow(id)).window).toBe(8);

    receiver.answer(500);
    await record('transaction.captured');
    await attempted(id, 61);
    await until(async () => (await endpointRow(id)).window === 1);
    expect(await endpointRow(id)).toMatchObject({ state: 'active', consecutiveFailures: 1 });
  });

  it('that hang delay no others', async () => {
    const healthy = await Promise.all(
      [1, 2, 3].map(() => harness.endpoint(viewer, `${receiver.url}healthy`, ['transaction.captured'])),
    );
    const hanging = await Promise.all(
      [1, 2, 3].map(() => harness.endpoint(viewer, `${receiver.url}hanging`, ['transaction.authorized'])),
    );
    const hung: ServerResponse[] = [];
    receiver.answer((response, { path }) => {
      if (path === '/healthy') response.writeHead(204).end();
      else hung.push(response);
    });
    await record(
      ...Array.from({ length: 100 }, () => 'transaction.authorized'),
      ...Array.from({ length: 20 }, () => 'transaction.captured'),
    );
    // Longer than the healthy endpoints need on a busy machine.
    deadlineMs = 50_000;
    dispatch();

    await Promise.all(healthy.map(({ id }) => settled(id, 20)));

    // Each of the others still waits for its first answer, and holds one place.
    for (const { id } of hanging) {
      const states = (await deliveries(id)).map(({ state }) => state);
      expect(states).toEqual(['leased', ...Array.from({ length: 99 }, () => 'pending')]);
    }
    deadlineMs = 5_000;
    receiver.answer(204);
    hung.forEach((response) => response.writeHead(204).end());
  });

  it('that answer 410 are disabled, and their undelivered events are kept', async () => {
    const { id } = await harness.endpoint(viewer, receiver.url, ['transaction.*']);
    receiver.answer(410);
    dispatch();
    await record('transaction.authorized', 'transaction.captured');
    await until(async () => (await endpointRow(id)).state === 'disabled');
    await pause(50);

    expect(await endpointRow(id)).toMatchObject({ stateReason: 'The endpoint answered 410 Gone.' });
    expect(receiver.received).toHaveLength(1);
    expect((await deliveries(id)).map(({ state }) => state)).toEqual(['pending', 'pending']);
  });

  it('that are stopped get the missed events after their restart', async () => {
    const { id } = await harness.endpoint(viewer, receiver.url);
    const dispatcher = dispatch();
    await updateWebhookEndpoint(harness.app, viewer, id, { active: false });
    await record('transaction.authorized', 'transaction.captured');
    dispatcher.poke();
    await pause(50);
    expect(receiver.received).toHaveLength(0);

    await updateWebhookEndpoint(harness.app, viewer, id, { active: true });
    dispatcher.poke();

    await settled(id, 2);
    expect(receiver.received).toHaveLength(2);
  });

  it('that are deleted get nothing more, not even deliveries that the relay was creating', async () => {
    const { id } = await harness.endpoint(viewer, receiver.url);
    await record('transaction.authorized', 'transaction.captured');

    await deleteWebhookEndpoint(harness.app, viewer, id);

    expect((await deliveries(id)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    await harness.app.db.prisma.delivery.updateMany({
      where: { endpointId: id },
      data: { state: 'pending', settledAt: null },
    });
    dispatch();
    await until(async () => (await deliveries(id)).every(({ state }) => state === 'cancelled'));
    expect(receiver.received).toHaveLength(0);
  });
});

describe('a dispatcher that dies', () => {
  it('after sending: the delivery is sent again when its lease ends, and the late result changes nothing', async () => {
    const { id } = await harness.endpoint(viewer, receiver.url);
    let revive = (): void => undefined;
    const dead = new Promise<void>((resolve) => (revive = resolve));
    let reached = 0;
    const remove = setFailpoint('dispatcher.sent', () => ((reached += 1) === 1 ? dead : undefined));
    dispatch();
    await record('transaction.authorized');
    await until(() => reached === 1);
    const second = dispatch(await harness.another());
    second.poke();
    await pause(50);
    expect(receiver.received).toHaveLength(1);

    clock.advance(31_000);
    second.poke();
    await settled(id, 1);
    const { settledAt } = await delivery(id);
    revive();
    await attempted(id, 2);
    remove();

    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array.from({ length: 2 }, () => receiver.received[0]?.headers['webhook-id']),
    );
    expect(await delivery(id)).toMatchObject({ state: 'done', attempt: 0, settledAt });
  });

  it('waits for running requests when it is stopped', async () => {
    const { id } = await harness.endpoint(viewer, receiver.url);
    receiver.answer((response) => void setTimeout(() => response.writeHead(204).end(), 100));
    const dispatcher = dispatch();
    await record('transaction.authorized');
    await until(() => receiver.received.length === 1);

    await dispatcher.stop();

    expect(await delivery(id)).toMatchObject({ state: 'done', lease: null });
  });

  it('share the work with others, each delivery sent once', async () => {
    const { id } = await harness.endpoint(viewer, receiver.url);
    const { id: other } = await harness.endpoint(viewer, receiver.url);
    dispatch();
    dispatch(await harness.another());
    await record(...Array.from({ length: 100 }, () => 'transaction.authorized'));
    await settled(id, 100);
    await settled(other, 100);

    expect(receiver.received).toHaveLength(200);
    expect((await deliveries(id)).every(({ attempts }) => attempts.length === 1)).toBe(true);
  });
});
