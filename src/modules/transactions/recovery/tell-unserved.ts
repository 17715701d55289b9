import type { App } from '../../../app.ts';
import { countUnserved } from './count-unserved.sql.ts';

/**
 * Warns about payment services whose connector this process lacks, as after the removal of a package. Their operations stay
 * pending.
 */
export async function tellUnserved({ db, connectors, log }: Pick<App, 'db' | 'connectors' | 'log'>) {
  const definitions = connectors.flatMap((connector) => connector.definitions.map(({ id }) => id));
  for (const unserved of await countUnserved(db, definitions))
    log.warn(
      unserved,
      'No connector has the definition of these payment services. PAYGRAPH_CONNECTORS may lack a package.',
    );
}
