import type { GraphContext } from '../context.ts';
import { isGranted } from '../federation/scopes.ts';
import { argumentNeedsScope } from '../errors.ts';

/**
 * Throws FORBIDDEN if a filter asks about names, addresses or contact data of buyers and the token lacks `buyers.read`. The
 * number of matches would answer the question. Ids of buyers need no scope, because records and events show the ids.
 *
 * - `path`: the names from the argument to the filter.
 */
export function refuseBuyerFilters(
  context: GraphContext,
  filter: { readonly buyerEmailAddress?: unknown; readonly search?: unknown } | null | undefined,
  path: readonly string[] = ['filter'],
): void {
  if (isGranted(context, BUYERS_READ)) return;
  for (const name of ['buyerEmailAddress', 'search'] as const)
    if (filter?.[name] != null) throw argumentNeedsScope([...path, name], BUYERS_READ);
}

const BUYERS_READ = [['buyers.read']];
