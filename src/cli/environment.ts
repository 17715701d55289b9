import { existsSync } from 'node:fs';
import { ConfigError, parseConfig, unknownSettings, type Config } from '../platform/process/config.ts';
import { forErrors } from './colours.ts';

/** Reads the environment, and beneath it the folder's file .env if it exists. Names unknown settings on standard error. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  loadSettingsFile();
  // oxlint-disable-next-line no-restricted-properties -- the one place at which the environment is handed over
  const environment = process.env;
  for (const { name, similar } of unknownSettings(environment)) {
    const hint = similar === null ? '.env.example lists the settings.' : `Did you mean ${similar}?`;
    process.stderr.write(`${forErrors.yellow(`${name} is no setting and has no effect. ${hint}`)}\n`);
  }
  return environment;
}

/** An unreadable file ends the command. Its settings would be absent, and the sandbox would start in place of production. */
function loadSettingsFile(): void {
  if (!existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch {
    throw new ConfigError('.env: cannot be read. Make the user of this process the owner of the file.');
  }
}

/** Reads the configuration of a command. Throws a ConfigError that lists every mistake. */
export const readConfig = (): Config => parseConfig(readEnvironment());
