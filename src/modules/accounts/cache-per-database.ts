import type { Db } from '../../platform/db.ts';

/**
 * What is remembered of a database, made when it is first asked for. It is kept with the database, so that two services in
 * one process do not mix, and goes when that goes.
 */
export function rememberedWith<Memory>(make: () => Memory): (db: Db) => Memory {
  const memories = new WeakMap<Db, Memory>();
  return (db) => {
    const known = memories.get(db);
    if (known) return known;
    const memory = make();
    memories.set(db, memory);
    return memory;
  };
}
