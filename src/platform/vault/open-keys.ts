import type { Config } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import type { Ids } from '../ids.ts';
import { joinKeyProviders, type KeyProvider } from './key-provider.ts';
import { localKeyProvider } from './local-keys.ts';
import { readFormerMasterKeys, readMasterKeys } from './master-keys.ts';
import { transitKeyProvider } from './transit.ts';

/**
 * The key-encryption keys of a configuration. PAYGRAPH_KEY_PROVIDER says which one wraps; every other one whose settings
 * are there unwraps what it has wrapped. Nothing is asked of a key service yet.
 */
export async function openKeyProvider(config: Config, ids: Ids): Promise<KeyProvider> {
  const transit = transitOf(config);
  if (config.PAYGRAPH_KEY_PROVIDER === 'local') {
    const local = localKeyProvider({ masterKeys: await readMasterKeys(config, ids), ids });
    return joinKeyProviders(local, transit ? [transit] : []);
  }
  if (!transit) throw new Error('The configuration names no key service.');
  const [first, ...others] = await readFormerMasterKeys(config);
  return joinKeyProviders(transit, first ? [localKeyProvider({ masterKeys: [first, ...others], ids })] : []);
}

function transitOf(config: Config): KeyProvider | null {
  const { PAYGRAPH_TRANSIT_URL: url, PAYGRAPH_TRANSIT_TOKEN: token, PAYGRAPH_TRANSIT_KEY: key } = config;
  if (url === undefined || token === undefined) return null;
  // The operator's own service, mostly in a private network: no caller has a say in its address.
  const http = createHttpClient({ allowedNetworks: ANY_NETWORK, allowInsecureHttp: !config.production });
  return transitKeyProvider({ http, url, token, key });
}

const ANY_NETWORK = ['0.0.0.0/0', '::/0'];
