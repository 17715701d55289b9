import { z } from 'zod';

/** The longest value of a filter. No id or action is longer. */
const TEXT_MAX = 255;

const value = z
  .string()
  .refine(
    (text) => text.length <= TEXT_MAX && !text.includes('\0'),
    `Must be at most ${TEXT_MAX} characters.`,
  )
  .nullish();

/** The filter of a list of entries. An absent value filters nothing. */
export const auditFilter = z.object({
  actor: value,
  actorSubject: value,
  action: value,
  targetId: value,
  from: z.date().nullish(),
  to: z.date().nullish(),
});
