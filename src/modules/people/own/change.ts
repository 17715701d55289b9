import type { App } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { endOtherSessionsOf } from '../../sessions/index.ts';
import { actingAsPerson, type Browser } from '../enter.ts';
import { changeOwn, type PersonWithSecrets } from '../store/people.ts';
import { findSelf, type Self } from './account.ts';
import { refuseOfProvider, refuseProof, type Proof } from './prove.ts';

/** A request of a signed-in person about the own account. */
export type OwnRequest = { readonly self: Self; readonly proof: Proof; readonly browser: Browser };

/** The fields of the person that a change writes. */
type Written = Parameters<typeof changeOwn>[2];

/** A change of the own account. The check comes before the proof, and the last step runs in the transaction of the change. */
export type OwnChange = {
  readonly check: (person: PersonWithSecrets) => InvalidInput | null | Promise<InvalidInput | null>;
  readonly write: (person: PersonWithSecrets) => Promise<Written> | Written;
  readonly also?: (tx: Tx, person: PersonWithSecrets) => Promise<InvalidInput | NotFound | null>;
  /** True if each other session of the person ends. */
  readonly endsOthers: boolean;
};

/**
 * Changes the account of the person of a session, after a proof. Refuses a person of an identity provider. Commits thrice: the
 * attempt, its proof, and the change with the end of the other sessions.
 */
export async function changeOwnAccount(
  app: App,
  { self, proof, browser }: OwnRequest,
  { check, write, also, endsOthers }: OwnChange,
): Promise<Result<PersonWithSecrets, InvalidInput | NotFound>> {
  const person = await findSelf(app, self);
  if (!person) return refuse(notFound('person'));
  const refused =
    refuseOfProvider(person) ?? (await check(person)) ?? (await refuseProof(app, person, proof, browser));
  if (refused) return refuse(refused);
  const now = app.clock.now();
  const written = { ...(await write(person)), updatedAt: now };
  const acting = actingAsPerson(app, person, browser);
  const { merchantAccountId, id: personId } = person;
  const failed = await acting.db.transaction(async (tx) => {
    if (!(await changeOwn(tx, person, written))) return invalidInput([], CHANGED);
    const kept = (await also?.(tx, person)) ?? null;
    if (kept) return kept;
    const others = { merchantAccountId, personId, keptId: self.apiKeyPairId };
    if (endsOthers) await endOtherSessionsOf(tx, others, now);
    return null;
  });
  return failed ? refuse(failed) : ok(person);
}

const CHANGED = 'The account was changed at the same moment. Load the page again.';
