import type { App } from '../../../app.ts';
import type { StoreInput } from '../input/stored.ts';
import { describeInstrument } from './describe.ts';

/**
 * What an idempotency key remembers of a request to store: what cannot be shown is a keyed digest in the place of its number,
 * and a security code is no part of it.
 */
export async function canonicalInput(
  app: App,
  merchantAccountId: string,
  { instrument, ...fields }: StoreInput,
): Promise<Readonly<Record<string, unknown>>> {
  const { identity } = describeInstrument(instrument);
  const digest = identity === null ? null : await app.vault.fingerprint(merchantAccountId, identity);
  return {
    ...fields,
    buyerId: fields.buyerId?.toLowerCase() ?? null,
    instrument: {
      ...(instrument.card && {
        card: { number: digest, expirationDate: instrument.card.expirationDate },
      }),
      ...(instrument.networkToken && { networkToken: { ...instrument.networkToken, token: digest } }),
      ...(instrument.bankAccount && { bankAccount: { ...instrument.bankAccount, accountNumber: digest } }),
      ...(instrument.redirect && { redirect: instrument.redirect }),
      ...(instrument.instantBankMandate && {
        instantBankMandate: { ...instrument.instantBankMandate, mandate: digest },
      }),
    },
  };
}
