import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { country, optional, pattern, phoneNumber } from '../../../platform/input/values.ts';

/** A text for a statement. Card schemes print only these characters and require a letter. */
const printed = pattern(
  /^(?=.*[A-Za-z])[A-Za-z0-9 .,_\-?+/]{5,22}$/,
  'Must be 5 to 22 letters A to Z, digits, spaces and . , _ - ? + / with at least one letter.',
);

/** The text on the buyer's statement. */
export const statementDescriptor = z.object({
  name: optional(printed),
  description: optional(printed),
  city: optional(text(1, 50)),
  country: optional(country),
  phoneNumber: optional(phoneNumber),
  url: optional(text(1, 50)),
  postalCode: optional(text(1, 50)),
});
