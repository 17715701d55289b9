import { isMerchantAccountId } from '../../accounts/index.ts';
import type { Role } from '../../sessions/index.ts';
import { EMAIL, emailOf } from '../person.ts';

/** The claims of an identity provider about a person, in our words. */
export type Grant = {
  readonly merchantAccountId: string;
  readonly role: Role;
  /** The e-mail address, or else the subject. The name in the audit log. */
  readonly email: string;
  /** The issuer and the subject. */
  readonly subject: string;
};

/** The role that a group has in a merchant account. */
export type GroupRole = { readonly group: string; readonly role: Role; readonly merchantAccountId: string };

/** Reads `group=role` or `group=role@merchant-account`. Null for any other text. A group may hold an equals sign. */
export function readGroupRole(text: string): GroupRole | null {
  const [, group, role, merchantAccountId = 'default'] =
    /^(.+)=(owner|developer|support|analyst)(?:@([^@=]+))?$/.exec(text) ?? [];
  if (group === undefined || role === undefined || !isMerchantAccountId(merchantAccountId)) return null;
  // The expression allows no other role.
  return { group, role: role as Role, merchantAccountId };
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss?: unknown; readonly sub?: unknown };

/** Returns the grant of the first rule whose group the person has. Null without such a group. */
export function grantOf(claims: Claims, rules: readonly string[], claim: string): Grant | null {
  const groups = listOf(claims[claim]);
  const rule = rules.map(readGroupRole).find((each) => each !== null && groups.includes(each.group));
  if (!rule || typeof claims.iss !== 'string' || typeof claims.sub !== 'string') return null;
  const { role, merchantAccountId } = rule;
  const { email, email_verified: verified } = claims;
  const isAddress = typeof email === 'string' && verified !== false && EMAIL.test(emailOf(email));
  const subject = `${claims.iss} ${claims.sub}`;
  return { merchantAccountId, role, email: isAddress ? emailOf(email) : claims.sub, subject };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
