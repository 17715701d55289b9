/** The results of the issuer's check of the address, by the number that begins `avsResult`. */
const AVS: Readonly<Record<string, string>> = {
  ...sameFor(['0', '3', '4', '5', '8', '11', '18'], 'unavailable'),
  ...sameFor(['1', '9', '12', '21', '25'], 'partial_match_address'),
  ...sameFor(['2', '10', '13', '16', '17', '26'], 'no_match'),
  ...sameFor(['6', '14', '15', '19', '23'], 'partial_match_postcode'),
  ...sameFor(['7', '20', '24'], 'match'),
  '22': 'partial_match_name',
};

/** The results of the check of the security code, by the number that begins `cvcResult`. */
const CVC: Readonly<Record<string, string>> = {
  '1': 'match',
  '2': 'no_match',
  ...sameFor(['4', '6'], 'not_provided'),
  ...sameFor(['0', '3', '5'], 'unavailable'),
};

/** Reads a result such as `4 AVS not supported for this card type`. Null for a result without a meaning of ours. */
export const avsOf = (text: string | undefined): string | null => AVS[numberOf(text)] ?? null;

/** Reads a result such as `1 Matches`. Null for a result without a meaning of ours. */
export const cvcOf = (text: string | undefined): string | null => CVC[numberOf(text)] ?? null;

/** Reads the two digits that begin a scheme's advice, such as `03 : Do not try again`. */
export const adviceOf = (text: string | undefined): string | null =>
  /^\s*(\d{2})\b/.exec(text ?? '')?.[1] ?? null;

const numberOf = (text: string | undefined): string => /^\s*(\d{1,2})\b/.exec(text ?? '')?.[1] ?? '';

function sameFor(numbers: readonly string[], meaning: string): Readonly<Record<string, string>> {
  return Object.fromEntries(numbers.map((number) => [number, meaning]));
}
