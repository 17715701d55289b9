import type { CustomFetch } from 'openid-client';
import type { App } from '../../../app.ts';
import { OperatorError } from '../../../platform/operator-error.ts';

const DEADLINE_MS = 10_000;

/** The keys and the description of a provider are some kilobytes. */
const REPLY_BYTES_MAX = 512 * 1024;

/**
 * Returns a fetch over the client for outbound requests, which checks addresses and follows no redirect. Throws an OperatorError
 * without an answer.
 */
export const fetchOver =
  ({ http }: Pick<App, 'http'>): CustomFetch =>
  async (url, { method, headers, body }) => {
    const given = body == null ? null : await new Response(body).text();
    const answer = await http.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(given !== null && { body: given }),
      ...{ deadlineMs: DEADLINE_MS, replyBytesMax: REPLY_BYTES_MAX, pool: 'oidc' },
    });
    if ('failure' in answer)
      throw new OperatorError(
        `The identity provider did not answer (${answer.failure.kind}). See PAYGRAPH_OIDC_ISSUER and PAYGRAPH_ALLOWED_NETWORKS.`,
      );
    const { reply } = answer;
    const isEmpty = reply.status === 204 || reply.status === 304;
    return new Response(isEmpty ? null : reply.body, { status: reply.status, headers: { ...reply.headers } });
  };
