import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { App } from '../app.ts';
import { sendRefusal } from './replies.ts';

/** Probes of a cluster name the address of a container. These routes tell nothing that needs a name. */
const FOR_PROBES: ReadonlySet<string> = new Set(['/ready', '/metrics']);

/**
 * Refuses requests that name a foreign host, with the status 421. A foreign name that resolves to this machine would let
 * a page of a browser talk to it (DNS rebinding).
 */
export function refuseForeignHosts(server: FastifyInstance, app: App): void {
  server.addHook('onRequest', async (request, reply) => {
    if (hostCount(request.raw) > 1) {
      await sendRefusal(request, reply, {
        status: 400,
        code: 'BAD_REQUEST',
        message: 'The request has several Host headers. Send one.',
      });
      return;
    }
    if (FOR_PROBES.has(request.url) || namesUs(app, request.raw)) return;
    await sendRefusal(request, reply, {
      status: 421,
      code: 'MISDIRECTED_REQUEST',
      message:
        'The Host header names another server. The operator adds a name of this server to PAYGRAPH_ALLOWED_HOSTS.',
    });
  });
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
  const host = hostOf(headers.host ?? '');
  if (host === null) return false;
  const { PAYGRAPH_ALLOWED_HOSTS } = app.config;
  const ours = [
    new URL(app.publicUrl).hostname,
    'localhost',
    '127.0.0.1',
    '[::1]',
    ...PAYGRAPH_ALLOWED_HOSTS,
  ];
  return ours.includes(host) || host.replace(/^\[|\]$/g, '') === addressOf(socket.localAddress ?? '');
}

/** Node keeps the first of several Host headers, and lists all of them in the raw headers. */
const hostCount = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;

/** Returns the host without its port, in lower case. Null when the header is no host. */
const hostOf = (header: string): string | null =>
  URL.canParse(`http://${header}`) ? new URL(`http://${header}`).hostname : null;

/** Returns an IPv4 address without the prefix that it has on a socket for both kinds. */
const addressOf = (address: string): string => address.replace(/^::ffff:/, '');
