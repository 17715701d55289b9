import { z } from 'zod';

/**
 * A text that only describes an answer. A number is taken as text. A value of another form is none, so that it never hides a
 * decision.
 */
export const looseText = z
  .union([z.string().min(1), z.number().transform((number) => String(number))])
  .nullish()
  .catch(null);
