import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError, parseConfig, unknownSettings, type Config } from '../platform/process/config.ts';
import { forErrors } from './colours.ts';

/**
 * Reads the environment, and beneath it the folder's file .env if it exists. Names on standard error the settings that are unknown,
 * and those that come too late.
 */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  // oxlint-disable-next-line no-restricted-properties -- the one place at which the environment is handed over
  const environment = process.env;
  const late = loadSettingsFile(environment).filter(isOfNode);
  for (const { name, similar } of unknownSettings(environment)) {
    const hint = similar === null ? '.env.example lists the settings.' : `Did you mean ${similar}?`;
    process.stderr.write(`${forErrors.yellow(`${name} is no setting and has no effect. ${hint}`)}\n`);
  }
  for (const name of late) process.stderr.write(`${forErrors.yellow(`${name} ${TOO_LATE}`)}\n`);
  return environment;
}

const TOO_LATE =
  'in .env has no effect, because Node.js reads it before the file. Set it in the environment of the process.';

/** True for a variable that Node.js reads once, before any program runs. */
const isOfNode = (name: string): boolean => name.startsWith('NODE_') && !READ_LATER.has(name);

/** Variables that have an effect in .env. Paygraph reads the first, and Node.js reads the second for each connection. */
const READ_LATER: ReadonlySet<string> = new Set(['NODE_ENV', 'NODE_TLS_REJECT_UNAUTHORIZED']);

/**
 * Loads the file .env, and returns the variables that the file alone has. An unreadable file ends the command. Its settings
 * would be absent, and the sandbox would start in place of production.
 */
function loadSettingsFile(environment: NodeJS.ProcessEnv): readonly string[] {
  if (!existsSync('.env')) return [];
  try {
    const names = Object.keys(parseEnv(readFileSync('.env', 'utf8')));
    const alone = names.filter((name) => !(name in environment));
    process.loadEnvFile('.env');
    return alone;
  } catch {
    throw new ConfigError('.env: cannot be read. Make the user of this process the owner of the file.');
  }
}

/** Reads the configuration of a command. Throws a ConfigError that lists every mistake. */
export const readConfig = (): Config => parseConfig(readEnvironment());
