import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { PaygraphError } from '../../../client/error.ts';
import { ask, SignInError } from '../../app/session.ts';
import { texts } from '../../texts/texts.ts';

export type Passkey = {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

/** The means of the signed-in person to sign in. */
export type OwnAccount = {
  readonly email: string;
  readonly usesIdentityProvider: boolean;
  readonly hasPassword: boolean;
  readonly recoveryCodesLeft: number;
  readonly passkeys: readonly Passkey[];
};

/** Posts to a path of the own account. Throws the sentence of the server with its code. */
async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  try {
    return await ask<Answer>(`account${path}`, body);
  } catch (error) {
    throw error instanceof SignInError ? new PaygraphError(error.code, error.message) : error;
  }
}

export const readOwnAccount = (): Promise<OwnAccount> => post('');

/** The proof of a change: the present password, or the answer of a passkey to a new challenge. */
async function proofOf({ hasPassword }: OwnAccount, password: string): Promise<object> {
  if (hasPassword) return { password };
  const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>('/proof');
  return { passkey: await byDevice(startAuthentication({ optionsJSON })) };
}

/** Waits for the device. A person who closes its dialog gets a sentence. */
const byDevice = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch(() => {
    throw new PaygraphError('PASSKEY_NOT_USED', texts.ownAccount.passkeys.failed);
  });

export const changePassword = (password: string, newPassword: string): Promise<object> =>
  post('/password', { proof: { password }, newPassword });

/** A new shared secret, which counts once its first code is right. */
export type CodesOffer = {
  readonly totpSecret: string;
  readonly totpAddress: string;
  readonly offer: string;
};

export const readCodesOffer = (): Promise<CodesOffer> => post('/codes/offer');

/** Replaces the shared secret. Returns the recovery codes, which no later answer has. */
export async function renewCodes(
  { offer }: CodesOffer,
  password: string,
  code: string,
): Promise<readonly string[]> {
  const given = { proof: { password }, offer, code };
  return (await post<{ readonly recoveryCodes: readonly string[] }>('/codes', given)).recoveryCodes;
}

/** Makes a passkey on the device after a proof, and adds it. */
export async function addPasskey(account: OwnAccount, password: string, name: string): Promise<object> {
  const proof = await proofOf(account, password);
  const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>('/passkeys/challenge', { proof });
  return post('/passkeys', { response: await byDevice(startRegistration({ optionsJSON })), name });
}

export const namePasskey = (id: string, name: string): Promise<object> =>
  post('/passkeys/name', { id, name });

/** Removes a passkey after a proof. */
export async function removePasskey(account: OwnAccount, password: string, id: string): Promise<object> {
  return post('/passkeys/remove', { id, proof: await proofOf(account, password) });
}
