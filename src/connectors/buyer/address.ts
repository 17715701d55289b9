import type { PostalAddress } from '../interface/requests.ts';
import { cutText } from './cut-text.ts';
import { joinHouseNumber, splitHouseNumber } from './house-number.ts';
import type { AddressPart, AddressProfile } from './profile.ts';
import { subdivisionOf } from './subdivision.ts';

/** The countries without postal codes, or with codes that people leave out (Universal Postal Union). */
const NO_POSTAL_CODE: ReadonlySet<string> = new Set(
  [
    'AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK IE JM KI KM KN KP',
    'LC LY ML MO MR MS MW NR NU PA QA RW SB SC SL SR SS ST SX SY TD TF TG TK TL TO TT TV UG VU YE ZW',
  ].flatMap((line) => line.split(' ')),
);

export const hasPostalCodes = (country: string | null): boolean => !NO_POSTAL_CODE.has(country ?? '');

/** Makes an address regular. Only its country is left if the provider demands a part that is missing and has no filler. */
export function fitAddress(given: PostalAddress | null, profile: AddressProfile): PostalAddress | null {
  if (!given) return null;
  const { fillers, needsIn, max } = profile;
  const street = streetOf(given, profile);
  const regular = {
    line1: cutText(street.line1, max.line),
    line2: cutText(given.line2, max.line),
    houseNumberOrName: cutText(street.houseNumberOrName, max.line),
    city: cutText(given.city, max.city),
    postalCode: postalCodeOf(given, profile),
    ...stateOf(given, profile),
    country: given.country,
    organization: given.organization,
  };
  const needsHere = needsIn[given.country ?? ''] ?? [];
  const filled = { ...regular, ...missingIn(regular, fillers) };
  const lacksPart =
    needsHere.some((part) => regular[part] === null) ||
    neededIn(given.country, profile).some((part) => filled[part] === null);
  return lacksPart ? { ...NOWHERE, country: given.country } : filled;
}

const NOWHERE: PostalAddress = {
  ...{ line1: null, line2: null, houseNumberOrName: null, city: null, postalCode: null },
  ...{ state: null, stateCode: null, country: null, organization: null },
};

const streetOf = (given: PostalAddress, { houseNumber }: AddressProfile) =>
  houseNumber === 'own_field'
    ? splitHouseNumber(given)
    : { line1: joinHouseNumber(given), houseNumberOrName: null };

function postalCodeOf(
  { postalCode, country }: PostalAddress,
  { postalCodes, max }: AddressProfile,
): string | null {
  const text = postalCode?.trim() ?? '';
  const taken = postalCodes[country ?? ''];
  const code = taken ? (taken.exec(text)?.[0] ?? '') : text;
  return code === '' || Array.from(code).length > max.postalCode ? null : code;
}

/** Returns the state in the provider's form, and its code of ISO 3166-2 if the state is known. */
function stateOf(
  given: PostalAddress,
  { stateCodes, otherStates, max }: AddressProfile,
): Pick<PostalAddress, 'state' | 'stateCode'> {
  const known = subdivisionOf(given);
  const letters = known?.code.slice(3) ?? '';
  if (/^[A-Z]+$/.test(letters) && stateCodes.includes(given.country ?? ''))
    return { state: letters, stateCode: known?.code ?? null };
  const name = given.state ?? known?.name ?? given.stateCode?.slice(3) ?? null;
  return {
    state: otherStates === 'by_name' ? cutText(name, max.state) : null,
    stateCode: known?.code ?? null,
  };
}

const PARTS = ['line1', 'houseNumberOrName', 'city', 'postalCode', 'state', 'country'] as const;

/** Returns the fillers of the parts that an address lacks. */
const missingIn = (
  regular: Readonly<Record<AddressPart, string | null>>,
  fillers: AddressProfile['fillers'],
): AddressProfile['fillers'] =>
  Object.fromEntries(
    PARTS.flatMap((part) => (regular[part] === null && fillers[part] ? [[part, fillers[part]]] : [])),
  );

const neededIn = (country: string | null, { needs }: AddressProfile): readonly AddressPart[] =>
  hasPostalCodes(country) ? needs : needs.filter((part) => part !== 'postalCode');
