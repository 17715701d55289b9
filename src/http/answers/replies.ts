import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The media type of GraphQL over HTTP. With this type, a status other than 200 is the server's answer about the
 * operation.
 */
export const RESPONSE_JSON = 'application/graphql-response+json; charset=utf-8';
const PLAIN_JSON = 'application/json; charset=utf-8';

/** Returns the newer media type for a caller that names it, and plain JSON for others. */
export const mediaTypeFor = (accept: string | undefined): string =>
  accept?.includes('application/graphql-response+json') ? RESPONSE_JSON : PLAIN_JSON;

/** The refusal of a request that never becomes an operation. Holds nothing of the request. */
export type Refused = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Values for programs, beside the code. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Answers with a GraphQL error body, so that a client finds every refusal where it looks for errors. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refused: Refused): FastifyReply {
  const { status, code, message, extensions = {}, headers = {} } = refused;
  return reply
    .code(status)
    .headers(headers)
    .type(mediaTypeFor(request.headers.accept))
    .send(JSON.stringify({ errors: [{ message, extensions: { code, ...extensions } }] }));
}

/** Refuses a request with a transport fault, in Paygraph's words. Fastify's own message may quote the request. */
export function refusedByTransport(error: {
  readonly code?: string;
  readonly statusCode?: number;
}): Refused | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return {
        status: 413,
        code: 'BAD_REQUEST',
        message: `The body is larger than ${BODY_BYTES_MAX / 1024} KB.`,
      };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return {
        status: 415,
        code: 'BAD_REQUEST',
        message: 'Send the operation with content-type application/json.',
      };
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return { status: 400, code: 'BAD_REQUEST', message: 'The body is not valid JSON.' };
    default:
  }
  const status = error.statusCode ?? 500;
  return status < 500 ? { status, code: 'BAD_REQUEST', message: 'The request could not be read.' } : null;
}

/** Room for some hundred list elements of input. Card data and provider credentials are a few kilobytes. */
export const BODY_BYTES_MAX = 256 * 1024;
