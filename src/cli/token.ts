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

/** As they are written on the command line. */
export type TokenOptions = {
  /** Comma-separated; left out: every scope. */
  readonly scopes?: string | undefined;
  /** For example `90s`, `15m`, `1h`; left out: `1h`. */
  readonly expires?: string | undefined;
  /** Ties the token to this one; left out: every merchant account of the key. */
  readonly merchantAccount?: string | undefined;
};

/** Prints an access token on standard output, and nothing else. Needs no running service. */
export async function tokenCommand(options: TokenOptions = {}): Promise<void> {
  console.log(await mintFromFile(readConfig().PAYGRAPH_DATA_DIR, options, systemClock));
}

/** Mints an access token with the key in a data folder. Throws an OperatorError when there is none, or an option says nothing. */
export async function mintFromFile(folder: string, options: TokenOptions, clock: Clock): Promise<string> {
  const scopes = options.scopes === undefined ? ALL_SCOPES : readScopes(options.scopes);
  const expiresInSeconds = readDuration(options.expires ?? '1h');
  const { merchantAccount } = options;
  if (merchantAccount !== undefined && !isMerchantAccountId(merchantAccount)) {
    throw new OperatorError('The id of a merchant account has 1 to 50 letters, digits or hyphens.');
  }
  const key = await readApiKeyFile(folder);
  if (!key) {
    const path = apiKeyFilePath(folder);
    throw new OperatorError(`There is no key at ${path}. Start the service once, which makes one: npm start`);
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
    `No scope of this service: ${unknown.join(', ')}. Scopes are written like transactions.write or *.read, with commas between.`,
  );
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

function readDuration(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(amount) * (unit === 's' || unit === 'm' || unit === 'h' ? SECONDS[unit] : 0);
  if (seconds >= 1 && seconds <= LIFETIME_MAX_S) return seconds;
  throw new OperatorError('A token lives 1s to 24h: give a number with s, m or h, for example 15m.');
}
