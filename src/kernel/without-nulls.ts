/** Removes the values that are null. The others stay in their order. */
export const withoutNulls = <Value>(
  values: Readonly<Record<string, Value | null>>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
