import { existsSync } from 'node:fs';
import { parseConfig, type Config } from '../platform/config.ts';

/** Reads the configuration of a command: the environment, and beneath it the folder's file .env if it exists. */
export function readConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  // oxlint-disable-next-line no-restricted-properties -- the one place at which the environment is handed over
  return parseConfig(process.env);
}
