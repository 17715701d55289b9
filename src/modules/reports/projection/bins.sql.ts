/**
 * The ratio of the ends of a bin. Bin 0 has zero alone, and bin n has sizes from 1.02^(n-1) to below 1.02^n. The middle of a bin
 * is at most 1 % from each size in it.
 */
const RATIO = 1.02;

/** Returns the number of the bin of a size that is a whole number from 0. SQL. */
export const binOf = (size: string): string =>
  `(CASE WHEN ${size} < 1 THEN 0 ELSE 1 + floor(ln(${size}::float8) / ln(${RATIO}::float8)) END)::bigint`;

/** Returns the size that stands for a bin. It is whole, and has an error of at most 1 % and half a unit. SQL. */
export const sizeOf = (bin: string): string =>
  `CASE WHEN ${bin} = 0 THEN 0 ELSE round(2 * power(${RATIO}::float8, ${bin}) / (1 + ${RATIO}::float8)) END`;

/** Aggregates the columns `bin` and `count` to one array in the order of the bins. SQL. */
export const PACKED = `array_agg((bin << 32) + count ORDER BY bin)`;

/** The bin and the count of an element of such an array. SQL. */
export const binIn = (element: string): string => `(${element} >> 32)`;
export const countIn = (element: string): string => `(${element} & 4294967295)`;

/** Returns the sum of two such arrays. SQL. */
export const merged = (bins: string, more: string): string => `(
  SELECT coalesce(${PACKED}, '{}') FROM (
    SELECT ${binIn('e')} AS bin, sum(${countIn('e')})::bigint AS count FROM unnest(${bins} || ${more}) AS e GROUP BY 1) AS m)`;
