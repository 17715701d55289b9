import type { z } from 'zod';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';

/**
 * Checks an input against its schema and lists every failure with its path, for example `["input", "fields", "0",
 * "key"]`. Messages come from the schema and never repeat a value. Without a root, the input consists of several arguments.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  root: string | null = 'input',
): Result<z.output<Schema>, InvalidInput> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return ok(parsed.data);
  const [first, ...rest] = parsed.error.issues.map(({ path, message }) =>
    invalidInput([...(root === null ? [] : [root]), ...path.map(String)], message),
  );
  if (!first) throw new Error('A failed check without an issue');
  return refuse(first, ...rest);
}
