import type { PostalAddress } from '../interface/requests.ts';

/**
 * The countries that write the house number before the street. The templates of OpenCage's address formatter are the source.
 * A library would load a megabyte for this one order.
 */
const NUMBER_FIRST: ReadonlySet<string> = new Set(
  [
    'AD AE AG AM AS AU AZ BB BD BF BH BJ BL BM BN BZ CA CC CD CG CI CK CX DJ DM DZ EG FJ FK FM FR',
    'GA GB GF GG GH GI GM GN GP GS GU GY HK HM IE IM IN IO IQ JE JM JP KE KH KN KY LA LB LK LS LU',
    'MA MC MF MG MH MM MP MQ MR MS MT MU MV MW MY NA NC NE NF NG NR NU NZ OM PF PG PH PK PM PR RE RW',
    'SA SC SG SH SL SN TC TF TG TH TK TM TN TO TT TV TZ UG UM US VG VI VN WF XC YE YT ZA ZM ZW',
  ].flatMap((line) => line.split(' ')),
);

type Street = Pick<PostalAddress, 'line1' | 'houseNumberOrName' | 'country'>;

/** Writes the house number into line 1, in the country's usual order. A line with the number already stays. */
export function joinHouseNumber({ line1, houseNumberOrName: number, country }: Street): string | null {
  if (line1 === null || number === null) return line1 ?? number;
  const words = line1.split(/[\s,]+/);
  if (words.at(0) === number || words.at(-1) === number) return line1;
  return NUMBER_FIRST.has(country ?? '') ? `${number} ${line1}` : `${line1} ${number}`;
}

/** A number at the begin, and a number at the end: `12`, `12b`, `12/4` or `12-14`. */
const LEADING = /^(\d[\w/-]{0,9}),?\s+(\D.*)$/u;
const TRAILING = /^(.*\p{L}.*?),?\s+(\d[\w/-]{0,9})$/u;

/** Separates the house number from line 1 if it is in the country's usual place. */
export function splitHouseNumber({ line1, houseNumberOrName, country }: Street): Omit<Street, 'country'> {
  if (line1 === null || houseNumberOrName !== null) return { line1, houseNumberOrName };
  if (NUMBER_FIRST.has(country ?? '')) {
    const [, number, street] = LEADING.exec(line1) ?? [];
    return { line1: street ?? line1, houseNumberOrName: number ?? null };
  }
  const [, street, number] = TRAILING.exec(line1) ?? [];
  return { line1: street ?? line1, houseNumberOrName: number ?? null };
}
