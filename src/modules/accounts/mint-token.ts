import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { JOSE_ALGORITHM, type ApiKeyAlgorithm } from './key-material.ts';
import { MERCHANT_ACCOUNT_CLAIM } from './token.ts';

export type TokenRequest = {
  /** PKCS #8. */
  readonly privateKeyPem: string;
  readonly algorithm: ApiKeyAlgorithm;
  /** Thumbprint of the public half. */
  readonly kid: string;
  readonly scopes: readonly string[];
  readonly issuer: string;
  /** At most 86 400. */
  readonly expiresInSeconds: number;
  readonly now: Date;
  /** Names this token; a new one each time. */
  readonly jti: string;
  /** Ties the token to one merchant account of its key. */
  readonly merchantAccountId?: string | undefined;
};

/** Signs an access token, valid from now on. Needs nothing of the service: whoever has the private key can. */
export async function mintToken(request: TokenRequest): Promise<string> {
  const { scopes, issuer, jti, merchantAccountId } = request;
  const nowS = Math.floor(request.now.getTime() / 1000);
  return await new SignJWT({
    scopes: [...scopes],
    ...(merchantAccountId && { [MERCHANT_ACCOUNT_CLAIM]: merchantAccountId }),
  })
    .setProtectedHeader({ typ: 'JWT', alg: JOSE_ALGORITHM[request.algorithm], kid: request.kid })
    .setIssuer(issuer)
    .setJti(jti)
    .setIssuedAt(nowS)
    .setNotBefore(nowS)
    .setExpirationTime(nowS + request.expiresInSeconds)
    .sign(createPrivateKey(request.privateKeyPem));
}
