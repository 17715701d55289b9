import type { GraphQLError } from 'graphql';
import type { StartRefusal } from '../../../modules/events/index.ts';
import { coded, cursorExpired, invalidArguments } from '../../errors.ts';

/** Returns the error of refused arguments, because queries and subscriptions have no userErrors. */
export function feedError(refusals: readonly StartRefusal[]): GraphQLError {
  const invalid = refusals.filter((refusal) => refusal.kind === 'InvalidInput');
  if (invalid.length > 0) return invalidArguments(invalid);
  const expired = refusals.find((refusal) => refusal.kind === 'CursorExpired');
  if (expired) return cursorExpired(expired.earliestCursor);
  const restored = refusals.find((refusal) => refusal.kind === 'FeedRestored');
  if (restored) {
    const { continueCursor } = restored;
    return coded(
      'FEED_RESTORED',
      'The event before this cursor was lost in a restore from a backup. Continue from extensions.continueCursor. Events that you know may come again.',
      { continueCursor },
    );
  }
  return coded('CURSOR_AHEAD', 'The feed ends before this cursor. Read the feed from the beginning.');
}
