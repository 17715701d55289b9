import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../../platform/ids.ts';
import { sendRefusal, type Refused } from './replies.ts';

/** A part of an error, as the contract's error bodies have it. */
export type Detail = {
  readonly location: 'query' | 'body' | 'path' | 'header' | 'unknown';
  /** A JSON pointer below the location. */
  readonly pointer: string;
  readonly message: string;
  readonly type: string;
};

/** An error of every path but those of GraphQL. */
export type RestError = {
  readonly status: number;
  /** The code of the contract's error bodies, for example `bad_request`. */
  readonly code: string;
  /** The finer reason, in lower case: a code of the graph, for example `capture_too_large`. */
  readonly reason: string;
  readonly message: string;
  readonly details: readonly Detail[];
  /** The id of the record that has the value already. */
  readonly resourceId?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Sends an error in the contract's form, or as a problem of RFC 9457 if the caller prefers `application/problem+json`.
 */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: RestError): FastifyReply {
  const { status, code, reason, message, details, resourceId, headers = {} } = error;
  const resource = resourceId === undefined ? {} : { resource_id: resourceId };
  void reply.code(status).headers(headers);
  if (!prefersProblem(request.headers.accept))
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ type: 'error', code, status, reason, message, details, ...resource }));
  const problem = { type: 'about:blank', title: STATUS_CODES[status], status, detail: message };
  // A caller's own id may have any form, so the fragment of the request's address has it.
  const instance = isUuid(request.id) ? `urn:uuid:${request.id}` : `#${encodeURIComponent(request.id)}`;
  return reply
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify({ ...problem, instance, code, reason, errors: details, ...resource }));
}

/** True if the caller names the media type of problems. JSON has an equal claim only if it comes first. */
function prefersProblem(accept = ''): boolean {
  const types = accept.split(',').map((each) => each.trim().split(';')[0]);
  const [problem, json] = ['application/problem+json', 'application/json'].map((type) => types.indexOf(type));
  return problem !== undefined && problem >= 0 && (json === undefined || json < 0 || problem < json);
}

/** The codes of the contract by status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'concurrent_request',
  410: 'gone',
  413: 'bad_request',
  415: 'bad_request',
  421: 'misdirected_request',
  429: 'too_many_requests',
  500: 'server_error',
  502: 'bad_gateway',
  503: 'server_error',
  504: 'gateway_timeout',
};

/** Returns an error without details. */
export const errorOf = (status: number, reason: string, message: string): RestError => ({
  ...{ status, code: CODES[status] ?? 'bad_request', reason, message, details: [] },
});

/** Returns the error for a request that the server refuses before any operation. */
export const ofTransport = ({ status, code, message, headers = {} }: Refused): RestError => ({
  ...errorOf(status, code.toLowerCase(), message.replace('extensions.retryAfterSeconds', 'Retry-After')),
  ...(message === 'The body is not valid JSON.' && { code: 'incorrect_json' }),
  ...(code === 'OPERATION_NOT_ALLOWED' && { code: 'bad_request' }),
  headers,
});

/** Refuses a request in the form of its address. Graphs have the form of GraphQL, and all others that of the REST paths. */
export const refuseRequest = (request: FastifyRequest, reply: FastifyReply, refused: Refused): FastifyReply =>
  OF_GRAPHS.test(request.url)
    ? sendRefusal(request, reply, refused)
    : sendError(request, reply, ofTransport(refused));

/** The dashboard reads GraphQL, so its own paths have the same form. */
const OF_GRAPHS = /^\/(graphql|subgraphs|dashboard)\b/;
