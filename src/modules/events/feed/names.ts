import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { EVENT_NAMES } from '../../event-log/index.ts';

/** `transaction.captured` itself, `transaction.*` for everything below a word, or `*` for every event. */
const PATTERN = /^(\*|[a-z0-9-]+(\.[a-z0-9-]+)*\.([a-z0-9-]+|\*))$/;

const PATTERN_MAX = 50;
const PATTERN_LENGTH_MAX = 100;

/**
 * A list of event names and patterns. An empty list means every event. Refuses a name that no event has, and a pattern
 * that matches no name.
 */
export const eventNamePatterns = z
  .array(
    z
      .string()
      .max(PATTERN_LENGTH_MAX, `Must be at most ${PATTERN_LENGTH_MAX} characters.`)
      .regex(
        PATTERN,
        'Must be an event name such as transaction.captured, a pattern such as transaction.*, or *.',
      )
      // A malformed name gets the refusal above alone.
      .refine((pattern) => !isWellFormed(pattern) || isReal(pattern), {
        error: ({ input }) =>
          `No event has such a name. Did you mean ${nearest(String(input))}? The query eventTypes lists all names.`,
      }),
  )
  .max(PATTERN_MAX, `Give at most ${PATTERN_MAX}.`);

/** Returns true if a name matches the patterns. */
export const matchesName = (patterns: readonly string[], name: string): boolean =>
  patterns.length === 0 ||
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  );

const isWellFormed = (pattern: string): boolean =>
  pattern.length <= PATTERN_LENGTH_MAX && PATTERN.test(pattern);

const isReal = (pattern: string): boolean => EVENT_NAMES.some((name) => matchesName([pattern], name));

/** Returns the most similar name, or the most similar pattern of whole groups. */
const nearest = (pattern: string): string => closest(pattern, pattern.endsWith('*') ? GROUPS : EVENT_NAMES);

/** A pattern for each word before a dot, for example `recurring.*` and `recurring.token.*`. */
const GROUPS: readonly string[] = [
  ...new Set(
    EVENT_NAMES.flatMap((name) => {
      const words = name.split('.').slice(0, -1);
      return words.map((_, last) => `${words.slice(0, last + 1).join('.')}.*`);
    }),
  ),
];
