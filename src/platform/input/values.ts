import { isIP } from 'node:net';
import { z } from 'zod';
import { AMOUNT_MAX } from '../../kernel/money.ts';
import { refuseText } from './text.ts';
import { isWebAddress } from './web-address.ts';

// Schemas of single input values. Messages name the limit and never the value.

/** Returns a schema that turns an absent value into null. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);

export const pattern = (regex: RegExp, message: string) => z.string().regex(regex, message);

export const currency = pattern(/^[A-Z]{3}$/, 'Must be an ISO 4217 code such as USD.');
export const country = pattern(/^[A-Z]{2}$/, 'Must be an ISO 3166-1 code such as US.');
export const phoneNumber = pattern(/^\+[1-9]\d{1,14}$/, 'Must be in E.164 form, such as +14155550100.');

export const wholeNumber = (min: number, max: number) =>
  z.int('Must be a whole number.').min(min, `Must be ${min} or more.`).max(max, `Must be at most ${max}.`);

/** An amount whose minimum is another field. */
export const amountMost = z.int('Must be a whole number.').max(AMOUNT_MAX, `Must be at most ${AMOUNT_MAX}.`);

/** Returns the schema of an amount in minor units. */
export const amount = (min: number) => wholeNumber(min, AMOUNT_MAX);

/** The longest address. Browsers and servers everywhere accept about this length. */
const ADDRESS_LENGTH_MAX = 2048;

/** Returns the schema of an absolute https address. With `insecure`, http is valid too. */
export const webAddress = ({ insecure }: { readonly insecure: boolean }) => {
  const message = insecure ? 'Must be an http or https address.' : 'Must be an https address.';
  return z.string().superRefine((address, context) => {
    const refusal = isWebAddress(address, { insecure })
      ? refuseText(address, 1, ADDRESS_LENGTH_MAX)
      : message;
    if (refusal) context.addIssue({ code: 'custom', message: refusal });
  });
};

/** The longest form of an IPv6 address. Longer texts are not parsed. */
const IP_LENGTH_MAX = 45;

/** The IP address of a buyer. A zone index is refused, because it means nothing elsewhere. */
export const ipAddress = z
  .string()
  .refine(
    (given) => given.length <= IP_LENGTH_MAX && isIP(given) > 0 && !given.includes('%'),
    'Must be an IPv4 or IPv6 address.',
  );
