import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** A definition without a connector, with its services and their pending operations. */
export type Unserved = {
  readonly definitionId: string;
  readonly services: number;
  readonly operations: number;
};

/** The most operations to count for a service. */
const COUNT_MAX = 10_000;

const unserved = prepareFile(import.meta, 'count-unserved.sql');

/** Counts the payment services of all merchant accounts whose definition is none of the given ones. */
export const countUnserved = (
  db: Pick<Db, 'query'>,
  definitions: readonly string[],
): Promise<readonly Unserved[]> => db.query<Unserved>(unserved({ definitions, limit: COUNT_MAX }));
