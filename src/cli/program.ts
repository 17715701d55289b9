import { Command } from 'commander';
import { VERSION } from '../platform/process/version.ts';
import { addCellsCommands } from './commands/cells.ts';
import { addDevelopCommands } from './commands/develop.ts';
import { addOperateCommands } from './commands/operate.ts';
import { addRoutingCommands } from './commands/routing.ts';
import { howToRun } from '../platform/process/how-to-run.ts';
import { EXIT } from './exit-code.ts';
import { errorText } from './json.ts';

/**
 * Creates the program with all commands. Each command loads its own code. `--help` is therefore instant, and a missing part
 * affects only its own commands. A wrong word throws a CommanderError after one sentence on standard error, or after a line
 * of JSON with `json`.
 */
export function createProgram({ json }: { readonly json: boolean }): Command {
  const program = new Command('paygraph')
    .description('Self-hosted payment orchestration with a GraphQL API.')
    .version(VERSION, '-V, --version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(errorText(sentenceOf(text), EXIT.usage, json)) })
    .addHelpText('after', NOTES);
  addOperateCommands(program);
  addCellsCommands(program);
  addDevelopCommands(program);
  addRoutingCommands(program);
  return program;
}

const NOTES = `
Without a command, the service starts. Settings are environment variables, or lines of a file .env; .env.example lists them all.
Without NODE_ENV=production this is a sandbox with its own database. It needs no settings.

Exit codes: 0 done, 1 failed, 2 wrong words or settings, 130 interrupted by Ctrl-C.
The command routing also ends with 3 for differences in a dry run, and with 4 for refused rules.
With --json, standard output holds JSON alone, and an error is a line of JSON on standard error.

Examples:
  # A sandbox with its own database
  ${howToRun('start')}
  # A payment from end to end, in another terminal
  ${howToRun('demo')}
  # Every event of the sandbox, as it happens
  ${howToRun('tail')}
  # A token for the API, valid for 15 minutes
  ${howToRun('token', '--expires 15m')}
  # The options and the examples of a command
  ${howToRun('token', '--help')}`;

/** Makes a sentence of a message such as `error: unknown option '--x'`, with its suggestion, and says what to do. */
function sentenceOf(text: string): string {
  const [first = '', ...rest] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  const problem = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/[^.?!]$/, '$&.');
  const advice =
    rest.length > 0 ? rest.join(' ').replace(/^\(|\)$/g, '') : 'Add --help to see what is possible.';
  return `${problem} ${advice}`;
}
