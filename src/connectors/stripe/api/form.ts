/**
 * Encodes the parameters of a request as Stripe's form, with nested names in brackets. A list is `name[]`, and objects of a
 * list stand under their index. Leaves out undefined and null.
 */
export function encodeForm(parameters: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of flatten('', parameters)) form.append(name, value);
  return form.toString();
}

type Pair = readonly [name: string, value: string];

function flatten(name: string, value: unknown): readonly Pair[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => flatten(`${name}[${isObject(item) ? index : ''}]`, item));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, inner]) =>
      flatten(name === '' ? key : `${name}[${key}]`, inner),
    );
  return [[name, scalar(value)]];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Writes a scalar. Stripe has no others, and an amount is always an integer. */
function scalar(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  throw new Error('A parameter is neither a text, an integer nor a boolean');
}
