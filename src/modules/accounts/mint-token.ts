import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { JOSE_ALGORITHM, type ApiKeyAlgorithm } from './key-material.ts';
import { MERCHANT_ACCOUNT_CLAIM } from './token.ts';

export type TokenRequest = {
  /** The private key as PKCS #8. */
  readonly privateKeyPem: string;
  readonly algorithm: ApiKeyAlgorithm;
  /** The thumbprint of the public key. */
  readonly kid: string;
  readonly scopes: readonly string[];
  readonly issuer: string;
  /** At most 86 400. */
  readonly expiresInSeconds: number;
  readonly now: Date;
  /** The id of this token. Each token needs a new id. */
  readonly jti: string;
  /** The only merchant account of the token, if the key has several. */
  readonly merchantAccountId?: string | undefined;
};

/** Signs an access token that is valid from now on. Uses only the private key, and no database. */
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
