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
  filter: { readonly [Name in (typeof ABOUT_BUYERS)[number]]?: unknown } | null | undefined,
  path: readonly string[] = ['filter'],
): void {
  if (isGranted(context, BUYERS_READ)) return;
  for (const name of ABOUT_BUYERS)
    if (filter?.[name] != null) throw argumentNeedsScope([...path, name], BUYERS_READ);
}

const ABOUT_BUYERS = ['buyerEmailAddress', 'search', 'contains'] as const;
const BUYERS_READ = [['buyers.read']];

/**
 * Throws FORBIDDEN if a filter asks about disputes and the token lacks `disputes.read`.
 *
 * - `path`: the names from the argument to the filter.
 */
export function refuseDisputeFilter(
  context: GraphContext,
  filter: { readonly disputed?: unknown } | null | undefined,
  path: readonly string[] = ['filter'],
): void {
  if (filter?.disputed != null && !isGranted(context, DISPUTES_READ))
    throw argumentNeedsScope([...path, 'disputed'], DISPUTES_READ);
}

const DISPUTES_READ = [['disputes.read']];

/** Throws FORBIDDEN if the input of a payment link names its routing rules and the token may not activate any. */
export function refuseRoutingVersion(
  context: GraphContext,
  input: { readonly routingVersionId?: unknown },
): void {
  if (input.routingVersionId != null && !isGranted(context, ACTIVATIONS_WRITE))
    throw argumentNeedsScope(['input', 'routingVersionId'], ACTIVATIONS_WRITE);
}

const ACTIVATIONS_WRITE = [['routing-activations.write']];
