import { METHOD_NAMES, spell } from '../../design/method-names.ts';

type MethodOf = {
  readonly method: string;
  readonly card: { readonly scheme: string | null; readonly lastFour: string | null } | null;
};

/** The names of schemes and debits that are written in another way than their first letter in upper case. */
const NAMES: Readonly<Record<string, string>> = {
  amex: 'Amex',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  sepa: 'SEPA debit',
  ach: 'ACH debit',
  bacs: 'Bacs debit',
  'carte-bancaire': 'Cartes Bancaires',
};

/** The means of a payment: the scheme of the card with its last digits, or the method. */
export function Method({ method, card }: MethodOf) {
  const name = nameOf(card?.scheme ?? method);
  return card?.lastFour ? (
    <span className="method">
      <span>{name}</span> <span className="quiet">•••• {card.lastFour}</span>
    </span>
  ) : (
    name
  );
}

/** Writes the same as a text. */
export const meansOf = ({ method, card }: MethodOf): string =>
  [nameOf(card?.scheme ?? method), card?.lastFour].filter(Boolean).join(' ');

/** Writes the network that a buyer chose, such as `CARTE_BANCAIRE`. */
export const networkOf = (network: string): string => nameOf(network.toLowerCase().replaceAll('_', '-'));

const nameOf = (word: string): string => NAMES[word] ?? METHOD_NAMES[word] ?? spell(word);
