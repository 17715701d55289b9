import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { optional, wholeNumber } from '../../../platform/input/values.ts';

const HOURS_14 = 14 * 60;

/**
 * The browser of a buyer. The values that only a script knows are required exactly when scripts run.
 * Browsers without scripts cannot give them.
 */
export const browserInfo = z
  .object({
    acceptHeader: optional(text(1, 2048)),
    userAgent: text(1, 2048),
    userDevice: z.enum(['desktop', 'mobile']),
    language: text(1, 35),
    javascriptEnabled: z.boolean(),
    javaEnabled: optional(z.boolean()),
    colorDepth: optional(wholeNumber(1, 64)),
    screenHeight: optional(wholeNumber(0, 999_999)),
    screenWidth: optional(wholeNumber(0, 999_999)),
    timeZoneOffset: optional(wholeNumber(-HOURS_14, HOURS_14)),
  })
  .superRefine((given, context) => {
    for (const name of OF_SCRIPTS) {
      if (!given.javascriptEnabled || given[name] !== null) continue;
      const message = 'Must be given when javascriptEnabled is true.';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });

const OF_SCRIPTS = ['javaEnabled', 'colorDepth', 'screenHeight', 'screenWidth', 'timeZoneOffset'] as const;
