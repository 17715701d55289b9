import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpClient, SANDBOX_NETWORKS, type HttpClient } from '../../src/platform/http/http-client.ts';
import type { Resolve } from '../../src/platform/http/resolver.ts';
import { setTimeout as delay } from 'node:timers/promises';

const opened: { close(): unknown }[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.close()));

/** Every name resolves to this machine, after 40 ms. */
const resolve: Resolve = async () => {
  await new Promise((done) => setTimeout(done, 40));
  return [{ address: '127.0.0.1', family: 4 }];
};

function newClient(): HttpClient {
  const client = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true, resolve });
  opened.push(client);
  return client;
}

async function listen(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  opened.push(server);
  return (server.address() as AddressInfo).port;
}

/**
 * Answers after 60 ms, and sends the body 120 ms later. The second wait has small steps. A machine that stalls in one step
 * still lets the client see the head before the body.
 */
const slow = (): Promise<number> =>
  listen(
    createServer((request, response) => {
      request.resume();
      void (async () => {
        await delay(60);
        response.writeHead(200).flushHeaders();
        for (let step = 0; step < 12; step += 1) await delay(10);
        response.end('body');
      })();
    }),
  );

const timingOf = async (client: HttpClient, url: string, deadlineMs = 30_000) => {
  const limits = { deadlineMs, replyBytesMax: 1_000, pool: 'test' };
  const sent = await client.send({ method: 'POST', url, headers: {}, body: '{}', ...limits });
  return 'reply' in sent ? sent.reply : sent.failure;
};

describe('the time of an exchange', () => {
  it('is reported in parts: look-up, connection, first byte', async () => {
    const reply = await timingOf(newClient(), `http://hooks.test:${await slow()}/`);

    const { lookupMs, connectMs, tlsMs, firstByteMs } = reply.timing;
    expect(lookupMs).toBeGreaterThanOrEqual(38);
    expect(connectMs).toBeGreaterThanOrEqual(0);
    expect(tlsMs).toBeNull();
    expect(firstByteMs).toBeGreaterThanOrEqual(55);
    // The rest is the time of the body.
    const parts = (lookupMs ?? 0) + (connectMs ?? 0) + (firstByteMs ?? 0);
    expect(reply.durationMs).toBeGreaterThanOrEqual(parts + 40);
  });

  it('has no look-up of a literal address', async () => {
    const { timing } = await timingOf(newClient(), `http://127.0.0.1:${await slow()}/`);

    expect(timing).toMatchObject({ lookupMs: null, connectMs: expect.any(Number), tlsMs: null });
  });

  it('has only the first byte on a kept connection', async () => {
    const client = newClient();
    const url = `http://hooks.test:${await slow()}/`;
    await timingOf(client, url);

    const { timing } = await timingOf(client, url);

    expect(timing).toEqual({ lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: expect.any(Number) });
  });

  it('omits a part without an end', async () => {
    const silent = await listen(
      createTcpServer((socket) => void opened.push({ close: () => socket.destroy() })),
    );
    const client = newClient();
    const connected = async () => {
      // A longer limit follows when a busy machine does not connect in time.
      for (const deadlineMs of [300, 3_000]) {
        const { timing } = await timingOf(client, `https://hooks.test:${silent}/`, deadlineMs);
        if (timing.connectMs !== null) return timing;
      }
      return (await timingOf(client, `https://hooks.test:${silent}/`, 30_000)).timing;
    };

    expect(await connected()).toEqual({
      lookupMs: expect.any(Number),
      connectMs: expect.any(Number),
      tlsMs: null,
      firstByteMs: null,
    });
    expect((await timingOf(client, 'http://10.0.0.1/', 300)).timing).toEqual({
      lookupMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: null,
    });
  });
});
