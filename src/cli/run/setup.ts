import { actingAs } from '../../platform/database/acting.ts';
import { createInterface } from 'node:readline/promises';
import { createApp } from '../../main.ts';
import { isMerchantAccountId, provisionMerchantAccount } from '../../modules/accounts/index.ts';
import { PRODUCTION_KEY_FILE } from '../../platform/process/api-key-file.ts';
import { directUrl, parseConfig, withoutPooler, type Config } from '../../platform/process/config.ts';
import { systemIds } from '../../platform/ids.ts';
import { claimInstallation, requireInstallation } from '../../platform/database/installation-facts.ts';
import { migrate, unappliedMigrations } from '../../platform/migrate/migrate.ts';
import { withAdvisoryLock } from '../../platform/postgres/advisory-lock.ts';
import { connectOnce } from '../../platform/postgres/connect.ts';
import { checkMasterKeys } from '../../platform/vault/check-keys.ts';
import { openKeyProvider } from '../../platform/vault/master-key/open-keys.ts';
import { forErrors, forOutput } from '../colours.ts';
import { readEnvironment } from '../environment.ts';
import { printJson } from '../json.ts';
import { printProgress } from '../progress.ts';
import { checkDatabase } from '../setup/checks.ts';
import { addToEnvFile } from '../setup/env-file.ts';
import { readOperatorKey, setUpKey, type FirstKey } from '../setup/first-key.ts';
import { missingSettings, type Ask, type SettingOptions } from '../setup/settings.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';
import { UsageError } from '../exit-code.ts';

/** The options as written on the command line. */
export type SetupOptions = SettingOptions & {
  readonly merchantAccount: string;
  readonly name: string;
  /** The file of a public key. */
  readonly publicKey?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean | undefined;
};

const ENV_FILE = '.env';

/**
 * Prepares a production installation, and prints each step. Asks for missing settings on a terminal. With `--json` the
 * steps are on standard error, and nothing is asked.
 *
 * The order is: check everything, write the missing settings to `.env`, migrate, create the merchant account, store the
 * first key. Each step recognises its own result, so that the command can run again after a crash or a mistake.
 */
export async function setup(options: SetupOptions): Promise<void> {
  if (!isMerchantAccountId(options.merchantAccount))
    throw new UsageError('--merchant-account: must be an id of 1 to 50 letters, digits or hyphens.');
  const environment = readEnvironment();
  const publicKey = await readOperatorKey(options.publicKey, environment['PAYGRAPH_SETUP_PUBLIC_KEY']);
  const added = await withQuestions(options, (ask) => missingSettings(environment, options, ask));
  const config = directly(parseConfig({ ...environment, ...added }));
  const done = options.json ? printQuietly : printStep;
  done('Settings are complete', added['PAYGRAPH_MASTER_KEY'] && 'a master key was generated');
  await check(config, done);
  const addedSettings = Object.keys(added);
  if (options.dryRun) {
    if (options.json) printJson({ dryRun: true, addedSettings });
    else console.log('\nNothing was changed. Run the setup again without --dry-run.');
    return;
  }
  if (addedSettings.length > 0) {
    await addToEnvFile(ENV_FILE, added);
    done(`Wrote ${addedSettings.join(', ')} to ${ENV_FILE}`);
  }
  const keyFile = options.keyFile ?? PRODUCTION_KEY_FILE;
  const { applied, key } = await create(config, options, { publicKey, keyFile }, done);
  const { kid, isNew, file } = key;
  const { merchantAccount: merchantAccountId } = options;
  if (options.json)
    printJson({ dryRun: false, addedSettings, applied, merchantAccountId, apiKey: { kid, isNew, file } });
  else console.log(nextSteps(key, added['PAYGRAPH_MASTER_KEY'] !== undefined));
}

/** Passes a pooler by: the setup holds locks of its session. */
const directly = (config: Config): Config => withoutPooler(config, directUrl(config) ?? '');

async function check(config: Config, done: Done): Promise<void> {
  const url = config.DATABASE_URL ?? '';
  const { version, clockDifferenceMs } = await checkDatabase(url);
  done('The database answers', `Postgres ${version}, the clocks differ by ${clockDifferenceMs} ms`);
  // Data keys of an earlier setup must open before this setup writes anything.
  if (!(await isMigrated(url))) return;
  const wired = await createApp(config);
  try {
    await requireInstallation(wired.app.db, true);
    await checkMasterKeys(wired.app.db, await openKeyProvider(config, systemIds));
    done('The master key opens the data keys');
  } finally {
    await wired.close();
  }
}

async function isMigrated(url: string): Promise<boolean> {
  const client = await connectOnce(url);
  try {
    return (await unappliedMigrations(client)).length === 0;
  } finally {
    await client.end();
  }
}

/** The names of the applied migrations, and the first key. */
type Created = { readonly applied: readonly string[]; readonly key: FirstKey };

async function create(
  config: Config,
  { merchantAccount, name }: SetupOptions,
  wanted: Parameters<typeof setUpKey>[1],
  done: Done,
): Promise<Created> {
  const url = config.DATABASE_URL ?? '';
  const applied = await migrate(url, { progress: printProgress });
  done(applied.length === 0 ? 'The database is up to date' : `Applied ${applied.length} migrations`);
  const wired = await createApp(config);
  const app = actingAs(wired.app, { kind: 'command', id: 'setup', merchantAccountId: merchantAccount });
  try {
    await claimInstallation(app.db, true, app.clock.now());
    return await withAdvisoryLock(url, 'paygraph.provision', async () => {
      await provisionMerchantAccount(app, { id: merchantAccount, displayName: name });
      done(`The merchant account ${merchantAccount} exists`);
      const key = await setUpKey(app, wanted);
      done(key.sentence);
      return { applied, key };
    });
  } finally {
    await wired.close();
  }
}

/** Offers questions when a person is at the terminal. */
async function withQuestions<Value>(
  { yes, json }: SetupOptions,
  use: (ask: Ask) => Promise<Value>,
): Promise<Value> {
  if (yes || json || !process.stdin.isTTY) return await use(null);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // The terminal keeps Ctrl-C for itself while it waits for an answer.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await use((question) => terminal.question(question));
  } finally {
    terminal.close();
  }
}

/** Prints a step that is done. */
type Done = (what: string, note?: string | false) => void;

const stepPrinter =
  (stream: NodeJS.WriteStream, colours: typeof forOutput): Done =>
  (what, note) =>
    void stream.write(`${colours.green('✓')} ${what}${note ? colours.dim(` (${note})`) : ''}\n`);

const printStep = stepPrinter(process.stdout, forOutput);
/** Keeps standard output free for JSON. */
const printQuietly = stepPrinter(process.stderr, forErrors);

const nextSteps = ({ file }: FirstKey, hasNewMasterKey: boolean): string => `
${forOutput.bold('Paygraph is set up for production.')}
${hasNewMasterKey ? `\nKeep a copy of PAYGRAPH_MASTER_KEY outside this machine. Nobody can open card numbers and secrets without it.\n` : ''}
Start the service:

  ${howToRun('start')}

${
  file === null
    ? 'Sign a token with your private key: see /docs/guides/tokens of the service.'
    : `Make a token, valid for an hour:\n\n  export TOKEN=$(${howToRun('token', file === PRODUCTION_KEY_FILE ? '' : `--key ${file}`).replace('npm run', 'npm run --silent')})`
}

Then connect a payment service and take a payment: see /docs/operate/go-live of the service.
`;
