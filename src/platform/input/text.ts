import { z } from 'zod';

/** Returns the schema of a text that may be stored, with bounds in characters. Messages do not repeat the text. */
export const text = (min: number, max: number) =>
  z
    .string()
    .superRefine((value, context) => {
      const message = refuseText(value, min, max);
      if (message) context.addIssue({ code: 'custom', message });
    })
    .meta({ minLength: min, maxLength: max });

/**
 * Returns why a text may not be stored, as a sentence. Null when it may. Lengths are in characters, not UTF-16 units.
 */
export function refuseText(value: string, min: number, max: number): string | null {
  const lengthMessage = `Must be ${min} to ${max} characters.`;
  // Units are counted first, so that a huge text is not split.
  if (value.length > 2 * max) return lengthMessage;
  const { length } = Array.from(value);
  if (length < min || length > max) return lengthMessage;
  // Postgres stores neither U+0000 nor half a surrogate pair. No name needs a control character.
  if (CONTROL.test(value)) return 'Must not contain control characters.';
  return value.isWellFormed() ? null : 'Must not contain half a surrogate pair.';
}

/** Tab and line breaks are allowed. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;
