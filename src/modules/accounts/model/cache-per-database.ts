import type { Db } from '../../../platform/database/db.ts';
import { oncePer } from '../../../platform/database/once-per.ts';

/** Returns a function that gives each database a cache of its own, created at the first use. */
export const cachePerDatabase = <Cache extends object>(make: () => Cache): ((db: Db) => Cache) =>
  oncePer(make);
