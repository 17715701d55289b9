import type { Vault } from '../../platform/vault/vault.ts';
import type { CardCondition, ThreeDSScenario } from './scenario.ts';

/** A card as conditions and test cards look at it. The number is in clear: nobody keeps or shows this. */
export type PaymentCard = {
  readonly number: string;
  /** Null when no rule asks for a whole number. */
  readonly fingerprint: string | null;
};

/** What `decideThreeDS` looks at of a card number. Not to be called inside a transaction, see Vault. */
export async function paymentCard(
  vault: Vault,
  merchantAccountId: string,
  number: string,
  scenarios: readonly Pick<ThreeDSScenario, 'conditions'>[],
): Promise<PaymentCard> {
  // A digest that nothing is compared with may make the merchant account's first key, which reading must not.
  const asked = scenarios.some(({ conditions }) => conditions.cardNumber?.fingerprint != null);
  return { number, fingerprint: asked ? await vault.fingerprint(merchantAccountId, number) : null };
}

/** As many digits and fewer are a BIN, more are a whole number. */
export const BIN_DIGITS_MAX = 11;

/** What is kept of the card number or BIN of a condition. Of 13 digits, ten are shown. */
export async function cardCondition(
  vault: Vault,
  merchantAccountId: string,
  digits: string,
): Promise<CardCondition> {
  if (digits.length <= BIN_DIGITS_MAX) return { bin: digits, lastFour: null, fingerprint: null };
  const fingerprint = await vault.fingerprint(merchantAccountId, digits);
  return { bin: digits.slice(0, 6), lastFour: digits.slice(-4), fingerprint };
}

/** Whether a card is the one of a condition, or one of its BIN. */
export const isOf = (card: PaymentCard, { bin, fingerprint }: CardCondition): boolean =>
  fingerprint === null ? card.number.startsWith(bin) : card.fingerprint === fingerprint;
