import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpClient, SANDBOX_NETWORKS, type HttpClient } from '../../src/platform/http/http-client.ts';
import type { HttpRequest } from '../../src/platform/http/request.ts';
import type { Resolve } from '../../src/platform/http/resolver.ts';
import { FORBIDDEN_URLS } from '../support/forbidden-urls.ts';
import { until } from '../support/until.ts';

const opened: (HttpClient | { close(): void })[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.close()));

const client = (settings: Partial<Parameters<typeof createHttpClient>[0]> = {}): HttpClient => {
  const made = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true, ...settings });
  opened.push(made);
  return made;
};
const production = (): HttpClient => client({ allowedNetworks: [], allowInsecureHttp: false });

const to = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  deadlineMs: 30_000,
  replyBytesMax: 1_000,
  pool: 'test',
  ...more,
});

async function listen(server: Server | TcpServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
}

const web = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createHttpServer(listener))}/`;
const raw = async (onSocket: (socket: Socket) => void): Promise<number> =>
  await listen(createTcpServer((socket) => onSocket(socket.on('error', () => undefined))));

describe('addresses that must never be reached', () => {
  it.each(FORBIDDEN_URLS)('refuses %s', async (url) => {
    const http = production();

    const sent = await http.send(to(url));

    expect(http.refuseUrl(url)).toBe('Must not be an address of a private or reserved network.');
    expect(sent).toMatchObject({ failure: { kind: 'forbidden_address', sent: false } });
  });

  it.each([
    ['http://example.com/', 'Must be https.'],
    ['ftp://example.com/', 'Must be an absolute https URL.'],
    ['file:///etc/passwd', 'Must be an absolute https URL.'],
    ['//example.com/', 'Must be an absolute https URL.'],
    ['https://', 'Must be an absolute https URL.'],
    ['https://256.256.256.256/', 'Must be an absolute https URL.'],
    ['https://[fe80::1%25eth0]/', 'Must be an absolute https URL.'],
    ['https://user@example.com/', 'Must not contain a user name or a password.'],
    ['https://example.com:secret@127.0.0.1/', 'Must not contain a user name or a password.'],
  ])('refuses %s', async (url, sentence) => {
    const http = production();

    const sent = await http.send(to(url));

    expect(http.refuseUrl(url)).toBe(sentence);
    expect(sent).toMatchObject({ failure: { kind: 'invalid_url', sent: false } });
  });

  it.each(['https://example.com/', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/a?b'])(
    'lets %s pass',
    (url) => {
      expect(production().refuseUrl(url)).toBeNull();
    },
  );

  it('reaches the addresses that the operator allows, and no others', () => {
    const http = client({ allowedNetworks: ['10.1.0.0/16', 'fd00::/8'], allowInsecureHttp: false });

    expect(http.refuseUrl('https://10.1.2.3/')).toBeNull();
    expect(http.refuseUrl('https://[fd00::1]/')).toBeNull();
    expect(http.refuseUrl('https://10.2.0.1/')).not.toBeNull();
    expect(http.refuseUrl('https://[::ffff:10.1.2.3]/')).not.toBeNull();
    expect(() => client({ allowedNetworks: ['10.1.2.3'] })).toThrow('PAYGRAPH_ALLOWED_NETWORKS');
  });
});

describe('names', () => {
  it.each([
    ['a private address', ['10.0.0.1']],
    ['the metadata address', ['169.254.169.254']],
    ['a public and a private address', ['93.184.215.14', '127.0.0.1']],
    ['an IPv4 address in IPv6', ['::ffff:10.0.0.1']],
  ])('refuses a name that answers %s', async (_, addresses) => {
    const resolve: Resolve = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

    const sent = await client({ allowedNetworks: [], resolve }).send(to('http://rebind.test/'));

    expect(sent).toMatchObject({ failure: { kind: 'forbidden_address', sent: false } });
  });

  it('uses the checked address: a name with changing answers is resolved once', async () => {
    const url = await web((_, response) => response.end('here'));
    let requested = 0;
    const resolve: Resolve = async () => {
      requested += 1;
      return [{ address: requested === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    };
    const http = client({ resolve });
    const rebinding = url.replace('127.0.0.1', 'rebind.test');

    const [first, second] = [
      await http.send(to(rebinding)),
      await http.send(to(rebinding, { pool: 'other' })),
    ];

    expect(first).toMatchObject({ reply: { status: 200, body: 'here' } });
    expect(second).toMatchObject({ failure: { kind: 'forbidden_address', sent: false } });
    expect(requested).toBe(2);
  });

  it('reports an unknown name', async () => {
    const resolve: Resolve = () => Promise.reject(new Error('ENOTFOUND'));

    expect(await client({ resolve }).send(to('http://nowhere.test/'))).toMatchObject({
      failure: { kind: 'unknown_host', sent: false },
    });
  });

  it('ends at the deadline during a DNS look-up', async () => {
    const resolve: Resolve = () => new Promise(() => undefined);

    expect(await client({ resolve }).send(to('http://slow.test/', { deadlineMs: 100 }))).toMatchObject({
      failure: { kind: 'timeout', sent: false },
    });
  });
});

describe('replies', () => {
  it('sends the body and returns status, headers and body', async () => {
    const url = await web((incoming, response) => {
      let body = '';
      incoming.on('data', (chunk) => (body += String(chunk)));
      incoming.on('end', () => {
        response.writeHead(201, {
          'x-seen': incoming.headers['content-type'] ?? '',
          'set-cookie': ['a=1', 'b=2'],
        });
        response.end(`${incoming.method} ${incoming.url} ${body}`);
      });
    });

    const sent = await client().send(to(`${url}path?query=1`));

    expect(sent).toMatchObject({
      reply: {
        status: 201,
        body: 'POST /path?query=1 {"a":1}',
        headers: { 'x-seen': 'application/json', 'set-cookie': 'a=1, b=2' },
      },
    });
  });

  it('treats a peer that switches protocols as one that has answered, and closes the connection', async () => {
    let closed = false;
    const port = await raw((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n'),
      );
      socket.once('close', () => (closed = true));
    });

    const sent = await client().send(to(`http://127.0.0.1:${port}/`));

    expect(sent).toMatchObject({ reply: { status: 101, body: '', headers: { upgrade: 'x' } } });
    await until(() => closed);
  });

  it('does not follow a redirect', async () => {
    let requests = 0;
    const url = await web((_, response) => {
      requests += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });

    expect(await client().send(to(url))).toMatchObject({ reply: { status: 302 } });
    expect(requests).toBe(1);
  });

  it('reads an endless body up to the limit and closes the connection', async () => {
    let closed = false;
    const url = await web((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => {
        clearInterval(timer);
        closed = true;
      });
    });

    const sent = await client().send(to(url));

    expect(sent).toMatchObject({ reply: { status: 200, body: 'x'.repeat(1_000) } });
    await until(() => closed);
  });

  it('keeps two idle connections of a pool, and none for another pool', async () => {
    const ports: number[] = [];
    const url = await web((incoming, response) => {
      ports.push(incoming.socket.remotePort ?? 0);
      setTimeout(() => response.end(), 30);
    });
    const http = client();

    await Promise.all([1, 2, 3, 4].map(() => http.send(to(url))));
    await Promise.all([1, 2].map(() => http.send(to(url))));
    await http.send(to(url, { pool: 'other' }));

    expect(new Set(ports.slice(0, 4)).size).toBe(4);
    expect(ports.slice(4, 6).every((port) => ports.slice(0, 4).includes(port))).toBe(true);
    expect(ports.slice(0, 6)).not.toContain(ports[6]);
  });
});

describe('the connections of a pool', () => {
  it('are at most 256, and further requests wait for one within their deadlines', async () => {
    const sockets: Socket[] = [];
    let requests = 0;
    const port = await raw((socket) => {
      sockets.push(socket);
      socket.on('data', () => (requests += 1));
    });
    const url = `http://127.0.0.1:${port}/`;
    const http = client();
    const first = Array.from({ length: 256 }, () => http.send(to(url)));
    await until(() => requests === 256);

    const late = await http.send(to(url, { deadlineMs: 50 }));
    const patient = http.send(to(url));
    sockets[0]?.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    await Promise.race(first);
    await until(() => requests === 257);
    sockets[0]?.write('HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n');

    expect(late).toMatchObject({ failure: { kind: 'timeout', sent: false } });
    expect(await patient).toMatchObject({ reply: { status: 201 } });
    expect(sockets).toHaveLength(256);
  });

  it('leave out one that its reply has ended: a cut of the next request is never repeated', async () => {
    let requests = 0;
    const url = await web((_, response) => {
      requests += 1;
      if (requests === 2) response.destroy();
      else response.writeHead(200, { connection: 'close' }).end();
    });
    const http = client();
    await http.send(to(url, { repeatable: true }));

    expect(await http.send(to(url, { repeatable: true }))).toMatchObject({
      failure: { kind: 'connection_lost', sent: true },
    });
    expect(requests).toBe(2);
  });
});

describe('deadlines hold over the whole exchange', () => {
  const drip = (socket: Socket, start: string, drop = 'x'): void => {
    socket.write(start);
    const timer = setInterval(() => socket.write(drop), 20);
    socket.on('close', () => clearInterval(timer));
  };

  it.each([
    ['no reply', 'http', () => undefined],
    ['headers that drip', 'http', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-long: ')],
    [
      'a body that drips',
      'http',
      (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n'),
    ],
    [
      'interim replies without end',
      'http',
      (socket: Socket) => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'),
    ],
  ])('%s', async (_, protocol, behave) => {
    const port = await raw((socket) => void socket.once('data', () => behave(socket)));
    const startedAt = Date.now();

    const sent = await client().send(to(`${protocol}://127.0.0.1:${port}/`, { deadlineMs: 300 }));

    expect(sent).toMatchObject({ failure: { kind: 'timeout', sent: true } });
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  it('a TLS handshake that stalls has sent nothing', async () => {
    const port = await raw(() => undefined);

    expect(await client().send(to(`https://127.0.0.1:${port}/`, { deadlineMs: 300 }))).toMatchObject({
      failure: { kind: 'timeout', sent: false },
    });
  });
});

describe('failures report truthfully what was sent', () => {
  it('nothing listens', async () => {
    const port = await raw(() => undefined);
    opened.splice(0).forEach((one) => one.close());

    expect(await client().send(to(`http://127.0.0.1:${port}/`))).toMatchObject({
      failure: { kind: 'connection_refused', sent: false },
    });
  });

  it('the peer speaks no TLS', async () => {
    const port = await raw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));

    expect(await client().send(to(`https://127.0.0.1:${port}/`))).toMatchObject({
      failure: { kind: 'tls', sent: false },
    });
  });

  it.each([
    ['before it answers', ''],
    ['in the middle of its headers', 'HTTP/1.1 200 OK\r\nx-a'],
    ['in the middle of its body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
    ['with what is no HTTP', 'SSH-2.0-OpenSSH\r\n'],
  ])('the peer closes %s', async (_, text) => {
    const port = await raw((socket) => void socket.once('data', () => socket.end(text)));

    expect(await client().send(to(`http://127.0.0.1:${port}/`))).toMatchObject({
      failure: { kind: 'connection_lost', sent: true },
    });
  });

  it('a header that cannot be sent', async () => {
    const url = await web((_, response) => response.end());

    expect(await client().send(to(url, { headers: { authorization: 'Bearer a\nb' } }))).toMatchObject({
      failure: { kind: 'invalid_request', sent: false },
    });
  });

  it.each([
    [true, { reply: { status: 200, body: 'ok' } }, 3],
    [false, { failure: { kind: 'connection_lost', sent: true } }, 2],
  ])(
    'a kept connection that the peer had closed: repeated once when the repeat is harmless (%s)',
    async (repeatable, end, count) => {
      let requests = 0;
      const port = await raw((socket) => {
        socket.on('data', () => {
          requests += 1;
          // The second request meets a peer that has just closed the connection.
          if (requests === 2) socket.resetAndDestroy();
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        });
      });
      const http = client();
      await http.send(to(`http://127.0.0.1:${port}/`));

      const second = await http.send(to(`http://127.0.0.1:${port}/`, { repeatable }));

      expect(second).toMatchObject(end);
      expect(requests).toBe(count);
    },
  );
});
