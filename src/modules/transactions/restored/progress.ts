import type { App } from '../../../app.ts';
import { countOpenDifferences } from '../differences/count-open.sql.ts';
import { readHold, type Hold } from '../hold/hold.ts';
import { readingDefinitions } from '../sweep/loop.ts';
import {
  countGiftCardPayments,
  countReports,
  countUndecided,
  readCompared,
  type ComparedService,
  type Undecided,
} from './progress.sql.ts';

/**
 * The comparison at a payment service.
 *
 * - `compared`: each payment was compared, or its provider does not know the payment any more. Those in `unanswered` were asked
 *   about in vain.
 * - `comparing`: payments are left.
 * - `unproven`: the provider tells no payment as a whole, or the payment service is deleted.
 */
export type ProvedService = Omit<ComparedService, 'proof'> & {
  readonly state: 'compared' | 'comparing' | 'unproven';
  readonly compared: number;
  /** The payments that the provider did not tell. */
  readonly untold: number;
};

/** The state of a hold. */
export type HoldProgress = Undecided & {
  readonly hold: Hold;
  readonly services: readonly ProvedService[];
  /** The payments with gift cards. The providers of gift cards tell no payment. */
  readonly giftCards: number;
  /** The reports of the comparison that are not booked yet. */
  readonly reports: number;
  readonly differences: number;
};

export type HoldApp = Pick<App, 'db' | 'clock' | 'connectors'>;

/** Reads how far the comparison since the restore is. Null while payments go on as usual. */
export async function readProgress(app: HoldApp): Promise<HoldProgress | null> {
  const hold = await readHold(app.db);
  if (!hold) return null;
  // An outcome makes a payment to compare, a comparison stores reports, and a report may become a difference. In this
  // order, each is counted at least once.
  const waiting = await countUndecided(app.db, hold);
  const services = await readCompared(app.db, hold);
  const reports = await countReports(app.db);
  const differences = await countOpenDifferences(app.db);
  const reading = new Set(readingDefinitions(app));
  return {
    hold,
    ...waiting,
    giftCards: await countGiftCardPayments(app.db, hold),
    services: services.map((service) => proved(service, reading)),
    reports,
    differences: differences.reduce((sum, { count }) => sum + count, 0),
  };
}

function proved({ proof, ...told }: ComparedService, reading: ReadonlySet<string>): ProvedService {
  const isRead = reading.has(told.definitionId) && !told.isDeleted;
  // No try follows where nobody can be asked.
  const service = isRead ? told : { ...told, left: told.left + unansweredOf(told), unanswered: [] };
  const { compared = 0, untold = 0, isDone = false } = proof ?? {};
  return { ...service, compared, untold, state: stateOf(isRead, isDone && service.left === 0) };
}

const stateOf = (isRead: boolean, isCompared: boolean): ProvedService['state'] => {
  if (isCompared) return 'compared';
  return isRead ? 'comparing' : 'unproven';
};

/** Returns the number of payments that could not be compared. */
export const unansweredOf = ({ unanswered }: Pick<ProvedService, 'unanswered'>): number =>
  unanswered.reduce((sum, { payments }) => sum + payments, 0);
