import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { WRITTEN } from './table.ts';

const run = promisify(execFile);

/** The commands, in the order of the page. A test compares the list with the help. */
export const COMMANDS = [
  'start',
  'setup',
  'migrate',
  'migrate:new',
  'token',
  'invite',
  'rebuild-reports',
  'rotate-keys',
  'restored',
  'cells',
  'move',
  'audit',
  'listen',
  'tail',
  'trigger',
  'query',
  'routing',
  'routing pull',
  'routing push',
  'routing simulate',
  'routing activate',
  'routing cancel',
  'routing schema',
  'doctor',
  'demo',
  'connector',
  'completion',
] as const;

/** Asks the program for its help. */
export async function helpOf(command?: string): Promise<string> {
  const words = command === undefined ? ['--help'] : [...command.split(' '), '--help'];
  const { stdout } = await run(process.execPath, ['src/cli/paygraph.cjs', ...words]);
  return stdout.trim();
}

/** Writes the page of commands, from the help of the program. */
export async function commandsPage(): Promise<string> {
  const helps = await Promise.all(COMMANDS.map((command) => helpOf(command)));
  const sections = COMMANDS.map(
    (command, index) => `## ${command}

\`\`\`text
${helps[index] ?? ''}
\`\`\`
`,
  );
  return `${WRITTEN}

# Commands

An installed package runs each command as \`paygraph <command>\`. In the repository, run \`npm run <command>\`. Options
then follow two hyphens, for example \`npm run token -- --expires 15m\`. \`npm start\` is short for \`npm run start\`.

[The command line](../guides/command-line.md) explains the use of the commands, and their exit codes.

${sections.join('\n')}`;
}
