import type { App } from '../../../app.ts';
import type { UnknownCause } from '../../../connectors/interface/outcome.ts';
import type { Hold } from '../hold/hold.ts';
import type { Transaction } from '../model/transaction.ts';
import { AWAY_AFTER } from './passes.ts';
import { sweepPayment, type Look } from './sweep-payment.ts';
import type { Sweep, SweptPayment } from './store/sweeps.sql.ts';
import { forgetUnanswered, putAside } from './store/unanswered.sql.ts';

/** The cause of a look without a result: the cause of the provider's silence, or a fault of this program. */
export type UnansweredCause = UnknownCause | 'fault';

/** The looks at some payments. */
export type Looks = {
  readonly looks: number;
  readonly compared: number;
  readonly untold: number;
  /** The last payment that had its look. Null without a look. */
  readonly last: Transaction | null;
};

/** The looks of a whole round so far. Each comparison of the round adds its looks. */
export type Tally = {
  looks: number;
  answers: number;
  /** The ids of the payments that had a look. */
  readonly looked: Set<string>;
  /** The looks in a row without an answer. */
  silences: number;
};

/** True if the provider seems to be away. The round then stops. */
export const isAway = ({ silences }: Readonly<Tally>): boolean => silences >= AWAY_AFTER;

/**
 * Compares payments in their order. A payment without an answer is put aside and asked about later, and the others go on. Stops
 * when the provider seems to be away. Adds the looks to `tally`. Commits for each silence, and once for the answers. A crash
 * repeats looks.
 */
export async function compareEach(
  app: App,
  sweep: Sweep,
  payments: readonly SweptPayment[],
  { hold, tally }: { readonly hold: Hold | null; readonly tally: Tally },
): Promise<Looks> {
  const found = { compared: 0, untold: 0 };
  const answered: string[] = [];
  let looks = 0;
  for (const payment of payments) {
    if (isAway(tally)) break;
    const { id } = payment.transaction;
    const look = await lookAt(app, sweep, payment, hold);
    looks += 1;
    tally.looks += 1;
    tally.looked.add(id);
    if (look.kind === 'silent') {
      tally.silences += 1;
      await putAside(app.db, sweep, { payment: id, cause: look.cause, now: app.clock.now() });
    } else {
      tally.silences = 0;
      tally.answers += 1;
      found[look.kind] += 1;
      answered.push(id);
    }
  }
  await forgetUnanswered(app.db, sweep, answered);
  return { looks, ...found, last: payments[looks - 1]?.transaction ?? null };
}

type Seen = Exclude<Look, { readonly kind: 'silent' }> | { kind: 'silent'; cause: UnansweredCause };

/** Looks at a payment. A fault here is logged and counts as a silence, because it would stop the others too. */
async function lookAt(app: App, sweep: Sweep, payment: SweptPayment, hold: Hold | null): Promise<Seen> {
  const { merchantAccountId, paymentServiceId } = sweep;
  try {
    return await sweepPayment(app, paymentServiceId, payment, { hold });
  } catch (error) {
    const { id: transactionId } = payment.transaction;
    app.log.error({ merchantAccountId, transactionId, err: error }, 'A payment could not be compared.');
    return { kind: 'silent', cause: 'fault' };
  }
}
