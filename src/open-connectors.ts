import { openRegistry, type Registry } from './connectors/packages/registry.ts';
import { environmentOf, type Config } from './platform/process/config.ts';
import type { Log } from './platform/log.ts';

/** Loads the connectors of this process: those of this repository, and those of the packages that the operator names. */
export const openConnectors = (
  config: Pick<Config, 'PAYGRAPH_CONNECTORS' | 'production'>,
  log: Log,
): Promise<Registry> =>
  openRegistry({
    packages: config.PAYGRAPH_CONNECTORS,
    environment: environmentOf(config),
    log,
  });
