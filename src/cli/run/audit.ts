import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { App } from '../../app.ts';
import { createApp } from '../../main.ts';
import { exportAudit, readAuditedAccounts, verifyAudit, type Head } from '../../modules/audit/index.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { withDatabase } from '../database.ts';
import { readConfig } from '../environment.ts';
import { withoutPooler } from '../../platform/process/config.ts';
import { UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';

/** The options as written on the command line. */
export type AuditOptions = {
  readonly verify?: boolean;
  /** Heads such as `default:120:3f…`. */
  readonly expect: readonly string[];
  readonly export?: boolean;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly merchantAccount?: string | undefined;
  readonly json?: boolean | undefined;
};

/** Verifies or exports the audit log. Ends with an error when an entry was changed or removed. */
export async function auditCommand(options: AuditOptions): Promise<void> {
  if (Boolean(options.verify) === Boolean(options.export))
    throw new UsageError('Give one of --verify and --export.');
  const config = readConfig();
  await withDatabase(config, async (url) => {
    const wired = await createApp(withoutPooler(config, url));
    try {
      if (options.verify) await verify(wired.app, options);
      else await print(wired.app, options);
    } finally {
      await wired.close();
    }
  });
}

async function verify(app: App, options: AuditOptions): Promise<void> {
  const expected = options.expect.map(readHead);
  const accounts = await accountsOf(app, options);
  const faults: string[] = [];
  for (const account of new Set([
    ...accounts,
    ...expected.map(({ merchantAccountId }) => merchantAccountId),
  ])) {
    const heads = expected.filter(({ merchantAccountId }) => merchantAccountId === account);
    for (const head of heads.length > 0 ? heads : [null]) {
      const verified = await verifyAudit(app, account, head);
      faults.push(...verified.faults.map((fault) => `${account}: ${fault}`));
      const { sequence, hash } = verified.head;
      const entries = verified.entries;
      const printed = `${account}:${sequence}:${hash}`;
      if (options.json)
        printJson({ merchantAccountId: account, entries, head: printed, faults: verified.faults });
      else console.log(`${account}: ${entries} entries fit. Head: ${printed}`);
    }
  }
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
}

type ExpectedHead = Head & { readonly merchantAccountId: string };

/** The form of a head, as a verification prints it. A merchant account id holds no colon. */
const HEAD = /^([\w-]{1,50}):(\d{1,18}):([0-9a-f]{64}|)$/;

function readHead(text: string): ExpectedHead {
  const [, merchantAccountId, sequence, hash] = HEAD.exec(text) ?? [];
  if (merchantAccountId === undefined || sequence === undefined || hash === undefined)
    throw new UsageError('--expect: must be a head that --verify printed, such as default:120:3f….');
  return { merchantAccountId, sequence: BigInt(sequence), hash };
}

async function print(app: App, options: AuditOptions): Promise<void> {
  const period = { from: readMoment('--from', options.from), to: readMoment('--to', options.to) };
  const accounts = await accountsOf(app, options);
  const lines = exportAudit(app, accounts, period, options.json ? 'json' : 'csv');
  await pipeline(Readable.from(lines), process.stdout, { end: false });
}

function readMoment(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw new UsageError(`${name}: must be a moment such as 2026-01-31.`);
  return moment;
}

const accountsOf = async (app: App, { merchantAccount }: AuditOptions): Promise<readonly string[]> =>
  merchantAccount === undefined ? await readAuditedAccounts(app.db) : [merchantAccount];
