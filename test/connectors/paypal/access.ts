import { HOUR_MS } from './world.ts';
import type { DoubleRequest } from '../double-server.ts';

const LIFETIME_MS = 9 * HOUR_MS;

export type Access = ReturnType<typeof createAccess>;

/** Gives the access tokens of a client. */
export function createAccess(given: {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly clientId: string;
  readonly clientSecret: string;
}) {
  const untilMs = new Map<string, number>();
  let issued = 0;
  const basic = `Basic ${Buffer.from(`${given.clientId}:${given.clientSecret}`).toString('base64')}`;
  return {
    /** The number of issued tokens. */
    issued: () => issued,
    /** Answers a request for a token. */
    issue: ({ headers, body }: DoubleRequest): { readonly status: number; readonly body: object } => {
      if (headers['authorization'] !== basic)
        return {
          status: 401,
          body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
        };
      const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
      if (!isForm || new URLSearchParams(body).get('grant_type') !== 'client_credentials')
        return {
          status: 400,
          body: { error: 'unsupported_grant_type', error_description: 'Grant Type is NULL' },
        };
      const access_token = `A21AA${given.newId()}`;
      issued += 1;
      untilMs.set(access_token, given.now().getTime() + LIFETIME_MS);
      return {
        status: 200,
        body: {
          ...{ scope: 'https://uri.paypal.com/services/payments/payment', access_token },
          ...{ token_type: 'Bearer', app_id: 'APP-80W284485P519543T', expires_in: LIFETIME_MS / 1000 },
          nonce: `${given.now().toISOString()}nonce`,
        },
      };
    },
    /** Returns why a request is refused, or null. */
    refuse: ({ headers }: DoubleRequest): object | null => {
      const [scheme, token = ''] = (headers['authorization'] ?? '').split(' ');
      const until = untilMs.get(token);
      if (scheme === 'Bearer' && until !== undefined && given.now().getTime() < until) return null;
      return {
        error: 'invalid_token',
        error_description:
          until === undefined ? 'Access Token not found in cache' : 'The token has expired or is invalid',
      };
    },
    /** Ends every token that was issued so far. */
    revoke: () => untilMs.clear(),
  };
}
