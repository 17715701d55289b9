import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { ownOrigins } from '../origins.ts';

/** The header that a page of the dashboard sends. A foreign page cannot send it without a preflight, which nobody answers. */
export const DASHBOARD_HEADER = 'x-paygraph-dashboard';

/**
 * Returns the cookie of a person's session. Only a page of this server may use it. The request needs the header of the
 * dashboard and an own `Origin`. Undefined for all others.
 */
export function sessionOf(app: App, request: FastifyRequest): string | undefined {
  return isFromDashboard(app, request) ? cookieOf(app, request.headers) : undefined;
}

/** True if a page of this server sent the request. Browsers send `Origin` with each POST and DELETE. */
export const isFromDashboard = (app: App, { headers, socket }: FastifyRequest): boolean =>
  headers[DASHBOARD_HEADER] !== undefined && isOwnPage(app, socket.localPort ?? 0, headers);

/** Returns the cookie of a session from the handshake of a websocket. A handshake has no headers of a page except `Origin`. */
export const sessionOfHandshake = (
  app: App,
  port: number,
  headers: IncomingHttpHeaders,
): string | undefined => (isOwnPage(app, port, headers) ? cookieOf(app, headers) : undefined);

const isOwnPage = (app: App, port: number, { origin }: IncomingHttpHeaders): boolean =>
  app.config.PAYGRAPH_DASHBOARD !== 'off' && origin !== undefined && ownOrigins(app, port).has(origin);

const cookieOf = (app: App, headers: IncomingHttpHeaders): string | undefined =>
  readCookie(headers, nameOf(app));

/** Returns the content of a cookie. Undefined without the cookie. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const found = cookie.split(/; */).find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

/**
 * Sets the cookie of a session, or removes it. Scripts cannot read the cookie, and no other site makes the browser send it. The
 * path includes `/graphql`.
 */
export function setSessionCookie(app: App, reply: FastifyReply, ticket: string | null): void {
  const secure = app.publicUrl.startsWith('https:') ? '; Secure' : '';
  const end = ticket === null ? '; Max-Age=0' : '';
  void reply.header(
    'set-cookie',
    `${nameOf(app)}=${ticket ?? ''}; Path=${pathOf(app)}${end}; HttpOnly; SameSite=Strict${secure}`,
  );
}

/** Returns the path of the public address. A proxy may serve Paygraph under a path. */
const pathOf = ({ publicUrl }: Pick<App, 'publicUrl'>): string => new URL(publicUrl).pathname;

/** Browsers share cookies between the ports of a host, so two sandboxes on one machine need different names. */
const nameOf = ({ publicUrl }: Pick<App, 'publicUrl'>): string =>
  `paygraph_session${new URL(publicUrl).port && `_${new URL(publicUrl).port}`}`;
