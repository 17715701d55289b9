import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { makeServer } from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';
import { attach } from '../../src/http/websocket/transport.ts';
import { until } from '../support/until.ts';
import { openRawSocket, type RawSocket } from './raw-socket.ts';

/** The messages that wait for their turn. */
const waiting: (() => void)[] = [];
const sockets = new WebSocketServer({ port: 0 });
const faults: unknown[] = [];
let served: WebSocket;
let peer: RawSocket;
beforeAll(async () => {
  const protocol = makeServer({ schema: buildSchema('type Query { a: Int b: Int }') });
  sockets.on('connection', (socket, { socket: stream }) => {
    served = socket;
    attach({
      ...{ socket, stream, protocol, extra: undefined, pingMs: 60_000 },
      onFault: (fault) => faults.push(fault),
      inTurn: (take) => waiting.push(take),
    });
  });
  await once(sockets, 'listening');
  peer = await openRawSocket(`http://127.0.0.1:${(sockets.address() as AddressInfo).port}`);
});
afterAll(async () => {
  peer.close();
  await peer.closed;
  sockets.close();
  expect(faults).toEqual([]);
});

const takeNext = (): void => waiting.shift()?.();

it('takes each message of a socket in its turn and in order, and reads no further message until then', async () => {
  peer.send({ type: 'connection_init' });
  await until(async () => waiting.length === 1, 'the first message');
  expect(served.isPaused).toBe(true);
  takeNext();
  expect(await peer.next()).toEqual({ type: 'connection_ack' });
  expect(served.isPaused).toBe(false);

  for (const id of ['a', 'b']) peer.send({ id, type: 'subscribe', payload: { query: `{ ${id} }` } });
  await until(async () => waiting.length > 0, 'a query');
  expect(served.isPaused).toBe(true);
  for (const id of ['a', 'b']) {
    await until(async () => waiting.length > 0, 'a query');
    takeNext();
    expect(await peer.next()).toEqual({ id, type: 'next', payload: { data: { [id]: null } } });
    expect(await peer.next()).toEqual({ id, type: 'complete' });
  }
  expect(served.isPaused).toBe(false);
});
