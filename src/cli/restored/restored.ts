import {
  compareUnansweredAgain,
  holdPayments,
  readProgress,
  releasePayments,
  type Acceptance,
  type HoldApp,
  type HoldReason,
} from '../../modules/transactions/index.ts';
import { openConnectors } from '../../open-connectors.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { isLockTimeout, openDb } from '../../platform/database/db.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';
import { requireThisVersion, withDatabase } from '../database.ts';
import { readConfig } from '../environment.ts';
import { UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { acceptedIn, linesOf, reasonIn } from './lines.ts';

/** The options as written on the command line. */
export type RestoredOptions = {
  readonly since?: string | undefined;
  readonly paymentsSince?: string | undefined;
  readonly end?: boolean;
  readonly askAgain?: boolean;
  readonly acceptUnproven?: boolean;
  readonly acceptUnanswered?: boolean;
  readonly acceptUndecided?: boolean;
  readonly anyway?: boolean;
  readonly json?: boolean | undefined;
};

/** Holds payments back, ends the hold, or shows its state. Ends with an error when something speaks against the end. */
export async function restoredCommand(options: RestoredOptions): Promise<void> {
  const asked = read(options);
  const config = readConfig();
  await withDatabase(config, async (url) => {
    const db = openDb({ url, connectionMax: 3, applicationName: 'paygraph restored' });
    try {
      await requireThisVersion(db);
      const { connectors } = await openConnectors(config, createLog('warn'));
      const app = { db, clock: systemClock, connectors };
      if (asked.kind === 'begin') await begin(app, asked);
      if (asked.kind === 'again') await compareUnansweredAgain(app);
      const accepted = asked.kind === 'end' ? await end(app, asked.accepted) : null;
      const perMinute = config.PAYGRAPH_BOOKS_CALLS_PER_MINUTE;
      const progress = await readProgress(app);
      if (options.json)
        printJson(progress ? { held: true, ...progress } : { held: false, ...(accepted && { accepted }) });
      else
        for (const line of [...(accepted ?? []).map(acceptedIn), ...linesOf(progress, perMinute)])
          console.log(line);
    } finally {
      await db.close();
    }
  });
}

type Begin = { readonly kind: 'begin'; readonly restoredTo: Date; readonly paymentsSince: Date | null };
type End = { readonly kind: 'end'; readonly accepted: readonly Acceptance[] };
type Asked = Begin | End | { readonly kind: 'show' | 'again' };

function read(options: RestoredOptions): Asked {
  const { since, paymentsSince, end, askAgain } = options;
  if ([since !== undefined, end, askAgain].filter(Boolean).length > 1)
    throw new UsageError('Give one of --since, --ask-again and --end.');
  const accepted = acceptedBy(options);
  if (accepted.length > 0 && !end)
    throw new UsageError('--anyway and each --accept option need the option --end.');
  if (end) return { kind: 'end', accepted };
  if (since === undefined && paymentsSince !== undefined)
    throw new UsageError('--payments-since needs the option --since.');
  if (since === undefined) return { kind: askAgain ? 'again' : 'show' };
  const restoredTo = readMoment('--since', since);
  const reach = paymentsSince === undefined ? null : readMoment('--payments-since', paymentsSince);
  if (reach && reach > restoredTo)
    throw new UsageError('--payments-since: must be a moment before the moment of --since.');
  return { kind: 'begin', restoredTo, paymentsSince: reach };
}

const acceptedBy = (options: RestoredOptions): readonly Acceptance[] => [
  ...(options.acceptUnproven ? (['unproven'] as const) : []),
  ...(options.acceptUnanswered ? (['unanswered'] as const) : []),
  ...(options.acceptUndecided ? (['undecided'] as const) : []),
  ...(options.anyway ? (['anyway'] as const) : []),
];

function readMoment(name: string, text: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()) || moment > systemClock.now())
    throw new UsageError(`${name}: must be a past moment such as 2026-01-31T04:00:00Z.`);
  return moment;
}

async function begin(app: HoldApp, { restoredTo, paymentsSince }: Begin): Promise<void> {
  const begun = holdPayments(app, { restoredTo, paymentsSince }).catch((error: unknown) => {
    if (isLockTimeout(error))
      throw new OperatorError('Payments are under way. Stop every process, and try again.');
    throw error;
  });
  if (!(await begun))
    throw new OperatorError(
      `Payments are held back already. Look at the hold with "${howToRun('restored')}", and end the hold before another one.`,
    );
}

/** Ends the hold. Returns the reasons against the end that the operator accepts. */
async function end(app: HoldApp, accepted: readonly Acceptance[]): Promise<readonly HoldReason[]> {
  const ended = await releasePayments(app, accepted);
  if (ended.ok) return ended.value ?? [];
  const reasons = ended.refusals.map((reason) => `  ${reasonIn(reason)}`);
  throw new OperatorError(['Payments stay held back:', ...reasons].join('\n'));
}
