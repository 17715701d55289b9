import { systemClock } from '../../platform/clock.ts';
import { registerFailpoints } from '../../platform/failpoint.ts';
import { systemIds } from '../../platform/ids.ts';
import { forgetAccount, leaveAccount, type MoveApp, type Waits } from '../../platform/moves/depart.ts';
import type { Counted } from '../../platform/moves/count.sql.ts';
import { countAccount, exportAccount } from '../../platform/moves/export-account.ts';
import { abortMove, closeAccount } from '../../platform/moves/give-up.ts';
import { importAccount, openAccount } from '../../platform/moves/import-account.ts';
import { readMoves, type Move } from '../../platform/moves/moves.sql.ts';
import { lowerWall } from '../../platform/moves/wall.sql.ts';
import { connectOnce } from '../../platform/postgres/connect.ts';
import type { Config } from '../../platform/process/config.ts';
import { openKeyProvider } from '../../platform/vault/master-key/open-keys.ts';
import { CELL } from './directory.ts';
import { withDatabase } from '../database.ts';
import { readConfig } from '../environment.ts';
import { UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';

/** The options as written on the command line. */
export type MoveOptions = {
  readonly merchantAccount?: string | undefined;
  readonly export?: string | undefined;
  readonly to?: string | undefined;
  /** Seconds. */
  readonly wait: string;
  readonly dryRun?: boolean;
  readonly import?: string | undefined;
  readonly leave?: string | undefined;
  readonly open?: string | undefined;
  readonly forget?: string | undefined;
  readonly abort?: boolean;
  readonly targetLost?: boolean;
  readonly goneTo?: string | undefined;
  readonly json?: boolean | undefined;
};

/** Takes a step of a move between cells, or shows the moves of this installation. */
export async function moveCommand(options: MoveOptions): Promise<void> {
  const step = readStep(options);
  const config = readConfig();
  registerFailpoints(config.PAYGRAPH_FAILPOINTS);
  const json = options.json ?? false;
  await withDatabase(config, async (url) => {
    const client = await connectOnce(url);
    const say = (line: string): void => void process.stderr.write(`${line}\n`);
    try {
      await client.query(`SET application_name = 'paygraph move'`);
      const app = { client, clock: systemClock, ids: systemIds, say };
      const { result, lines } = await step(app, config);
      if (json) printJson(result);
      else for (const line of lines) console.log(line);
    } finally {
      await tidy(client, say);
      await client.end();
    }
  });
}

/** Takes away what no move needs any more. The result is printed already, so a failure is only told. */
async function tidy(client: MoveApp['client'], say: MoveApp['say']): Promise<void> {
  const isTidy = await lowerWall(client).catch(() => false);
  if (!isTidy) say('Triggers of a move are still on, and cost a little. Run "paygraph move" again later.');
}

/** The result of a step, for programs and for people. */
type Told = { readonly result: object; readonly lines: readonly string[] };

type Step = (app: MoveApp, config: Config) => Promise<Told>;

function readStep(options: MoveOptions): Step {
  const { merchantAccount, export: path, import: file, leave, open, forget, abort, goneTo } = options;
  const { dryRun = false, targetLost: isTargetLost = false } = options;
  const given = [
    path,
    file,
    leave,
    open,
    forget,
    abort,
    goneTo,
    dryRun && path === undefined ? true : undefined,
  ];
  if (given.filter((each) => each !== undefined).length > 1)
    throw new UsageError('Give one of --export, --import, --leave, --open, --forget, --abort and --gone-to.');
  if (isTargetLost && abort === undefined) throw new UsageError('Give --target-lost with --abort.');
  if (file !== undefined) return (app, config) => importStep(app, config, file);
  const chosen = given.find((each) => each !== undefined);
  if (chosen === undefined) return showStep;
  const account = merchantAccount;
  if (account === undefined) throw new UsageError('Name the account with --merchant-account.');
  if (dryRun) return (app) => countStep(app, account);
  if (path !== undefined) return exportStep(account, path, options);
  if (leave !== undefined) return (app) => leaveStep(app, account, leave);
  if (open !== undefined) return (app) => openStep(app, account, open);
  if (forget !== undefined) return (app) => forgetStep(app, account, forget);
  if (goneTo !== undefined) return goneStep(account, goneTo, options);
  return (app) => abortStep(app, account, isTargetLost);
}

const MAX_WAIT_S = 3_600;

function waitsOf(wait: string): Waits {
  if (!/^\d{1,4}$/.test(wait) || Number(wait) > MAX_WAIT_S)
    throw new UsageError(`--wait: must be a whole number from 0 to ${MAX_WAIT_S}.`);
  return { callsMs: Number(wait) * 1_000, logsMs: 60_000 };
}

function cellOf(option: string, name: string | undefined): string {
  if (name === undefined || !CELL.test(name))
    throw new UsageError(
      `${option}: must be the name of the cell that gets the account, as in the directory.`,
    );
  return name;
}

function exportStep(account: string, path: string, { to, wait }: MoveOptions): Step {
  const cell = cellOf('--to', to);
  const waits = waitsOf(wait);
  return async (app) => {
    const { move, tables } = await exportAccount(app, { account, cell, path }, waits);
    return {
      result: { move: move.id, account, file: path, tables },
      lines: [
        ...linesOf(tables),
        `${account} is in ${path}. Import the file in the cell ${move.cell ?? cell}.`,
      ],
    };
  };
}

async function importStep(app: MoveApp, config: Config, path: string): Promise<Told> {
  const keys = await openKeyProvider(config, systemIds);
  const { account, receipt, tables } = await importAccount(app, keys, path);
  return {
    result: { account, receipt, tables },
    lines: [
      ...linesOf(tables),
      `${account} is here, and closed. Give this receipt to the source, with --leave:`,
      receipt,
    ],
  };
}

async function leaveStep(app: MoveApp, account: string, receipt: string): Promise<Told> {
  const key = await leaveAccount(app, account, receipt);
  return {
    result: { account, key },
    lines: [`Open ${account} in the target with this key, with --open:`, key],
  };
}

async function openStep(app: MoveApp, account: string, key: string): Promise<Told> {
  const confirmation = await openAccount(app, account, key);
  return {
    result: { account, confirmation },
    lines: [
      `${account} is served here. The source forgets it with this confirmation, with --forget:`,
      confirmation,
    ],
  };
}

async function forgetStep(app: MoveApp, account: string, confirmation: string): Promise<Told> {
  const removed = await forgetAccount(app, account, confirmation);
  return { result: { account, removed }, lines: [`${removed} rows of ${account} are removed.`] };
}

function goneStep(account: string, goneTo: string, { wait }: MoveOptions): Step {
  const cell = cellOf('--gone-to', goneTo);
  const waits = waitsOf(wait);
  return async (app) => {
    await closeAccount(app, { account, cell }, waits);
    return {
      result: { account, cell },
      lines: [`${account} is closed here. Its requests belong to ${cell}.`],
    };
  };
}

async function abortStep(app: MoveApp, account: string, isTargetLost: boolean): Promise<Told> {
  await abortMove(app, account, { isTargetLost });
  return { result: { account, aborted: true }, lines: [`The move of ${account} is given up.`] };
}

async function countStep({ client }: MoveApp, account: string): Promise<Told> {
  const tables = await countAccount(client, account);
  return { result: { account, dryRun: true, tables }, lines: linesOf(tables) };
}

async function showStep({ client }: MoveApp): Promise<Told> {
  const moves = await readMoves(client);
  return {
    result: { moves: moves.map(shown) },
    lines:
      moves.length === 0
        ? ['No account has moved.']
        : moves.map(({ account, state, cell, startedAt }) =>
            [
              `${account}: ${state}`,
              cell === null ? '' : `, cell ${cell}`,
              `, since ${startedAt.toISOString()}`,
            ].join(''),
          ),
  };
}

/** The key of the departure stays out of listings. */
const shown = ({ account, id, state, cell, startedAt }: Move) => ({
  account,
  move: id,
  state,
  cell,
  startedAt,
});

const linesOf = (tables: readonly Counted[]): readonly string[] => {
  const filled = tables.filter(({ rows }) => rows !== '0');
  const width = Math.max(0, ...filled.map(({ name }) => name.length));
  return filled.map(({ name, rows }) => `  ${name.padEnd(width)}  ${rows}`);
};
