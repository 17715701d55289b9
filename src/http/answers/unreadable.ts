import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { protectiveHeaders } from './headers.ts';
import { refuseRequest } from './error-body.ts';
import { refusedByTransport, type Refused } from './replies.ts';

const UNREADABLE: Refused = { status: 400, code: 'BAD_REQUEST', message: 'The request could not be read.' };

/** Refuses a request whose address cannot be read, such as `/%`. No hook runs for such a request. */
export const refuseAddress =
  (app: App) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void reply.headers(
      Object.fromEntries([...protectiveHeaders(app.publicUrl), ['x-request-id', request.id]]),
    );
    void refuseRequest(request, reply, refusedByTransport(error) ?? UNREADABLE);
  };

/** Refuses bytes that are no HTTP request, and a request that arrives too slowly. Then closes the connection. */
export const refuseBytes =
  (app: App) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [status, { code, message }] = answerTo(error.code);
    const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
    const headers = [
      ...protectiveHeaders(app.publicUrl),
      ['x-request-id', app.ids.uuid()],
      ['content-type', 'application/json; charset=utf-8'],
      ['content-length', String(Buffer.byteLength(body))],
      ['connection', 'close'],
    ];
    const lines = headers.map(([name, value]) => `${name}: ${value}`);
    if (socket.writable) socket.write([`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n'));
    socket.destroySoon();
  };

type Said = Pick<Refused, 'code' | 'message'>;

function answerTo(code: string | undefined): readonly [string, Said] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['408 Request Timeout', { code: 'BAD_REQUEST', message: 'The request took too long to arrive.' }];
  if (code === 'HPE_HEADER_OVERFLOW')
    return [
      '431 Request Header Fields Too Large',
      { code: 'BAD_REQUEST', message: 'The headers are too large.' },
    ];
  return ['400 Bad Request', UNREADABLE];
}
