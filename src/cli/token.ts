import {
  ALL_SCOPES,
  isKnownScope,
  isMerchantAccountId,
  LIFETIME_MAX_S,
  mintToken,
} from '../modules/accounts/index.ts';
import { apiKeyFilePath, readApiKeyFile } from '../platform/api-key-file.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { systemIds } from '../platform/ids.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { readConfig } from './environment.ts';

/** The options as written on the command line. */
export type TokenOptions = {
  /** Comma-separated. The default is every scope. */
  readonly scopes?: string | undefined;
  /** For example `90s`, `15m`, `1h`. The default is `1h`. */
  readonly expires?: string | undefined;
  /** The only merchant account of the token. The default is every merchant account of the key. */
  readonly merchantAccount?: string | undefined;
};

/** Prints an access token on standard output, and nothing else. Needs no running service. */
export async function tokenCommand(options: TokenOptions = {}): Promise<void> {
  console.log(await mintFromFile(readConfig().PAYGRAPH_DATA_DIR, options, systemClock));
}

/**
 * Signs an access token with the key in a data folder. Throws an OperatorError when the key is missing or an option is
 * invalid.
 */
export async function mintFromFile(folder: string, options: TokenOptions, clock: Clock): Promise<string> {
  const scopes = options.scopes === undefined ? ALL_SCOPES : readScopes(options.scopes);
  const expiresInSeconds = readDuration(options.expires ?? '1h');
  const { merchantAccount } = options;
  if (merchantAccount !== undefined && !isMerchantAccountId(merchantAccount)) {
    throw new OperatorError('--merchant-account: must be an id of 1 to 50 letters, digits or hyphens.');
  }
  const key = await readApiKeyFile(folder);
  if (!key) {
    const path = apiKeyFilePath(folder);
    throw new OperatorError(
      `There is no key at ${path}. Start the service once to create the key: npm start`,
    );
  }
  return await mintToken({
    ...key,
    scopes,
    expiresInSeconds,
    issuer: 'paygraph-cli',
    now: clock.now(),
    jti: systemIds.uuid(),
    merchantAccountId: merchantAccount,
  });
}

function readScopes(list: string): readonly string[] {
  const scopes = list.split(',').map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !isKnownScope(scope));
  if (unknown.length === 0) return scopes;
  throw new OperatorError(
    `--scopes: unknown scope ${unknown.join(', ')}. Give scopes such as transactions.write or *.read, with commas between.`,
  );
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

function readDuration(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(amount) * (unit === 's' || unit === 'm' || unit === 'h' ? SECONDS[unit] : 0);
  if (seconds >= 1 && seconds <= LIFETIME_MAX_S) return seconds;
  throw new OperatorError(
    '--expires: must be from 1s to 24h. Give a number with s, m or h, for example 15m.',
  );
}
