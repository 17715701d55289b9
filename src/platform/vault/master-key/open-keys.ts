import type { Config } from '../../process/config.ts';
import { createHttpClient } from '../../http/http-client.ts';
import type { Ids } from '../../ids.ts';
import { joinKeyProviders, type KeyProvider } from './key-provider.ts';
import { localKeyProvider } from './local-keys.ts';
import { readFormerMasterKeys, readMasterKeys } from './master-keys.ts';
import { transitKeyProvider } from './transit.ts';

/**
 * Creates the key provider of a configuration. PAYGRAPH_KEY_PROVIDER names the provider that wraps. Every other
 * configured provider still unwraps its own keys. No request goes to a key service yet.
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
  // The key service belongs to the operator and is usually in a private network. No caller can influence its address.
  const http = createHttpClient({ allowedNetworks: ANY_NETWORK, allowInsecureHttp: !config.production });
  return transitKeyProvider({ http, url, token, key });
}

const ANY_NETWORK = ['0.0.0.0/0', '::/0'];
