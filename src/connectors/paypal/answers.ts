import { z } from 'zod';

const text = z.string().nullish().catch(null);

const link = z.object({ href: z.string(), rel: z.string() });

const links = z
  .array(link)
  .nullish()
  .catch(null)
  .transform((given) => given ?? []);

const detail = z.object({ issue: text, description: text, field: text });

/** The error of an answer. `issue` of the first detail says what is wrong. */
export const errorAnswer = z.object({
  name: z.string(),
  message: text,
  debug_id: text,
  details: z
    .array(detail)
    .nullish()
    .catch(null)
    .transform((given) => given ?? []),
  links,
});
export type PayPalError = z.output<typeof errorAnswer>;
