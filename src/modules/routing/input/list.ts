import { z } from 'zod';
import { VALUES_MAX } from '../model/limits.ts';

/** Returns the schema of a list of values. An empty list would meet nothing. */
export const list = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(schema).min(1, 'Give at least one value.').max(VALUES_MAX, `Give at most ${VALUES_MAX} values.`);
