import { z } from 'zod';

/** `transaction.captured` itself, `transaction.*` for everything below a word, or `*` for every event. */
const PATTERN = /^(\*|[a-z0-9-]+(\.[a-z0-9-]+)*\.([a-z0-9-]+|\*))$/;

const PATTERN_MAX = 50;
const PATTERN_LENGTH_MAX = 100;

/** A list of event names and patterns. An empty list means every event. */
export const eventNamePatterns = z
  .array(
    z
      .string()
      .max(PATTERN_LENGTH_MAX, `Must be at most ${PATTERN_LENGTH_MAX} characters.`)
      .regex(
        PATTERN,
        'Must be an event name such as transaction.captured, a pattern such as transaction.*, or *.',
      ),
  )
  .max(PATTERN_MAX, `Give at most ${PATTERN_MAX}.`);

/** Returns true if a name matches the patterns. */
export const matchesName = (patterns: readonly string[], name: string): boolean =>
  patterns.length === 0 ||
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  );
