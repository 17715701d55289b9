import { coded } from '../../graph/errors.ts';
import type { ConnectionLimit } from './connection-limits.ts';
import { onIteratorEnd } from './on-iterator-end.ts';
import type { Operation, Operations } from './operations.ts';

/** Starts a subscription if the merchant account may have one more, and counts it until it ends. */
export async function subscribeWithinLimit(
  operation: Operation,
  operations: Operations,
  limit: ConnectionLimit,
): ReturnType<Operations['subscribe']> {
  const leave = limit.take(operation.contextValue.viewer.merchantAccountId);
  if (!leave) {
    const message = 'The merchant account has too many subscriptions. End some, or try again later.';
    return { errors: [coded('TOO_MANY_SUBSCRIPTIONS', message)] };
  }
  try {
    const started = await operations.subscribe(operation);
    if (Symbol.asyncIterator in started) return onIteratorEnd(started, leave);
    leave();
    return started;
  } catch (fault) {
    leave();
    throw fault;
  }
}
