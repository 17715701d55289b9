import type { ExecutionResult } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Viewer } from '../../app.ts';

type Running = ExecutionResult | Promise<ExecutionResult>;

/** Runs an operation for an event, or returns the earlier result of the same operation for the same event. */
export type SharedResults = (event: unknown, operation: string, run: () => Running) => Running;

/**
 * Shares one execution among subscribers that receive the same event by the same operation. Shares only results that
 * came without waiting and without an error. Such a result needed no load, so it depends on the event alone, which
 * never changes. Results with a record's current state are computed for each subscriber.
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

/** Subscribers that read promptly are at nearly the same event. A subscriber far behind runs its own operation. */
const EVENTS_MAX = 256;

/** Returns the identity of an operation: all that a resolver can see beside the event. */
export const operationKey = (
  query: string,
  operationName: string | null | undefined,
  variables: unknown,
  { merchantAccountId, apiKeyPairId, scopes }: Viewer,
): string => JSON.stringify([merchantAccountId, apiKeyPairId, scopes, operationName, variables, query]);
