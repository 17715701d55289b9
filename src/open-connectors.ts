import { openRegistry, type Registry } from './connectors/packages/registry.ts';
import { REDIRECT_METHODS } from './modules/payment-methods/index.ts';
import { environmentOf, type Config } from './platform/process/config.ts';
import type { Log } from './platform/log.ts';

/** Every payment method that a definition may have. */
const METHODS: ReadonlySet<string> = new Set(['bank', 'card', 'gift-card', ...REDIRECT_METHODS]);

/** Loads the connectors of this process: those of this repository, and those of the packages that the operator names. */
export const openConnectors = (
  config: Pick<Config, 'PAYGRAPH_CONNECTORS' | 'production'>,
  log: Log,
): Promise<Registry> =>
  openRegistry({
    packages: config.PAYGRAPH_CONNECTORS,
    methods: METHODS,
    environment: environmentOf(config),
    log,
  });
