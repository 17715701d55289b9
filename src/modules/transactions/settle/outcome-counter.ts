import { Counter } from 'prom-client';
import type { App } from '../../../app.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Operated } from '../model/operation.ts';

const counterOf: (db: Db) => Counter<'definition' | 'kind' | 'outcome'> = oncePer(
  () =>
    new Counter({
      name: 'paygraph_payment_operations_total',
      help: 'Outcomes of payment operations that this process recorded, by definition of the service, kind and outcome.',
      labelNames: ['definition', 'kind', 'outcome'],
      registers: [],
    }),
);

/** An outcome that was recorded. `unknown` counts once for each operation, before the final outcome. */
export type CountedOutcome = 'succeeded' | 'declined' | 'failed' | 'accepted' | 'unknown';

/** Counts an outcome of an operation in this process. */
export function countOutcome(
  { db }: Pick<App, 'db'>,
  { operation, connection }: Pick<Operated, 'operation' | 'connection'>,
  outcome: CountedOutcome,
): void {
  const definition = connection?.definitionId ?? NO_DEFINITION;
  counterOf(db).inc({ definition, kind: operation.kind, outcome });
}

/** Stands for a definition that the writer of the outcome did not read. */
const NO_DEFINITION = 'none';

/** Returns the counter of the outcomes that this process recorded. */
export const outcomeCounter = ({ db }: Pick<App, 'db'>): Counter => counterOf(db);
