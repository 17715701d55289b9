import type { App } from '../../../app.ts';
import { queryIn } from '../../../platform/database/db.ts';
import { recordGiftCardMovement } from './settle-gift-card.ts';
import type { Operated, Operation } from '../model/operation.ts';
import { lockOperation, readOperation } from '../rows/read.sql.ts';
import { applyChanges, type ApplyContext, type VersionedState } from './apply.sql.ts';
import type { Changes, State } from './changes.ts';

/** The rows after an outcome. `changed` says that this outcome wrote them. */
export type Settled = Operated & { readonly changed: boolean };

export type OutcomeToWrite = {
  /** Decides the changes of the outcome. Null means no changes. The call may be repeated with a later state. */
  readonly decide: (state: State) => Changes | null;
  /**
   * Decides the changes for an operation that a report of the provider booked before. Asked under the lock, if the first changes
   * do not apply.
   */
  readonly decideBooked?: (state: State) => Changes | null;
  readonly context: ApplyContext;
  /** True when the outcome also moves the balance of a stored gift card. */
  readonly countsGiftCard: boolean;
};

/**
 * Writes an outcome in one commit. Decides on the caller's state, and applies the changes if that state is current.
 * After the first conflict, reads under the transaction's lock and decides again. So each operation waits once, however
 * many others share its payment.
 */
export async function writeOutcome(app: App, operated: Operated, outcome: OutcomeToWrite): Promise<Settled> {
  if (!outcome.countsGiftCard) {
    const state = versioned(operated) ?? (await read(app, operated.operation));
    const changes = outcome.decide(state);
    const written = changes && (await applyChanges(app.db, state, changes, outcome.context));
    if (written) return { ...written, connection: state.service, changed: true };
  }
  return writeUnderLock(app, operated.operation, outcome);
}

function versioned({ operation, transaction, version, connection }: Operated): VersionedState | null {
  return version == null || !connection ? null : { operation, transaction, version, service: connection };
}

async function read(app: App, { merchantAccountId, id }: Operation): Promise<VersionedState> {
  const found = await readOperation(app.db, merchantAccountId, id);
  if (!found) throw new Error(`Operation ${id} is gone`);
  return { ...found, service: found.connection };
}

/** Locks, decides and applies in a short database transaction, without any network call. */
async function writeUnderLock(
  app: App,
  { merchantAccountId, id }: Operation,
  { decide, decideBooked, context, countsGiftCard }: OutcomeToWrite,
): Promise<Settled> {
  return app.db.transaction(async (tx) => {
    const found = await lockOperation(queryIn(tx), merchantAccountId, id);
    if (!found) throw new Error(`Operation ${id} is gone`);
    const state = { ...found, service: found.connection };
    const changes = decide(state);
    if (!changes) return { ...found, changed: false };
    let written = await applyChanges(queryIn(tx), state, changes, context);
    const booked = written ? null : decideBooked?.(state);
    if (booked) written = await applyChanges(queryIn(tx), state, booked, context);
    if (!written) throw new Error(`Operation ${id} changed under the lock of its transaction`);
    if (countsGiftCard) await recordGiftCardMovement(app, tx, written, changes.now);
    return { ...written, connection: state.service, changed: true };
  });
}
