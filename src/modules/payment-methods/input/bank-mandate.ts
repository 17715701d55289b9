import { z } from 'zod';
import type { Mandate } from '../../../connectors/interface/requests.ts';
import { text } from '../../../platform/input/text.ts';
import { ipAddress, optional, pattern } from '../../../platform/input/values.ts';
import type { Ask } from './card.ts';

/** The characters of SEPA that a mandate reference may have (EPC rulebook, AT-01). */
const REFERENCE = /^[A-Za-z0-9+?/:().,'-]{1,35}$/;

/** The clock of a merchant may be ahead of ours. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Parses the mandate of a bank account, with its evidence.
 *
 * `ask` refuses a moment that is more than five minutes in the future.
 */
export const bankMandate = (ask: Ask) =>
  z
    .object({
      reference: pattern(
        REFERENCE,
        "Must be 1 to 35 letters, digits or + ? / : ( ) . , ' -, without spaces.",
      ),
      text: optional(text(1, 10_000)),
      acceptedAt: z
        .date()
        .refine(
          (moment) => ask((now) => moment.getTime() <= now.getTime() + CLOCK_SKEW_MS),
          'Must not be in the future.',
        ),
      ipAddress: optional(ipAddress),
      userAgent: optional(text(1, 2048)),
    })
    .transform((given): Mandate => ({ ...given, acceptedAt: given.acceptedAt.toISOString() }));
