/** What is known of some values: those that are null are left out, the others stay in their order. */
export const withoutNulls = <Value>(
  values: Readonly<Record<string, Value | null>>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
