type MethodOf = {
  readonly method: string;
  readonly card: { readonly scheme: string | null; readonly lastFour: string | null } | null;
};

/** The names that are written in another way than their first letter in upper case. */
const NAMES: Readonly<Record<string, string>> = {
  amex: 'Amex',
  paypal: 'PayPal',
  ideal: 'iDEAL',
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

const nameOf = (word: string): string =>
  NAMES[word] ?? (word.slice(0, 1).toUpperCase() + word.slice(1)).replaceAll(/[-_]/g, ' ');
