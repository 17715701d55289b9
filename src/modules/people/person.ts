import type { Role } from '../sessions/index.ts';

/** A person who may sign in at the dashboard of one merchant account. */
export type Person = {
  readonly merchantAccountId: string;
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  /**
   * - `invited`: the person has no means to sign in yet.
   * - `active`: the person may sign in.
   * - `suspended`: the person may not, and sessions count no more.
   */
  readonly state: 'invited' | 'active' | 'suspended';
  /** The issuer and the subject at an identity provider. Null for a local account. */
  readonly subject: string | null;
  /** True if the person has a password, with one-time codes. */
  readonly hasPassword: boolean;
  readonly passkeyCount: number;
  readonly recoveryCodesLeft: number;
  readonly invitationExpiresAt: Date | null;
  readonly signedInAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The secrets of a local account, for the module alone. */
export type Secrets = {
  readonly passwordHash: string | null;
  readonly sealedTotp: string | null;
  readonly invitationDigest: string | null;
};

/** An e-mail address: one at sign, no space, at most 254 characters. The invitation proves nothing more. */
export const EMAIL = /^(?=.{3,254}$)[^\s@\u0000-\u001f]{1,64}@[^\s@\u0000-\u001f]+$/;

/** Returns the stored form of an e-mail address. */
export const emailOf = (text: string): string => text.trim().toLowerCase();

/** An invitation is valid for this time. */
export const INVITATION_MS = 72 * 3_600_000;
