import type { Command } from 'commander';
import type { AuditOptions } from '../run/audit.ts';
import type { InviteOptions } from '../run/invite.ts';
import type { MigrateOptions } from '../run/migrate.ts';
import type { RebuildOptions } from '../run/rebuild-reports.ts';
import type { RestoredOptions } from '../restored/restored.ts';
import type { RotateOptions } from '../run/rotate-keys.ts';
import type { SetupOptions } from '../run/setup.ts';
import type { TokenCommandOptions } from '../run/token.ts';
import { examples, JSON_OPTION } from './words.ts';

const collect = (value: string, former: readonly string[]): readonly string[] => [...former, value];

/** Adds the commands of an operator. Each loads its own code when it runs. */
export function addOperateCommands(program: Command): void {
  addStart(program);
  addSetup(program);
  addMigrate(program);
  addMigrateNew(program);
  addToken(program);
  addInvite(program);
  addRotateKeys(program);
  addAudit(program);
  addRebuildReports(program);
  addRestored(program);
}

function addStart(program: Command): void {
  program
    .command('start')
    .description('Start the service: the GraphQL API and the background work, until Ctrl-C')
    .addHelpText('after', examples('start', [['', 'A sandbox with its own database']]))
    .action(async () => (await import('../run/start.ts')).start());
}

function addSetup(program: Command): void {
  program
    .command('setup')
    .description(
      'Prepare a production installation: settings, checks, database, merchant account and first key',
    )
    .option('--database-url <address>', 'the Postgres to use (default: DATABASE_URL, or a question)')
    .option('--public-url <address>', 'the address for others (default: PAYGRAPH_PUBLIC_URL, or a question)')
    .option('--merchant-account <id>', 'the id of the first merchant account', 'default')
    .option('--name <name>', 'the name of the first merchant account', 'Default')
    .option('--public-key <file>', 'a public key of your own as PEM (default: PAYGRAPH_SETUP_PUBLIC_KEY)')
    .option(
      '--key-file <file>',
      'the file for the private key of a new pair (default: paygraph-api-key.json)',
    )
    .option('--dry-run', 'check everything and change nothing')
    .option('-y, --yes', 'ask nothing: a missing value is an error')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('setup', [
        [
          '--database-url postgresql://user:password@host:5432/paygraph --public-url https://pay.example.com',
          'With both addresses, and a question for nothing else',
        ],
        ['--dry-run', 'Check, and change nothing'],
      ]),
    )
    .action(async (options: SetupOptions) => (await import('../run/setup.ts')).setup(options));
}

function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('Apply missing migrations to the database, create the next partitions, and stop')
    .option(
      '--rolled-back <name>',
      'first mark a failed migration as rolled back, so that it is applied again',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', examples('migrate', [['', 'Apply what is missing']]))
    .action(async (options: MigrateOptions) => (await import('../run/migrate.ts')).migrateDatabase(options));
}

function addMigrateNew(program: Command): void {
  program
    .command('migrate:new')
    .description(
      'Write a migration with the difference between the Prisma models and the existing migrations',
    )
    .argument('<name>', 'lower-case words joined by underscores, for example add_gift_cards')
    .addHelpText(
      'after',
      examples('migrate:new', [['add_gift_cards', 'Write a migration for changed models']]),
    )
    .action(async (name: string) => (await import('../run/migrate.ts')).newMigration(name));
}

function addToken(program: Command): void {
  program
    .command('token')
    .description(
      "Print an access token, signed with the sandbox's key, or in production with the key of the setup",
    )
    .option(
      '--scopes <scopes>',
      'comma-separated, for example transactions.write,*.read (default: every scope)',
    )
    .option('--expires <duration>', 'for example 90s, 15m, 1h (default: 1h, at most 24h)')
    .option('--merchant-account <id>', 'limit the token to this merchant account')
    .option('--subject <name>', 'the person in the audit log (default: the user of this machine)')
    .option('--audience <address>', 'only the installation with this public address accepts the token')
    .option('--key <file>', 'sign with the private key in this file')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('token', [
        ['', 'Every scope, for an hour'],
        ['--scopes transactions.write,*.read --expires 15m', 'Some scopes, for a quarter of an hour'],
        ['--json', 'The token with its claims, as JSON'],
      ]),
    )
    .action(async (options: TokenCommandOptions) => (await import('../run/token.ts')).tokenCommand(options));
}

function addInvite(program: Command): void {
  program
    .command('invite')
    .description('Print an invitation to the dashboard, which a person accepts once within 72 hours')
    .requiredOption('--email <address>', 'the e-mail address of the person')
    .option('--role <role>', 'owner, developer, support or analyst', 'owner')
    .option('--merchant-account <id>', 'the merchant account of the dashboard', 'default')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('invite', [
        ['--email ada@example.com', 'The first owner'],
        ['--email ben@example.com --role support', 'A person who refunds payments'],
      ]),
    )
    .action(async (options: InviteOptions) => (await import('../run/invite.ts')).inviteCommand(options));
}

function addRotateKeys(program: Command): void {
  program
    .command('rotate-keys')
    .description(
      'Seal all secrets and card numbers with new keys, under the current master key, while servers run',
    )
    .option('--dry-run', 'open everything, change nothing, and report the planned work')
    .option('--batch <number>', 'values that one statement seals again, 1 to 1000', '200')
    .option(
      '--wait <seconds>',
      'time for which a running server may seal with former keys (0 only if none runs)',
      '60',
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('rotate-keys', [
        ['--dry-run', 'Report the planned work'],
        ['', 'Seal everything again'],
        ['--dry-run --json', 'The planned work as JSON'],
      ]),
    )
    .action(async (options: RotateOptions) =>
      (await import('../run/rotate-keys.ts')).rotateKeysCommand(options),
    );
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('Verify the chain of the audit log, or export the audit log as CSV to standard output')
    .option('--verify', 'report each changed or removed entry')
    .option(
      '--expect <head>',
      'with --verify: a head that an earlier verification printed, repeatable',
      collect,
      [],
    )
    .option('--export', 'print the entries oldest first, as CSV or with --json as lines of JSON')
    .option('--from <moment>', 'with --export: only entries of this moment or later, in ISO 8601')
    .option('--to <moment>', 'with --export: only entries of this moment or earlier, in ISO 8601')
    .option('--merchant-account <id>', 'only this merchant account (default: all)')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('audit', [
        ['--verify', 'Verify the chain'],
        ['--export --from 2026-01-01 > audit.csv', "Export this year's entries"],
        ['--verify --json', 'A line of JSON for each chain'],
      ]),
    )
    .action(async (options: AuditOptions) => (await import('../run/audit.ts')).auditCommand(options));
}

function addRebuildReports(program: Command): void {
  program
    .command('rebuild-reports')
    .description('Compare the sums of the reports with the payments and the ledger, and name each difference')
    .option('--write', 'write different sums anew, while servers run')
    .option('--merchant-account <id>', 'only this merchant account (default: all)')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('rebuild-reports', [
        ['', 'Compare'],
        ['--write', 'Compare, and write differences anew'],
        ['--json', 'A line of JSON for each merchant account'],
      ]),
    )
    .action(async (options: RebuildOptions) =>
      (await import('../run/rebuild-reports.ts')).rebuildReportsCommand(options),
    );
}

function addRestored(program: Command): void {
  program
    .command('restored')
    .description('Hold payments back after a restore, until they are compared with the providers')
    .option('--since <moment>', 'begin the hold: the moment of the backup, in ISO 8601')
    .option(
      '--payments-since <moment>',
      'with --since: compare payments of this moment or later (default: half a year before)',
    )
    .option('--ask-again', 'ask at once about the payments whose providers gave no answer')
    .option('--end', 'end the hold, unless payments are not compared or differences are open')
    .option('--accept-unproven', 'with --end: accept payments whose providers tell no payment as a whole')
    .option('--accept-unanswered', 'with --end: accept payments whose providers gave no answer')
    .option(
      '--accept-undecided',
      'with --end: accept operations that their providers accepted and have not decided',
    )
    .option('--anyway', 'with --end: accept everything that has no option of its own')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('restored', [
        ['--since 2026-01-31T04:00:00Z', 'Hold payments back'],
        ['', 'Show how far the comparison is'],
        ['--end', 'Let payments go on'],
      ]),
    )
    .action(async (options: RestoredOptions) =>
      (await import('../restored/restored.ts')).restoredCommand(options),
    );
}
