import { coversAny } from '../../kernel/scope.ts';
import type { GraphContext } from '../context.ts';
import { missingScope } from '../errors.ts';

/** The scopes that a field requires: every scope of at least one group. */
export type ScopeGroups = readonly (readonly string[])[];

/** The scope for the fingerprints of cards and accounts. Fields declare the scope in the SDL. */
const FINGERPRINTS: ScopeGroups = [['card-fingerprints.read']];

/** Throws FORBIDDEN for a filter by fingerprint unless the viewer's token may read fingerprints. */
export function requireFingerprints(context: GraphContext, filter: string | null | undefined): void {
  if (filter != null) requireScopes(context, FINGERPRINTS);
}

/** Throws FORBIDDEN unless the viewer's token has every scope of one group. The error names the missing scopes. */
export function requireScopes(context: GraphContext, groups: ScopeGroups): void {
  if (!isGranted(context, groups)) throw missingScope(groups);
}

/** True if the viewer's token has every scope of one group. */
export const isGranted = ({ viewer }: GraphContext, groups: ScopeGroups): boolean =>
  groups.some((group) => group.every((scope) => coversAny(viewer.scopes, scope)));
