import type { CardScheme, MerchantProfileInput } from '../../../client/generated/schema.ts';
import type { Service } from './query.ts';

/** The merchant's profile at a card scheme, as a person types it. */
export type Profile = MerchantProfileInput;

/** The texts of a profile with the most characters of each. */
export const PROFILE_TEXTS = {
  merchantName: 40,
  merchantUrl: 2048,
  merchantAcquirerBin: 11,
  merchantAcquirerId: 35,
  merchantCountryCode: 3,
  merchantCategoryCode: 4,
} as const;

export type ProfileText = keyof typeof PROFILE_TEXTS;

const KEYS = ['scheme', ...(Object.keys(PROFILE_TEXTS) as readonly ProfileText[])] as const;

/** All card schemes, the most frequent ones first. */
export const SCHEMES: readonly CardScheme[] = [
  ...(['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS_CLUB', 'JCB', 'UNIONPAY', 'MAESTRO'] as const),
  ...(['CARTE_BANCAIRE', 'BANCONTACT', 'DANKORT', 'ELO', 'HIPERCARD', 'RUPAY', 'MIR'] as const),
  ...(['EFTPOS_AUSTRALIA', 'CIRRUS', 'ACCEL', 'CULIANCE', 'NYCE', 'PULSE', 'QCARD', 'STAR', 'UATP'] as const),
  'OTHER',
];

/** Lists the schemes that no other profile has. Each scheme has at most one profile. */
export const freeSchemes = (profiles: readonly Profile[], own?: CardScheme): readonly CardScheme[] =>
  SCHEMES.filter((each) => each === own || profiles.every(({ scheme }) => scheme !== each));

/** Returns the profiles of a stored service. */
export const profilesOf = ({ merchantProfile }: Service): readonly Profile[] =>
  (merchantProfile ?? []).map((stored) => pick(stored));

const pick = (profile: Profile): Profile => ({
  scheme: profile.scheme,
  merchantName: profile.merchantName,
  merchantUrl: profile.merchantUrl,
  merchantAcquirerBin: profile.merchantAcquirerBin,
  merchantAcquirerId: profile.merchantAcquirerId,
  merchantCountryCode: profile.merchantCountryCode,
  merchantCategoryCode: profile.merchantCategoryCode,
});

/** Returns an empty profile. The merchant is mostly the same at every scheme, so that the texts of the last one stay. */
export const nextProfile = (profiles: readonly Profile[], scheme: CardScheme): Profile => ({
  ...(profiles.at(-1) ?? EMPTY),
  scheme,
});

const EMPTY = {
  ...{ merchantName: '', merchantUrl: '', merchantAcquirerBin: '', merchantAcquirerId: '' },
  ...{ merchantCountryCode: '', merchantCategoryCode: '' },
};

/** Tells whether each profile is complete. The API checks the values. */
export const areComplete = (profiles: readonly Profile[]): boolean =>
  profiles.every((profile) => KEYS.every((key) => profile[key].trim() !== ''));

/** Tells whether two lists have the same profiles in the same order. */
export const areSame = (some: readonly Profile[], others: readonly Profile[]): boolean =>
  some.length === others.length &&
  some.every((profile, at) => KEYS.every((key) => profile[key] === others[at]?.[key]));
