import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { Command } from 'commander';
import { VERSION } from '../platform/version.ts';
import type { AuditOptions } from './audit.ts';
import type { DemoOptions } from './demo.ts';
import { explain } from './explain.ts';
import type { RebuildOptions } from './rebuild-reports.ts';
import type { RotateOptions } from './rotate-keys.ts';
import type { SetupOptions } from './setup.ts';
import type { TokenOptions } from './token.ts';

// The next start finds its programs compiled, and needs three fifths of the time. Without the right to write there, each start compiles.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/paygraph'));

const collect = (value: string, former: readonly string[]): readonly string[] => [...former, value];

// Each command loads its own code. `--help` is therefore instant, and a missing part affects only its own commands.
const program = new Command('paygraph')
  .description('Self-hosted payment orchestration with a GraphQL API.')
  .version(VERSION, '-V, --version')
  .showHelpAfterError('Run "paygraph --help" for all commands.')
  .addHelpText(
    'after',
    `
Settings are environment variables, or lines of a file .env; .env.example lists them all.
Without NODE_ENV=production this is a sandbox with its own database. It needs no settings.`,
  );

program
  .command('start')
  .description('Start the service: the GraphQL API and the background work, until Ctrl-C')
  .action(async () => (await import('./start.ts')).start());

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
  .option('--key-file <file>', 'the file for the private key of a new pair (default: paygraph-api-key.json)')
  .option('--dry-run', 'check everything and change nothing')
  .option('-y, --yes', 'ask nothing: a missing value is an error')
  .action(async (options: SetupOptions) => (await import('./setup.ts')).setup(options));

program
  .command('migrate')
  .description('Apply missing migrations to the database, create the next partitions, and stop')
  .option('--rolled-back <name>', 'first mark a failed migration as rolled back, so that it is applied again')
  .action(async (options: { rolledBack?: string }) =>
    (await import('./migrate.ts')).migrateDatabase(options),
  );

program
  .command('migrate:new')
  .description('Write a migration with the difference between the Prisma models and the existing migrations')
  .argument('<name>', 'lower-case words joined by underscores, for example add_gift_cards')
  .action(async (name: string) => (await import('./migrate.ts')).newMigration(name));

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
  .action(async (options: TokenOptions) => (await import('./token.ts')).tokenCommand(options));

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
  .action(async (options: RotateOptions) => (await import('./rotate-keys.ts')).rotateKeysCommand(options));

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
  .option('--export', 'print the entries as CSV, oldest first')
  .option('--from <moment>', 'with --export: only entries of this moment or later, in ISO 8601')
  .option('--to <moment>', 'with --export: only entries of this moment or earlier, in ISO 8601')
  .option('--merchant-account <id>', 'only this merchant account (default: all)')
  .action(async (options: AuditOptions) => (await import('./audit.ts')).auditCommand(options));

program
  .command('rebuild-reports')
  .description('Compare the sums of the reports with the payments and the ledger, and name each difference')
  .option('--write', 'write different sums anew, while servers run')
  .option('--merchant-account <id>', 'only this merchant account (default: all)')
  .action(async (options: RebuildOptions) =>
    (await import('./rebuild-reports.ts')).rebuildReportsCommand(options),
  );

program
  .command('demo')
  .description('Follow a payment from end to end against a running sandbox')
  .option('--provider <name>', 'instead tell the story of a connector to a provider: stripe, adyen or paypal')
  .option('--record <file>', 'with --provider: write the steps to this file, as Markdown')
  .action(async (options: DemoOptions) => (await import('./demo.ts')).demo(options));

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
