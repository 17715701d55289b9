import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/process/config.ts';
import { parseConfig } from '../../platform/process/config.ts';
import { readEnvironment } from '../environment.ts';
import { UsageError } from '../exit-code.ts';
import { keyFileOf, recordToken, signFromFile } from '../run/token.ts';

/** The options of every command that calls a running service. */
export type AccessOptions = {
  /** The GraphQL address. The default is the service of this configuration. */
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly merchantAccount?: string | undefined;
};

/** The way to a running service. */
export type Access = {
  /** The GraphQL address. */
  readonly url: string;
  readonly merchantAccountId: string | undefined;
  /** Returns a token that is valid for a while. A connection asks anew. */
  token(): Promise<string>;
};

/**
 * Finds the service and a token. With `--url` the token is the variable TOKEN, if set. Otherwise the command signs tokens
 * with the key of this installation, and records them in the audit log.
 */
export function findService(command: string, options: AccessOptions): Access {
  const environment = readEnvironment();
  const config = parseConfig(environment);
  const given = options.url === undefined ? undefined : environment['TOKEN'];
  return {
    url: addressOf(config, options.url),
    merchantAccountId: options.merchantAccount,
    token: given ? () => Promise.resolve(given) : kept(() => sign(command, config, options)),
  };
}

function addressOf({ HOST, PORT }: Config, url: string | undefined): string {
  if (url === undefined) {
    if (PORT === 0) throw new UsageError('PORT is 0, so the address is unknown. Give it with --url.');
    const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
    return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}/graphql`;
  }
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new UsageError('--url: must be an address such as http://localhost:4000/graphql.');
  if (address.pathname === '/') address.pathname = '/graphql';
  return address.href;
}

/** The time for which a token is used. Tokens are valid for an hour. */
const TOKEN_USE_MS = 50 * 60_000;

/** Keeps a token, because each signature writes an entry of the audit log. */
function kept(renew: () => Promise<string>): () => Promise<string> {
  let held: { readonly token: string; readonly until: number } | null = null;
  return async () => {
    if (held === null || performance.now() > held.until)
      held = { token: await renew(), until: performance.now() + TOKEN_USE_MS };
    return held.token;
  };
}

async function sign(
  command: string,
  config: Config,
  { key, merchantAccount }: AccessOptions,
): Promise<string> {
  const { token, minted } = await signFromFile(keyFileOf(config, { key }), { merchantAccount }, systemClock);
  await recordToken(config, command, minted);
  return token;
}
