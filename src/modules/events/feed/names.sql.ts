/** Whether an event's name is asked for, in SQL, for a text array and a name. Neither patterns nor names hold what LIKE takes for a wildcard. */
export const matchesNameSql = (patterns: string, name: string): string =>
  `(coalesce(cardinality(${patterns}), 0) = 0 OR EXISTS (
     SELECT FROM unnest(${patterns}) AS pattern WHERE ${name} LIKE replace(pattern, '*', '%')))`;
