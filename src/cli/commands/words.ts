import type { Command } from 'commander';
import { howToRun } from '../../platform/process/how-to-run.ts';

/** Returns the part of the help with examples: each is a command line with its meaning. */
export const examples = (
  command: string,
  lines: readonly (readonly [options: string, meaning: string])[],
): string =>
  [
    '\nExamples:',
    ...lines.flatMap(([options, meaning]) => [`  # ${meaning}`, `  ${howToRun(command, options)}`]),
  ].join('\n');

/** The option of a command that prints JSON on request. */
export const JSON_OPTION = ['--json', 'print JSON for programs'] as const;

/** Adds the options of every command that calls a running service. */
export const withAccess = (command: Command): Command =>
  command
    .option('--url <address>', 'the GraphQL address (default: the service of this configuration)')
    .option('--key <file>', 'sign with the private key in this file')
    .option('--merchant-account <id>', 'the merchant account, if the key reaches several')
    .option(...JSON_OPTION);
