import { iso31662 } from 'iso-3166/2.js';
import type { PostalAddress } from '../interface/requests.ts';

/** A state or province of ISO 3166-2. */
export type Subdivision = { readonly code: string; readonly name: string };

/** The addresses of the United States' forces abroad have states of the post, which ISO 3166-2 lacks. */
const FORCES: readonly Subdivision[] = [
  { code: 'US-AA', name: 'Armed Forces Americas' },
  { code: 'US-AE', name: 'Armed Forces Europe' },
  { code: 'US-AP', name: 'Armed Forces Pacific' },
];

const countryOf = (code: string): string => code.slice(0, 2);

/** Joins a country and a name, without the difference of case and accents. */
const nameKey = (country: string, name: string): string =>
  `${country} ${name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()}`;

const all: readonly Subdivision[] = [...iso31662, ...FORCES];
const byCode: ReadonlyMap<string, Subdivision> = new Map(all.map((each) => [each.code, each]));
const byName: ReadonlyMap<string, Subdivision> = new Map(
  all.map((each) => [nameKey(countryOf(each.code), each.name), each]),
);

type Given = Pick<PostalAddress, 'state' | 'stateCode' | 'country'>;

/** Finds the state of an address by its code or by its name, which may be a code. Null for an unknown state. */
export function subdivisionOf({ state, stateCode, country }: Given): Subdivision | null {
  const coded = stateCode === null ? undefined : byCode.get(stateCode);
  // A code of another country contradicts the address.
  if (coded && (country === null || countryOf(coded.code) === country)) return coded;
  if (state === null || country === null) return null;
  const code = state.trim().toUpperCase();
  return byCode.get(code) ?? byCode.get(`${country}-${code}`) ?? byName.get(nameKey(country, state)) ?? null;
}
