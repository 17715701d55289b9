/** A part of a soak: minutes of steady load, or days of the service's own clock. */
export type Slice = { readonly unit: 'minutes' | 'days'; readonly count: number };

const UNITS = { m: 'minutes', d: 'days' } as const;

/** Reads a slice such as `20m` or `30d`. Null for any other text. */
export function sliceOf(text: string): Slice | null {
  const [, count, unit] = /^([1-9]\d{0,2})([md])$/.exec(text) ?? [];
  return count === undefined ? null : { unit: UNITS[unit as keyof typeof UNITS], count: Number(count) };
}
