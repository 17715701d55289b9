import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { type ConnectionStatus, type FeedEvent } from '../../src/client/index.ts';
import { numbers, sequencesOf, startClientHarness, take, type ClientHarness } from './harness.ts';
import { until } from '../support/until.ts';
import { lastingPort } from '../support/lasting-port.ts';

let harness: ClientHarness;
beforeAll(async () => {
  harness = await startClientHarness();
});
afterAll(() => harness.stop());

const reasonOr = (status: ConnectionStatus): string => ('reason' in status ? status.reason : status.state);

describe('subscribeToEvents continues', () => {
  it('with a fresh token when the token expires', async () => {
    const expiring = await startClientHarness();
    const tokens: string[] = [];
    const reasons: string[] = [];
    const events = expiring.follow({
      after: 'BEGIN',
      token: async () => {
        tokens.push(await expiring.server.mint({ lifetimeS: 2 }));
        return tokens.at(-1) ?? '';
      },
      onStatus: (status) => status.state === 'disconnected' && reasons.push(status.reason),
    });
    const taking = take(events, 31);
    for (let nth = 1; nth <= 30; nth += 1) {
      await expiring.record(1, nth);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // A slow machine may connect late, so that the token ends after these events.
    await until(() => reasons.length > 0);
    await expiring.record(1, 31);

    const taken = await taking;
    await events.return();
    await expiring.stop();

    expect(sequencesOf(taken)).toEqual(numbers(1, 31));
    expect(reasons.length).toBeGreaterThan(0);
    expect(new Set(reasons)).toEqual(new Set(['The socket was closed: 4403 The token is no longer valid']));
    expect(new Set(tokens).size).toBe(reasons.length + 1);
  });

  it('when no token can be created for a while', async () => {
    const reasons: string[] = [];
    let requested = 0;
    const expiring = await startClientHarness();
    const events = expiring.follow({
      after: 'BEGIN',
      token: () => {
        requested += 1;
        if (requested === 2 || requested === 3) throw new Error('The identity provider is down.');
        return expiring.server.mint({ lifetimeS: requested === 1 ? 1 : 3_600 });
      },
      onStatus: (status) => status.state === 'disconnected' && reasons.push(status.reason),
    });
    await expiring.record(1);
    const first = await take(events, 1);
    const waiting = take(events, 1);
    while (requested < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    await expiring.record(1, 2);
    const second = await waiting;
    await events.return();
    await expiring.stop();

    expect(sequencesOf([...first, ...second])).toEqual([1, 2]);
    expect(reasons.slice(1)).toEqual([
      'There is no token: The identity provider is down.',
      'There is no token: The identity provider is down.',
    ]);
  });

  it('when the server is restarted, and when it cannot be reached for a while', async () => {
    const port = await lastingPort();
    const first = await startClientHarness({ settings: { PORT: String(port) } });
    const states: string[] = [];
    const events = first.follow({
      after: 'BEGIN',
      token: () => first.server.mint(),
      onStatus: (status) => states.push(reasonOr(status)),
    });
    await first.record(2);
    const before = await take(events, 2);
    const waiting = take(events, 1);
    await first.server.http.close();
    while (!states.some((state) => state.includes('ECONNREFUSED')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(states.slice(0, 4)).toEqual([
      'connecting',
      'connected',
      'The socket was closed: 1012 Service restart',
      'connecting',
    ]);

    const { startHttp } = await import('../../src/http/server.ts');
    const { createGraph } = await import('../../src/graph/graph.ts');
    const app = Object.create(first.server.app, {
      config: { value: { ...first.server.app.config, PORT: port } },
    }) as typeof first.server.app;
    const second = await startHttp(app, createGraph(), { checks: {} });
    await first.record(1, 3);
    const after = await waiting;
    await events.return();
    await second.close();
    await first.stop();

    expect(sequencesOf([...before, ...after])).toEqual([1, 2, 3]);
  });

  it('and slows down a server that is faster than the consumer, and holds few events', async () => {
    const flood = await startClientHarness();
    await flood.record(2_000);
    let received = 0;
    class Counted extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol);
        this.on('message', () => (received += 1));
      }
    }
    const events = flood.follow({ after: 'BEGIN', webSocketImpl: Counted, bufferMax: 200 });
    const [first] = await take(events, 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const whileStalled = received;
    const rest = await take(events, 1_999);
    await events.return();
    await flood.stop();

    expect(whileStalled).toBeLessThan(1_000);
    expect(sequencesOf([first as FeedEvent, ...rest])).toEqual(numbers(1, 2_000));
  });
});
