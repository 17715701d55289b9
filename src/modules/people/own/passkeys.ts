import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { App } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isDuplicate } from '../../../platform/database/db.ts';
import { actingAsPerson } from '../enter.ts';
import { created, creationOptions } from '../passkeys.ts';
import { findPasskeysOf, insertPasskey, namePasskey, removePasskey } from '../store/passkeys.ts';
import { changeOwn } from '../store/people.ts';
import { findSelf } from './account.ts';
import { changeOwnAccount, type OwnRequest } from './change.ts';
import { refuseOfProvider, refuseProof } from './prove.ts';

/**
 * Returns the options with which a signed-in person makes a passkey, after a proof. The challenge counts once, for ten minutes.
 * Refuses a person of an identity provider.
 */
export async function offerOwnPasskey(
  app: App,
  { self, proof, browser }: OwnRequest,
): Promise<Result<Awaited<ReturnType<typeof creationOptions>>, InvalidInput | NotFound>> {
  const person = await findSelf(app, self);
  if (!person) return refuse(notFound('person'));
  const refused = await refuseProof(app, person, proof, browser);
  return refused
    ? refuse(refused)
    : ok(await creationOptions(app, person, await findPasskeysOf(app.db, person)));
}

/**
 * Adds a passkey with a name of 1 to 60 characters. The challenge stands for the proof, so there is no other. Refuses a wrong answer.
 * Commits twice: the challenge is used up first.
 */
export async function addOwnPasskey(
  app: App,
  { self, browser }: Omit<OwnRequest, 'proof'>,
  { response, name }: { readonly response: RegistrationResponseJSON; readonly name: string },
): Promise<Result<null, InvalidInput | NotFound>> {
  const person = await findSelf(app, self);
  if (!person) return refuse(notFound('person'));
  const passkey = await created(app, person, response);
  const acting = actingAsPerson(app, person, browser);
  try {
    const isAdded = await acting.db.transaction(async (tx) => {
      if (!passkey || !(await changeOwn(tx, person, { updatedAt: app.clock.now() }))) return false;
      await insertPasskey(tx, { ...passkey, name });
      return true;
    });
    return isAdded ? ok(null) : refuse(invalidInput(['response'], WRONG_ANSWER));
  } catch (error) {
    if (isDuplicate(error)) return refuse(invalidInput(['response'], WRONG_ANSWER));
    throw error;
  }
}

const WRONG_ANSWER = 'The device made no new passkey. Try again, perhaps with another device.';

/** Removes a passkey. Each other session ends. Never removes the last way to sign in, not even of two requests at once. */
export async function removeOwnPasskey(
  app: App,
  request: OwnRequest,
  id: string,
): Promise<Result<null, InvalidInput | NotFound>> {
  const changed = await changeOwnAccount(app, request, {
    check: () => null,
    write: () => ({}),
    // The row of the person is locked by now, so the count holds.
    also: async (tx, person) => {
      const passkeys = await findPasskeysOf({ prisma: tx }, person);
      const passkey = passkeys.find((each) => each.id === id);
      if (!passkey) return notFound('passkey');
      if (passkeys.length === 1 && person.passwordHash === null) return invalidInput(['id'], LAST_WAY);
      await removePasskey(tx, passkey);
      return null;
    },
    endsOthers: true,
  });
  return changed.ok ? ok(null) : changed;
}

const LAST_WAY = 'This passkey is your only way to sign in. Add another one first.';

/** Names a passkey. Commits once. */
export async function nameOwnPasskey(
  app: App,
  { self, browser }: Omit<OwnRequest, 'proof'>,
  named: { readonly id: string; readonly name: string },
): Promise<Result<null, InvalidInput | NotFound>> {
  const person = await findSelf(app, self);
  if (!person) return refuse(notFound('person'));
  const ofProvider = refuseOfProvider(person);
  if (ofProvider) return refuse(ofProvider);
  const acting = actingAsPerson(app, person, browser);
  const done = await acting.db.transaction((tx) => namePasskey(tx, person, named));
  return done ? ok(null) : refuse(notFound('passkey'));
}
