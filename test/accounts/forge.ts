import { createHmac, createPrivateKey, sign } from 'node:crypto';

/** Anything that could stand in a token's header or payload. */
export type Part = Readonly<Record<string, unknown>>;

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** What a signature is made over. A text is taken as it is, so that it can be no JSON. */
export const signingInput = (header: unknown, payload: unknown): string =>
  `${encode(header)}.${encode(payload)}`;

/** Puts parts together without any of a library's checks. */
export const assemble = (header: unknown, payload: unknown, signature: Buffer): string =>
  `${signingInput(header, payload)}.${signature.toString('base64url')}`;

/** How each kind of key signs, whatever the header says. */
const SIGNING = {
  ES256: { digest: 'sha256', dsaEncoding: 'ieee-p1363' },
  ES512: { digest: 'sha512', dsaEncoding: 'ieee-p1363' },
  EdDSA: { digest: null, dsaEncoding: 'ieee-p1363' },
  RS256: { digest: 'sha256', dsaEncoding: 'der' },
  RS512: { digest: 'sha512', dsaEncoding: 'der' },
} as const;

export type Signing = keyof typeof SIGNING;

/** A signature as the named algorithm makes it. */
export const signatureOf = (how: Signing, input: string, privateKeyPem: string): Buffer => {
  const { digest, dsaEncoding } = SIGNING[how];
  return sign(digest, Buffer.from(input), { key: createPrivateKey(privateKeyPem), dsaEncoding });
};

/** A token signed with a private key, with any header and payload. */
export const forge = (how: Signing, privateKeyPem: string, header: unknown, payload: unknown): string =>
  assemble(header, payload, signatureOf(how, signingInput(header, payload), privateKeyPem));

/** A token whose signature is a keyed hash. */
export const forgeHmac = (digest: string, secret: string, header: Part, payload: Part): string =>
  assemble(header, payload, createHmac(digest, secret).update(signingInput(header, payload)).digest());
