import { originOf } from './acting.ts';

/**
 * Returns a function that makes a value for each object at its first use. The value is freed with the object. So each database
 * has a cache of its own, and two services in one process share none. An app or a database that acts for somebody has the
 * value of its origin.
 */
export function oncePer<Key extends object, Value extends object | null>(
  make: (origin: Key) => Value,
): (given: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (given) => {
    const origin = originOf(given);
    const known = values.get(origin);
    if (known !== undefined) return known;
    const value = make(origin);
    values.set(origin, value);
    return value;
  };
}
