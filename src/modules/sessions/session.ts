import { createHash } from 'node:crypto';
import { equalTexts } from '../../platform/equal-texts.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Role } from './role.ts';

/** A person who is signed in at the dashboard. */
export type Session = {
  readonly merchantAccountId: string;
  readonly id: string;
  /** The name of the person, for the audit log. */
  readonly person: string;
  /** The record of the person. Null for the visitor of a sandbox. */
  readonly personId: string | null;
  readonly role: Role;
  readonly signedInWith: SignedInWith;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly digest: string;
  readonly formerDigest: string | null;
  readonly rotatedAt: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
};

/** The way in which a person signed in. */
export type SignedInWith = 'sandbox' | 'password' | 'recovery_code' | 'passkey' | 'oidc';

/** The content of a session's cookie: the id and the secret, with a dot between. */
export type Ticket = { readonly id: string; readonly secret: string };

/** A session ends after this time, whatever its person does. */
export const LIFETIME_MS = 12 * 3_600_000;

/** A renewal gives an older secret a successor. */
export const ROTATION_MS = 15 * 60_000;

/** Requests under way may carry the former secret for this time. */
export const FORMER_MS = 60_000;

/** Reads the content of a cookie. Null for any other text, so that it never reaches the database. */
export function readTicket(text: string): Ticket | null {
  const [id = '', secret = '', ...rest] = text.split('.');
  return rest.length === 0 && isUuid(id) && SECRET.test(secret) ? { id, secret } : null;
}

const SECRET = /^[\w-]{43}$/;

/** Writes the content of a cookie. */
export const writeTicket = ({ id, secret }: Ticket): string => `${id}.${secret}`;

/** Returns the digest under which a secret is stored. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** The part of a session that a secret proves: `current`, `former` shortly after a rotation, or null. */
export function proves(session: Session, secret: string, now: Date): 'current' | 'former' | null {
  if (session.endedAt !== null || session.expiresAt <= now) return null;
  const given = digestOf(secret);
  if (equalTexts(given, session.digest)) return 'current';
  const isRecent = now.getTime() - session.rotatedAt.getTime() < FORMER_MS;
  return session.formerDigest !== null && isRecent && equalTexts(given, session.formerDigest)
    ? 'former'
    : null;
}
