import { userInfo } from 'node:os';
import {
  ALL_SCOPES,
  isKnownScope,
  isMerchantAccountId,
  LIFETIME_MAX_S,
  mintToken,
  recordMintedToken,
  type MintedToken,
} from '../../modules/accounts/index.ts';
import { PRODUCTION_KEY_FILE, readApiKeyFile, sandboxKeyPath } from '../../platform/process/api-key-file.ts';
import { openDb } from '../../platform/database/db.ts';
import { requireMigrations, withDatabase } from '../database.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { systemIds } from '../../platform/ids.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import type { Config } from '../../platform/process/config.ts';
import { readConfig } from '../environment.ts';
import { UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';

/** The options as written on the command line. */
export type TokenOptions = {
  /** Comma-separated. The default is every scope. */
  readonly scopes?: string | undefined;
  /** For example `90s`, `15m`, `1h`. The default is `1h`. */
  readonly expires?: string | undefined;
  /** The file with the private key. The default is the sandbox's file, or in production the file of the setup. */
  readonly key?: string | undefined;
  /** The only merchant account of the token. The default is every merchant account of the key. */
  readonly merchantAccount?: string | undefined;
  /** The address or name of the only installation that accepts the token. The default is any. */
  readonly audience?: string | undefined;
  /** The person in the audit log. The default is the user of this machine. */
  readonly subject?: string | undefined;
};

/** The options of the command itself. Other commands sign tokens, too. */
export type TokenCommandOptions = TokenOptions & { readonly json?: boolean | undefined };

/**
 * Prints an access token on standard output, and nothing else. With `--json` its claims are beside the token. Needs no running service. The token is in the audit log
 * before it is printed.
 */
export async function tokenCommand(options: TokenCommandOptions): Promise<void> {
  const config = readConfig();
  const { token, minted } = await signFromFile(keyFileOf(config, options), options, systemClock);
  await recordToken(config, 'token', minted);
  if (options.json) printJson({ token, ...minted });
  else console.log(token);
}

/** Records a token in the audit log of the configured database. Throws an OperatorError for a token that no service accepts. */
export async function recordToken(config: Config, command: string, minted: MintedToken): Promise<void> {
  await withDatabase(config, async (url) => {
    const db = openDb({ url, connectionMax: 1, applicationName: `paygraph ${command}` });
    try {
      await requireMigrations(db);
      const refusal = await recordMintedToken(db, command, minted);
      if (refusal !== null) throw new OperatorError(`The token would be refused. ${refusal}`);
    } finally {
      await db.close();
    }
  });
}

/** A file with a private key, and the command that creates the file. */
export type KeyFile = { readonly path: string; readonly madeBy: string };

/** Returns the file of a sandbox's key in its data folder. */
export const sandboxKeyFile = (dataFolder: string): KeyFile => ({
  path: sandboxKeyPath(dataFolder),
  madeBy: `Start the service once to create the key: ${howToRun('start')}`,
});

/** Returns the file that a command signs with: the named one, or the one of this installation. */
export function keyFileOf({ production, PAYGRAPH_DATA_DIR }: Config, { key }: TokenOptions): KeyFile {
  if (!production)
    return key === undefined ? sandboxKeyFile(PAYGRAPH_DATA_DIR) : { path: key, madeBy: NAME_IT };
  return {
    path: key ?? PRODUCTION_KEY_FILE,
    madeBy: `Create a first key with: ${howToRun('setup')}. ${NAME_IT}`,
  };
}

const NAME_IT = 'Name the file of another key with --key.';

/** Signs an access token like `signFromFile`, for a caller that keeps no record. */
export const mintFromFile = async (...given: Parameters<typeof signFromFile>): Promise<string> =>
  (await signFromFile(...given)).token;

/** A token, and its entry for the audit log. */
export type Signed = { readonly token: string; readonly minted: MintedToken };

/**
 * Signs an access token with the key in a file. Throws an OperatorError when the key is missing or an option is
 * invalid.
 */
export async function signFromFile(
  { path, madeBy }: KeyFile,
  options: TokenOptions,
  clock: Clock,
): Promise<Signed> {
  const scopes = options.scopes === undefined ? ALL_SCOPES : readScopes(options.scopes);
  const expiresInSeconds = readDuration(options.expires ?? '1h');
  const { merchantAccount } = options;
  if (merchantAccount !== undefined && !isMerchantAccountId(merchantAccount)) {
    throw new UsageError('--merchant-account: must be an id of 1 to 50 letters, digits or hyphens.');
  }
  const key = await readApiKeyFile(path);
  if (!key) throw new OperatorError(`There is no key at ${path}. ${madeBy}`);
  const [now, jti, subject] = [clock.now(), systemIds.uuid(), options.subject ?? userName()];
  const issuer = 'paygraph-cli';
  const { audience } = options;
  const claims = { scopes, jti, subject, audience };
  const token = await mintToken({
    ...{ ...key, ...claims, expiresInSeconds, issuer, now },
    merchantAccountId: merchantAccount,
  });
  const expiresAt = new Date(Math.floor(now.getTime() / 1000 + expiresInSeconds) * 1000);
  const { kid } = key;
  return {
    token,
    minted: {
      ...{ kid, jti, scopes, expiresAt, merchantAccountId: merchantAccount ?? null },
      ...{ subject: subject ?? null, audience: audience ?? null },
    },
  };
}

/** Returns the name of the user who runs the command. Undefined for a user without a name. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

function readScopes(list: string): readonly string[] {
  const scopes = list.split(',').map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !isKnownScope(scope));
  if (unknown.length === 0) return scopes;
  throw new UsageError(
    `--scopes: unknown scope ${unknown.join(', ')}. Give scopes such as transactions.write or *.read, with commas between.`,
  );
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

function readDuration(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(amount) * (unit === 's' || unit === 'm' || unit === 'h' ? SECONDS[unit] : 0);
  if (seconds >= 1 && seconds <= LIFETIME_MAX_S) return seconds;
  throw new UsageError('--expires: must be from 1s to 24h. Give a number with s, m or h, for example 15m.');
}
