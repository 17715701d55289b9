import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { isWebAddress } from '../../../platform/input/web-address.ts';

/** Card schemes, as CardScheme of the schema in lower case. */
export const CARD_SCHEMES = [
  'accel',
  'amex',
  'bancontact',
  'carte_bancaire',
  'cirrus',
  'culiance',
  'dankort',
  'diners_club',
  'discover',
  'eftpos_australia',
  'elo',
  'hipercard',
  'jcb',
  'maestro',
  'mastercard',
  'mir',
  'nyce',
  'other',
  'pulse',
  'qcard',
  'rupay',
  'star',
  'uatp',
  'unionpay',
  'visa',
] as const;

export type CardScheme = (typeof CARD_SCHEMES)[number];

/** The longest merchant URL that 3-D Secure messages carry. */
const URL_LENGTH_MAX = 2048;

const entry = z.object({
  scheme: z.enum(CARD_SCHEMES, 'Must be a card scheme.'),
  merchantAcquirerBin: text(1, 11),
  merchantAcquirerId: text(1, 35),
  merchantName: text(1, 40),
  merchantCountryCode: z
    .string()
    .regex(/^\d{3}$/, 'Must be an ISO 3166-1 numeric code of three digits, such as 840.'),
  merchantCategoryCode: z.string().regex(/^\d{4}$/, 'Must be four digits.'),
  merchantUrl: text(1, URL_LENGTH_MAX).refine(
    (url) => isWebAddress(url, { insecure: true }),
    'Must be an http or https address.',
  ),
});

/** The 3DS profile of a service: at most one entry for each card scheme. */
export const merchantProfileInput = z.array(entry).superRefine((entries, context) => {
  for (const [index, { scheme }] of entries.entries()) {
    if (entries.findIndex((other) => other.scheme === scheme) === index) continue;
    context.addIssue({
      code: 'custom',
      path: [index, 'scheme'],
      message: 'This scheme appears twice. Give each scheme once.',
    });
  }
});

export type MerchantProfileInput = z.infer<typeof entry>;
export type MerchantProfile = Readonly<MerchantProfileInput> & { readonly createdAt: Date };

/** Replaces a profile. An unchanged entry keeps its moment. Returns null for no entry. */
export function replaceProfile(
  current: readonly MerchantProfile[] | null,
  given: readonly MerchantProfileInput[],
  now: Date,
): readonly MerchantProfile[] | null {
  if (given.length === 0) return null;
  return given.map(
    (fresh) => current?.find((before) => sameEntry(before, fresh)) ?? { ...fresh, createdAt: now },
  );
}

const KEYS = Object.keys(entry.shape) as readonly (keyof MerchantProfileInput)[];

const sameEntry = (a: MerchantProfileInput, b: MerchantProfileInput): boolean =>
  KEYS.every((key) => a[key] === b[key]);
