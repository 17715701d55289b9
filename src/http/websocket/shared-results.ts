import type { ExecutionResult } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Viewer } from '../../app.ts';

type Running = ExecutionResult | Promise<ExecutionResult>;

/** Runs an operation for an event, or answers what the same operation gave for the same event before. */
export type SharedResults = (event: unknown, operation: string, run: () => Running) => Running;

/**
 * Lets the subscribers that are told the same event by the same operation share one execution. Shared is only what was
 * there without waiting and without an error: nothing was loaded for it, so that it says no more than the event itself,
 * which never changes. What shows the present of a record is executed for each.
 */
export function createSharedResults(): SharedResults {
  const known = new LRUCache<object, Map<string, ExecutionResult>>({ max: EVENTS_MAX });
  return (event, operation, run) => {
    if (typeof event !== 'object' || event === null) return run();
    const results = known.get(event) ?? new Map<string, ExecutionResult>();
    const result = results.get(operation) ?? run();
    if (!(result instanceof Promise) && !result.errors && !results.has(operation)) {
      results.set(operation, result);
      known.set(event, results);
    }
    return result;
  };
}

/** Subscribers that read promptly are at nearly the same event; one that is far behind runs its own. */
const EVENTS_MAX = 256;

/** What an operation is known by: all that a resolver can see beside the event. */
export const operationKey = (
  query: string,
  operationName: string | null | undefined,
  variables: unknown,
  { merchantAccountId, apiKeyPairId, scopes }: Viewer,
): string => JSON.stringify([merchantAccountId, apiKeyPairId, scopes, operationName, variables, query]);
