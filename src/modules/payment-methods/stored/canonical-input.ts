import type { App } from '../../../app.ts';
import type { BankAccount } from '../../../connectors/interface/requests.ts';
import type { StoreInput } from '../input/stored.ts';
import { describeInstrument } from './describe.ts';

/**
 * Returns the form of a request to store that an idempotency key remembers.
 *
 * Keyed digests replace secret numbers. The security code is left out.
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
      ...(instrument.bankAccount && { bankAccount: withDigest(instrument.bankAccount, digest) }),
      ...(instrument.redirect && { redirect: instrument.redirect }),
      ...(instrument.instantBankMandate && {
        instantBankMandate: { ...instrument.instantBankMandate, mandate: digest },
      }),
    },
  };
}

/** Returns the form of a bank account for the key of a payment: the scheme, and one keyed digest. */
export async function canonicalBankAccount(
  { vault }: Pick<App, 'vault'>,
  merchantAccountId: string,
  { scheme, ...account }: BankAccount,
): Promise<Readonly<Record<string, unknown>>> {
  const { accountNumber, routingNumber, accountType, accountHolder, mandate } = account;
  const { firstName, lastName, companyName } = accountHolder;
  const parts = [
    ...[scheme, accountNumber, routingNumber, accountType, firstName, lastName, companyName],
    ...(mandate
      ? [mandate.reference, mandate.text, mandate.acceptedAt, mandate.ipAddress, mandate.userAgent]
      : []),
  ];
  return { scheme, account: await vault.fingerprint(merchantAccountId, JSON.stringify(parts)) };
}

/** Keys from before mandates keep their fingerprints. */
const withDigest = ({ mandate, ...account }: BankAccount, digest: string | null) => ({
  ...account,
  accountNumber: digest,
  ...(mandate && { mandate }),
});
