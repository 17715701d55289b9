import { coversAny } from '../../kernel/scope.ts';
import type { GraphContext } from '../context.ts';
import { missingScope } from '../errors.ts';

/** The scopes that a field requires: every scope of at least one group. */
export type ScopeGroups = readonly (readonly string[])[];

/** Throws FORBIDDEN unless the viewer's token has every scope of one group. The error names the missing scopes. */
export function requireScopes(context: GraphContext, groups: ScopeGroups): void {
  const granted = context.viewer.scopes;
  if (!groups.some((group) => group.every((scope) => coversAny(granted, scope)))) throw missingScope(groups);
}
