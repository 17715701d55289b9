import type { App } from '../../../app.ts';
import { invalidInput, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { SealContext } from '../../../platform/vault/vault.ts';
import { newTotpSecret, stepOfCode, totpAddress, totpPlace } from '../one-time-code.ts';
import { hashPassword, refusePassword } from '../password.ts';
import type { Person } from '../person.ts';
import { newRecoveryCodes, recoveryDigest } from '../recovery-code.ts';
import { findSelf, type Self } from './account.ts';
import { changeOwnAccount, type OwnRequest } from './change.ts';

/**
 * Changes the own password. Each other session ends. Refuses a weak password, a wrong present one, and a person without a password.
 */
export async function changeOwnPassword(
  app: App,
  request: OwnRequest,
  newPassword: string,
): Promise<Result<null, InvalidInput | NotFound>> {
  const changed = await changeOwnAccount(app, request, {
    check: ({ email, passwordHash }) => {
      if (passwordHash === null) return invalidInput(['password'], NO_PASSWORD);
      const weak = refusePassword(newPassword, email);
      return weak === null ? null : invalidInput(['newPassword'], weak);
    },
    write: async () => ({ passwordHash: await hashPassword(app, newPassword) }),
    endsOthers: true,
  });
  return changed.ok ? ok(null) : changed;
}

const NO_PASSWORD = 'You sign in without a password.';

/** A shared secret that replaces the present one, once its first code is right. `offer` is the secret, sealed. */
export type CodesOffer = {
  readonly totpSecret: string;
  readonly totpAddress: string;
  readonly offer: string;
};

/** Offers a new shared secret for one-time codes. Stores nothing. Null for a person without a password. */
export async function offerCodes(app: App, self: Self): Promise<CodesOffer | null> {
  const person = await findSelf(app, self);
  if (!person || person.passwordHash === null) return null;
  const totpSecret = newTotpSecret(app);
  const offer = await app.vault.seal(offerPlace(person), totpSecret);
  return { totpSecret, totpAddress: totpAddress(totpSecret, person), offer };
}

/** The place binds an offer to its person, so that no other sealed value passes for one. */
const offerPlace = (person: Pick<Person, 'merchantAccountId' | 'id'>): SealContext => ({
  ...{ table: 'dashboard_person', column: 'offered shared secret' },
  ...{ merchantAccountId: person.merchantAccountId, rowId: person.id },
});

/**
 * Replaces the shared secret of the one-time codes, and the recovery codes. Returns the new recovery codes, which no later answer
 * has. Each other session ends. Refuses a wrong code of the new secret, and a wrong present password.
 */
export async function renewOwnCodes(
  app: App,
  request: OwnRequest,
  { offer, code }: { readonly offer: string; readonly code: string },
): Promise<Result<readonly string[], InvalidInput | NotFound>> {
  const recoveryCodes = newRecoveryCodes(app);
  const opened = await openOffer(app, request.self, offer);
  const step = opened === null ? null : stepOfCode(opened, code.replace(/\s/g, ''), app.clock.now());
  if (opened === null || step === null) return refuse(invalidInput(['code'], WRONG_CODE));
  const changed = await changeOwnAccount(app, request, {
    check: ({ passwordHash }) => (passwordHash === null ? invalidInput(['password'], NO_PASSWORD) : null),
    write: async (person) => ({
      sealedTotp: await app.vault.seal(totpPlace(person), opened),
      totpStep: step,
      recoveryDigests: recoveryCodes.map((each) => recoveryDigest(each) ?? ''),
    }),
    endsOthers: true,
  });
  return changed.ok ? ok(recoveryCodes) : changed;
}

const WRONG_CODE =
  'The code is wrong. Type the six digits that the app shows for the new secret now. The clock of the phone must be right.';

async function openOffer(app: App, self: Self, offer: string): Promise<string | null> {
  const person = await findSelf(app, self);
  // The vault throws for each text that is no sealed offer of this person.
  return person && (await app.vault.open(offerPlace(person), offer).catch(() => null));
}
