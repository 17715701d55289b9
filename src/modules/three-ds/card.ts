import type { Vault } from '../../platform/vault/vault.ts';
import type { CardCondition, ThreeDSScenario } from './scenario.ts';

/** A card as conditions and test cards see it. The number is in clear and must not be stored or shown. */
export type PaymentCard = {
  readonly number: string;
  /** Null when no rule has a whole card number. */
  readonly fingerprint: string | null;
};

/** Returns the parts of a card number that `decideThreeDS` compares. Must not run inside a transaction, see Vault. */
export async function paymentCard(
  vault: Vault,
  merchantAccountId: string,
  number: string,
  scenarios: readonly Pick<ThreeDSScenario, 'conditions'>[],
): Promise<PaymentCard> {
  // Skip a digest without use: it could create the merchant account's first key, and a read must not.
  const requested = scenarios.some(({ conditions }) => conditions.cardNumber?.fingerprint != null);
  return { number, fingerprint: requested ? await vault.fingerprint(merchantAccountId, number) : null };
}

/** The longest BIN in digits. More digits are a whole card number. */
export const BIN_DIGITS_MAX = 11;

/** Returns the stored form of a condition's card number or BIN. Ten of 13 digits are shown. */
export async function cardCondition(
  vault: Vault,
  merchantAccountId: string,
  digits: string,
): Promise<CardCondition> {
  if (digits.length <= BIN_DIGITS_MAX) return { bin: digits, lastFour: null, fingerprint: null };
  const fingerprint = await vault.fingerprint(merchantAccountId, digits);
  return { bin: digits.slice(0, 6), lastFour: digits.slice(-4), fingerprint };
}

/** Tells whether a card has the number or the BIN of a condition. */
export const isOf = (card: PaymentCard, { bin, fingerprint }: CardCondition): boolean =>
  fingerprint === null ? card.number.startsWith(bin) : card.fingerprint === fingerprint;
