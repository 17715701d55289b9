import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { connectRawSocket } from './raw-socket.ts';

/** Makes every query of transactions wait until its release. */
async function holdTransactions(server: TestServer): Promise<() => Promise<void>> {
  const connection = await server.app.db.connect();
  await connection.query('BEGIN');
  await connection.query('LOCK TABLE transaction');
  return async () => {
    await connection.query('COMMIT');
    connection.release();
  };
}

async function whenWaiting(server: TestServer): Promise<void> {
  const statement = {
    name: 'waiting',
    text: 'SELECT 1 FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
    values: [],
  };
  while ((await server.app.db.query(statement)).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Collects the connections that servers of this process accept, until `stop`. */
function watchAccepted(): { readonly sockets: readonly Socket[]; stop(): void } {
  const sockets: Socket[] = [];
  const accept = (message: unknown) => void sockets.push((message as { readonly socket: Socket }).socket);
  subscribe('net.server.socket', accept);
  return { sockets, stop: () => void unsubscribe('net.server.socket', accept) };
}

/** More than a test needs. The end of the last connection ends the wait. */
const LONG_MS = 60_000;

function requestTo({ url, token }: TestServer, query = '{ __typename }', ...headers: string[]): string {
  const body = JSON.stringify({ query });
  return [
    ...['POST /graphql HTTP/1.1', `host: ${new URL(url).host}`, `authorization: Bearer ${token}`, ...headers],
    ...['content-type: application/json', `content-length: ${body.length}`, '', body],
  ].join('\r\n');
}

/** Connects without a wait for the connection. */
function connectTo({ url }: TestServer): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}

const lastAnswer = expect.stringMatching(
  /^HTTP\/1\.1 200 [^]*connection: close[^]*\{"data":\{"__typename":"Query"\}\}$/i,
);

async function isRefused(server: TestServer): Promise<boolean> {
  const socket = connectTo(server);
  const refused = once(socket, 'connect').then(
    () => false,
    () => true,
  );
  return refused.finally(() => socket.destroy());
}

describe('draining', () => {
  it('answers running requests, accepts no new ones, and asks clients to reconnect', async () => {
    const server = await startTestServer();
    const letGo = await holdTransactions(server);
    const socket = await connectRawSocket(server.url, server.token);
    const underWay = server.graphql('{ transactions { nodes { id } } }');
    await whenWaiting(server);

    const closing = server.http.close();
    const closed = await socket.closed;
    const late = await server.graphql('{ __typename }').catch((error: unknown) => error);
    await letGo();
    const { status, headers, body } = await underWay;
    await closing;
    await server.stop();

    expect(closed).toEqual({ code: 1012, reason: 'Service restart' });
    expect(late).toMatchObject({ message: 'fetch failed' });
    expect(headers.get('connection')).toBe('close');
    expect([status, body]).toEqual([200, { data: { transactions: { nodes: [] } } }]);
  });

  it('answers a request that was arriving, and closes its connection', async () => {
    const server = await startTestServer();
    const { hostname, port } = new URL(server.url);
    const body = JSON.stringify({ query: '{ __typename }' });
    const accepted = watchAccepted();
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const lines = `POST /graphql HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${server.token}\r\n`;
    socket.write(lines);
    const theirs = () => accepted.sockets.find(({ remotePort }) => remotePort === socket.localPort);
    await until(() => theirs()?.bytesRead === lines.length, 'the first lines');
    accepted.stop();

    const closing = server.http.close();
    socket.write(`content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const answer = await text(socket);
    await closing;
    await server.stop();

    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).toContain('{"data":{"__typename":"Query"}}');
  });

  it('answers a request on a connection that a proxy has kept', async () => {
    const server = await startTestServer({ lingerMs: LONG_MS });
    const socket = connectTo(server).setEncoding('utf8');
    socket.write(requestTo(server));
    await once(socket, 'data');

    const closing = server.http.close();
    socket.write(requestTo(server));
    const answer = await text(socket);
    await closing;
    await server.stop();

    expect(answer).toEqual(lastAnswer);
  });

  it('answers on connections that the kernel has taken and the process has not', async () => {
    const server = await startTestServer({ lingerMs: LONG_MS });
    const sockets = Array.from({ length: 20 }, () => connectTo(server));
    for (const socket of sockets) socket.write(requestTo(server));

    const closing = server.http.close();
    const answers = await Promise.all(sockets.map((socket) => text(socket)));
    await closing;
    await server.stop();

    expect(answers).toEqual(sockets.map(() => lastAnswer));
  });

  it('answers the first request of a connection that was silent', async () => {
    const server = await startTestServer({ lingerMs: LONG_MS });
    const socket = connectTo(server);
    await once(socket, 'connect');

    const closing = server.http.close();
    await until(() => isRefused(server), 'the end of the listening');
    socket.write(requestTo(server));
    const answer = await text(socket);
    await closing;
    await server.stop();

    expect(answer).toEqual(lastAnswer);
  });

  it('closes connections on which nothing comes', async () => {
    const server = await startTestServer({ lingerMs: 1 });
    const socket = connectTo(server);
    await once(socket, 'connect');

    await server.http.close();
    const rest = await text(socket);
    await server.stop();

    expect(rest).toBe('');
  });

  it('ends a subscription that begins while the server ends', async () => {
    const server = await startTestServer({ lingerMs: LONG_MS });
    const socket = connectTo(server).setEncoding('utf8');
    socket.write(requestTo(server));
    await once(socket, 'data');

    const closing = server.http.close();
    socket.write(requestTo(server, 'subscription { events { id } }', 'accept: text/event-stream'));
    const answer = await text(socket);
    await closing;
    await server.stop();

    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*content-type: text\/event-stream/);
  });
});
