import type { App } from '../../../app.ts';
import type { UnknownCause } from '../../../connectors/interface/outcome.ts';
import type { Hold } from '../hold/hold.ts';
import type { Transaction } from '../model/transaction.ts';
import { AWAY_AFTER } from './passes.ts';
import { sweepPayment, type Look } from './sweep-payment.ts';
import type { Sweep, SweptPayment } from './sweeps.sql.ts';
import { forgetUnanswered, putAside } from './unanswered.sql.ts';

/** The cause of a look without a result: the cause of the provider's silence, or a fault of this program. */
export type UnansweredCause = UnknownCause | 'fault';

/** The looks at some payments. */
export type Looks = {
  readonly looks: number;
  readonly compared: number;
  readonly untold: number;
  /** The last payment that had its look. Null without a look. */
  readonly last: Transaction | null;
  /** True if the provider gave no answer at all, or none to several looks in a row. */
  readonly isAway: boolean;
};

/**
 * Compares payments in their order. A payment without an answer is put aside and asked about later, and the others go on. Stops
 * when the provider seems to be away. Commits for each silence, and once for the answers. A crash repeats looks.
 */
export async function compareEach(
  app: App,
  sweep: Sweep,
  payments: readonly SweptPayment[],
  { hold }: { readonly hold: Hold | null },
): Promise<Looks> {
  const found = { compared: 0, untold: 0 };
  const answered: string[] = [];
  let [looks, silences] = [0, 0];
  for (const payment of payments) {
    const { id } = payment.transaction;
    const look = await lookAt(app, sweep, payment, hold);
    looks += 1;
    if (look.kind === 'silent') {
      silences += 1;
      await putAside(app.db, sweep, { payment: id, cause: look.cause, now: app.clock.now() });
    } else {
      silences = 0;
      found[look.kind] += 1;
      answered.push(id);
    }
    if (silences === AWAY_AFTER) break;
  }
  await forgetUnanswered(app.db, sweep, answered);
  const isAway = silences === AWAY_AFTER || (looks > 0 && answered.length === 0);
  return { looks, ...found, last: payments[looks - 1]?.transaction ?? null, isAway };
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
