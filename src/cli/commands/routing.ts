import type { Command } from 'commander';
import type { ActivateOptions } from '../routing/activate.ts';
import type { CancelOptions } from '../routing/cancel.ts';
import type { PullOptions } from '../routing/pull.ts';
import type { PushOptions } from '../routing/push.ts';
import type { SimulateOptions } from '../routing/simulation/simulate.ts';
import { examples, withAccess } from './words.ts';

/** Adds the commands that keep routing rules in a file. */
export function addRoutingCommands(program: Command): void {
  const routing = program
    .command('routing')
    .description("Keep routing rules in a file of the merchant's own repository");
  addPull(routing);
  addPush(routing);
  addSimulate(routing);
  addActivate(routing);
  addCancel(routing);
  routing
    .command('schema')
    .description('Print the JSON Schema of the file')
    .addHelpText(
      'after',
      examples('routing', [['schema > routing.schema.json', 'For editors, and for checks in a repository']]),
    )
    .action(async () => (await import('../routing/schema.ts')).printSchema());
}

/** A file that every action takes. */
const FILE = ['[file]', 'the file with the rules', 'routing.json'] as const;

function addPull(routing: Command): void {
  withAccess(
    routing
      .command('pull')
      .description('Write a version of a rule set into a file')
      .argument(...FILE)
      .option(
        '--rule-set <name>',
        'the name or the id of the rule set (default: that of the file, or else the active one)',
      )
      .option('--number <number>', 'the number of the version (default: the latest)'),
  )
    .addHelpText(
      'after',
      examples('routing', [
        ['pull', 'The latest version, into routing.json'],
        ['pull cards.json --rule-set Cards --number 3', 'A former version of one rule set'],
      ]),
    )
    .action(async (file: string, options: PullOptions) =>
      (await import('../routing/pull.ts')).pull(file, options),
    );
}

function addPush(routing: Command): void {
  withAccess(
    routing
      .command('push')
      .description('Check the rules of a file, show the differences, and make a version. Activates nothing')
      .argument(...FILE)
      .option(
        '--dry-run',
        'check, show, and change nothing: the exit code is 3 if a push would change something',
      )
      .option('--strict', 'refuse rules with warnings: the exit code is 4'),
  )
    .addHelpText(
      'after',
      examples('routing', [
        ['push --dry-run', 'In the review of a change'],
        ['push --strict', 'After the review'],
      ]),
    )
    .action(async (file: string, options: PushOptions) =>
      (await import('../routing/push.ts')).push(file, options),
    );
}

function addSimulate(routing: Command): void {
  withAccess(
    routing
      .command('simulate')
      .description('Play past payments through the version of a file. No payment changes, and Ctrl-C cancels')
      .argument(...FILE)
      .option('--number <number>', 'another version of the rule set, such as a former one')
      .option('--from <moment>', 'the first moment of the period (default: 30 days ago)')
      .option('--to <moment>', 'the end of the period, at most 366 days later (default: now)')
      .option('--sample <percent>', 'the part of the payments to play, 1 to 100 (default: 100)'),
  )
    .addHelpText(
      'after',
      examples('routing', [
        ['simulate', 'The latest version, which must be that of the file'],
        [
          'simulate --number 3 --from 2026-01-01T00:00:00Z --json',
          'Another version and period, for programs',
        ],
      ]),
    )
    .action(async (file: string, options: SimulateOptions) =>
      (await import('../routing/simulation/simulate.ts')).simulate(file, options),
    );
}

function addActivate(routing: Command): void {
  withAccess(
    routing
      .command('activate')
      .description('Let the version of a file decide about payments')
      .argument(...FILE)
      .option('--number <number>', 'another version of the rule set, such as a former one')
      .option('--at <moment>', 'a moment in the future, such as 2026-01-31T08:00:00Z (default: at once)')
      .option('--note <text>', 'a note for readers')
      .option('--none', 'end all rules: the order of positions decides')
      .option('--dry-run', 'show the differences to the active version, and change nothing'),
  )
    .addHelpText(
      'after',
      examples('routing', [
        ["activate --note 'Reviewed by Kim'", 'The latest version, which must be that of the file'],
        ['activate --number 3', 'Back to a former version'],
      ]),
    )
    .action(async (file: string, options: ActivateOptions) =>
      (await import('../routing/activate.ts')).activate(file, options),
    );
}

function addCancel(routing: Command): void {
  withAccess(
    routing
      .command('cancel')
      .description('Cancel a planned activation before its moment')
      .option('--activation <id>', 'the id, if several are planned'),
  )
    .addHelpText('after', examples('routing', [['cancel', 'The only planned activation']]))
    .action(async ({ activation, ...options }: CancelOptions & { readonly activation?: string }) =>
      (await import('../routing/cancel.ts')).cancel(activation, options),
    );
}
