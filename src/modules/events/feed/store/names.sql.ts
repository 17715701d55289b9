/**
 * Returns the SQL condition that a name matches an array of patterns. Neither patterns nor names hold wildcards of
 * LIKE.
 */
export const matchesNameSql = (patterns: string, name: string): string =>
  `(coalesce(cardinality(${patterns}), 0) = 0 OR EXISTS (
     SELECT FROM unnest(${patterns}) AS pattern WHERE ${name} LIKE replace(pattern, '*', '%')))`;
