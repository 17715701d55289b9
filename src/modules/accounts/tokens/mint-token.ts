import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { JOSE_ALGORITHM, type ApiKeyAlgorithm } from '../model/key-material.ts';
import { withoutWildcards } from '../model/scopes.ts';
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
  /** The claim `sub`: the person or program that the token is for. The audit log shows it. */
  readonly subject?: string | undefined;
  /** The claim `aud`: the installation that the token is for. Without the claim, every installation with the key. */
  readonly audience?: string | undefined;
  /** The claim `act` of RFC 8693: the party that acts for the subject. */
  readonly act?: object | undefined;
};

/**
 * Signs an access token that is valid from now on. Uses only the private key, and no database. The claim `scope` repeats the
 * scopes for routers, which know no wildcards.
 */
export async function mintToken(request: TokenRequest): Promise<string> {
  const { scopes, issuer, jti, merchantAccountId, subject, act } = request;
  const nowS = Math.floor(request.now.getTime() / 1000);
  return await new SignJWT({
    scopes: [...scopes],
    scope: withoutWildcards(scopes).join(' '),
    ...(merchantAccountId && { [MERCHANT_ACCOUNT_CLAIM]: merchantAccountId }),
    ...(subject !== undefined && { sub: subject }),
    ...(request.audience !== undefined && { aud: request.audience }),
    ...(act && { act }),
  })
    .setProtectedHeader({ typ: 'JWT', alg: JOSE_ALGORITHM[request.algorithm], kid: request.kid })
    .setIssuer(issuer)
    .setJti(jti)
    .setIssuedAt(nowS)
    .setNotBefore(nowS)
    .setExpirationTime(nowS + request.expiresInSeconds)
    .sign(createPrivateKey(request.privateKeyPem));
}
