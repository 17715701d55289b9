import { errorOf } from './refusal.ts';
import type { World } from './world.ts';

type Place = readonly (string | number)[];

/**
 * Takes the ordered part out of an answer, as a failing resolver of a nullable field does. The part is null wherever
 * it stands, and an error names each place.
 */
export function withoutParts({ failing }: World, field: string, answer: object): object {
  const order = failing.find((each) => each.field === field);
  if (!order) return answer;
  failing.splice(failing.indexOf(order), 1);
  const { part, errorClass } = order;
  const places: Place[] = [];
  const { data, ...others } = JSON.parse(JSON.stringify(answer)) as { readonly data: unknown };
  const left = without(data, part, [], places);
  if (places.length === 0) throw new Error(`The answer of ${field} has no part ${part}.`);
  const errors = places.map((path) => ({
    ...{ message: 'The part is not available.', path, extensions: errorOf(errorClass) },
  }));
  return { ...others, data: left, errors };
}

function without(value: unknown, part: string, at: Place, places: Place[]): unknown {
  if (Array.isArray(value))
    return value.map((each: unknown, index) => without(each, part, [...at, index], places));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => {
      const path = [...at, name];
      if (name !== part) return [name, without(each, part, path, places)];
      places.push(path);
      return [name, null];
    }),
  );
}
