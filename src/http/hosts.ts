import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { refuseRequest } from './answers/error-body.ts';
import type { Refused } from './answers/replies.ts';

/** Probes of a cluster name the address of a container. These routes tell nothing that needs a name. */
const FOR_PROBES: ReadonlySet<string> = new Set(['/ready', '/metrics']);

/**
 * Refuses requests that name a foreign host, with the status 421. A foreign name that resolves to this machine would let
 * a page of a browser talk to it (DNS rebinding).
 */
export function refuseForeignHosts(server: FastifyInstance, app: App): void {
  // Without a promise, because each request passes here.
  server.addHook('onRequest', (request, reply, done) => {
    const refused = refusedHost(app, request);
    if (refused) void refuseRequest(request, reply, refused);
    else done();
  });
}

function refusedHost(app: App, { url, raw }: FastifyRequest): Refused | null {
  if (hostCount(raw) > 1) {
    return {
      status: 400,
      code: 'BAD_REQUEST',
      message: 'The request has several Host headers. Send one.',
    };
  }
  if (FOR_PROBES.has(url) || namesUs(app, raw)) return null;
  return {
    status: 421,
    code: 'MISDIRECTED_REQUEST',
    message:
      'The Host header names another server. The operator adds a name of this server to PAYGRAPH_ALLOWED_HOSTS.',
  };
}

/**
 * True if a request names this server. Ports do not count, because proxies change them. The names are:
 *
 * - the host of the public address
 * - this machine's own names
 * - the address that the connection came to
 * - the names that the operator allows
 */
export function namesUs(app: App, request: IncomingMessage): boolean {
  const { headers, socket } = request;
  // A proxy in front may have read the other of two names.
  if (hostCount(request) > 1) return false;
  const host = hostOf(`http://${headers.host ?? ''}`);
  if (host === null) return false;
  const { PAYGRAPH_ALLOWED_HOSTS } = app.config;
  const ours = [hostOf(app.publicUrl), 'localhost', '127.0.0.1', '[::1]', ...PAYGRAPH_ALLOWED_HOSTS];
  return ours.includes(host) || host.replace(/^\[|\]$/g, '') === addressOf(socket.localAddress ?? '');
}

/** Node keeps the first of several Host headers, and lists all of them in the raw headers. */
function hostCount({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Returns the host of an address without its port, in lower case. Null when the text is no address. */
function hostOf(url: string): string | null {
  const known = hosts.get(url);
  if (known) return known.host;
  const host = URL.canParse(url) ? new URL(url).hostname : null;
  hosts.set(url, { host });
  return host;
}

/** The hosts of the latest requests. Nearly all requests name the same few. */
const hosts = new LRUCache<string, { readonly host: string | null }>({ max: 100 });

/** Returns an IPv4 address without the prefix that it has on a socket for both kinds. */
const addressOf = (address: string): string => address.replace(/^::ffff:/, '');
