import { randomUUID } from 'node:crypto';

/** The OAuth part of a fake provider: it issues access tokens and knows the valid ones. */
export type TokenIssuer = {
  /** The reply to a request for a token. Null refuses the credentials. */
  issue(request: Readonly<Record<string, unknown>>): string | null;
  /** True for a request with a valid token. */
  accepts(authorization: string | undefined): boolean;
  /** Makes all tokens invalid before their end. */
  revoke(): void;
  /** The number of issued tokens. */
  issued(): number;
};

export type Client = { readonly id: string; readonly secret: string; readonly lifetimeSeconds: number };

export function createTokenIssuer({ id, secret, lifetimeSeconds }: Client): TokenIssuer {
  const valid = new Set<string>();
  let count = 0;
  return {
    issue: ({ client_id, client_secret }) => {
      if (client_id !== id || client_secret !== secret) return null;
      count += 1;
      const token = randomUUID();
      valid.add(token);
      return JSON.stringify({ access_token: token, expires_in: lifetimeSeconds });
    },
    accepts: (authorization) => valid.has(authorization?.replace(/^Bearer /, '') ?? ''),
    revoke: () => valid.clear(),
    issued: () => count,
  };
}
