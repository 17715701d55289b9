/**
 * Returns the first difference of two answers, or null. The sides' own forms of one value do not count:
 *
 * - capitals of an enum, the offset of a moment, and the type of a number
 * - a connection in place of a list
 * - a sum in place of its count and its amount
 */
export function differenceOf(one: string, other: string): string | null {
  const [left, right] = [one, other].map((text) => JSON.stringify(plain(JSON.parse(text) as unknown)));
  if (left === undefined || right === undefined || left === right) return null;
  const at = Array.from(left).findIndex((letter, index) => letter !== right[index]);
  const near = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  return `${near(left)} and ${near(right)}`;
}

function plain(value: unknown): unknown {
  if (typeof value === 'string')
    return MOMENT.test(value) ? new Date(value).toISOString() : value.toLowerCase();
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === 'nodes') return plain(only[1]);
  return Object.fromEntries(entries.flatMap(([key, each]) => membersOf(key, each)));
}

function membersOf(key: string, value: unknown): readonly (readonly [string, unknown])[] {
  const { count, amount } = (value ?? {}) as { readonly count?: unknown; readonly amount?: unknown };
  if (count === undefined || amount === undefined) return [[key, plain(value)]];
  return [
    [`${key}Count`, plain(count)],
    [`${key}Amount`, plain(amount)],
  ];
}

const MOMENT = /^\d{4}-\d\d-\d\dT/;
