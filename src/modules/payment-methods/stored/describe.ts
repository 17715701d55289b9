import { CARD_SCHEMES } from '../../payment-services/index.ts';
import { cardFacts } from '../model/card.ts';
import type { BankAccount, BankScheme } from '../../../connectors/interface/requests.ts';
import type { StoredInstrumentInput } from '../input/stored.ts';
import type { Instrument } from './instrument.ts';
import type { PaymentMethod } from '../model/payment-method.ts';

/** An instrument, split into a public and a secret part. */
export type Described = {
  readonly shown: Pick<PaymentMethod, Shown>;
  /** The part to seal. Null if the instrument holds no secret. */
  readonly secret: Instrument | null;
  /** The text for the fingerprint. Null if the instrument has no fingerprint. */
  readonly identity: string | null;
  /** The provider's reference of a mandate. Null for other instruments. */
  readonly mandate: { readonly paymentServiceId: string; readonly mandate: string } | null;
};

type Shown =
  | 'method'
  | 'instrumentType'
  | 'label'
  | 'scheme'
  | 'bin'
  | 'lastFour'
  | 'expirationDate'
  | 'bankScheme'
  | 'country'
  | 'currency'
  | 'redirectUrl';

const NOTHING = {
  label: null,
  scheme: null,
  bin: null,
  lastFour: null,
  expirationDate: null,
  bankScheme: null,
  country: null,
  currency: null,
  redirectUrl: null,
} as const;

/**
 * An instrument to store. A payment may have no country, and its redirect method may be any that a connector
 * supports.
 */
export type InstrumentGiven = Omit<StoredInstrumentInput, 'redirect' | 'bankAccount'> & {
  readonly bankAccount?: BankAccount | null | undefined;
  readonly redirect?: RedirectGiven | null | undefined;
  /** A card that only a provider can read. The provider's token follows with the payment. */
  readonly cardToken?: boolean;
};

type RedirectGiven = {
  readonly method: string;
  readonly country: string | null;
  readonly currency: string;
  readonly redirectUrl: string | null;
};

/** Describes an instrument from its own data, without a provider. Throws if no instrument is given. */
export function describeInstrument(given: InstrumentGiven): Described {
  if (given.card) return describeCard(given.card);
  if (given.networkToken) return describeNetworkToken(given.networkToken);
  if (given.bankAccount) return describeBankAccount(given.bankAccount);
  if (given.redirect) {
    const { method, country, currency, redirectUrl } = given.redirect;
    const shown = { ...NOTHING, method, instrumentType: 'redirect', country, currency, redirectUrl } as const;
    return { shown, secret: null, identity: null, mandate: null };
  }
  if (given.cardToken)
    return {
      shown: { ...NOTHING, method: 'card', instrumentType: 'card_token' },
      ...{ secret: null, identity: null, mandate: null },
    };
  if (given.instantBankMandate) return describeMandate(given.instantBankMandate);
  throw new Error('The input holds no known instrument.');
}

type Given<Kind extends keyof StoredInstrumentInput> = NonNullable<StoredInstrumentInput[Kind]>;

/** Describes a card. The fingerprint equals the one of the card's payments. */
function describeCard({ number, expirationDate }: Given<'card'>): Described {
  const { scheme, bin, lastFour } = cardFacts(number);
  const facts = { scheme: knownScheme(scheme), bin, lastFour, label: lastFour, expirationDate };
  return {
    shown: { ...NOTHING, method: 'card', instrumentType: 'pan', ...facts },
    secret: { kind: 'card', number },
    identity: number,
    mandate: null,
  };
}

/** Describes a network token. The first digits of a token are not those of the card. */
function describeNetworkToken({
  token,
  expirationDate,
  scheme,
  cardLastFour,
}: Given<'networkToken'>): Described {
  const facts = {
    scheme: scheme ?? knownScheme(cardFacts(token).scheme),
    lastFour: cardLastFour,
    label: cardLastFour,
    expirationDate,
  };
  return {
    shown: { ...NOTHING, method: 'network_token', instrumentType: 'network_token', ...facts },
    secret: { kind: 'network_token', token },
    identity: tokenIdentity(token),
    mandate: null,
  };
}

/** Returns the text for the fingerprint of a network token. A card has no such text. */
export const tokenIdentity = (token: string): string => `network_token:${token}`;

function describeBankAccount(account: BankAccount): Described {
  const { scheme, accountNumber, routingNumber } = account;
  const lastFour = accountNumber.slice(-4);
  // An IBAN is unique by itself. Other account numbers are unique only at their bank.
  const identity = scheme === 'sepa' ? accountNumber : `${routingNumber}:${accountNumber}`;
  const where = { country: bankCountryOf(account), currency: BANK_CURRENCIES[scheme] };
  const facts = { bankScheme: scheme, lastFour, label: lastFour, ...where };
  return {
    shown: { ...NOTHING, method: 'bank', instrumentType: 'bank', ...facts },
    secret: { kind: 'bank_account', ...account },
    identity: `${scheme}:${identity}`,
    mandate: null,
  };
}

/** The currency of each scheme's accounts. */
export const BANK_CURRENCIES = { ach: 'USD', sepa: 'EUR', bacs: 'GBP' } as const satisfies Record<
  BankScheme,
  string
>;

/** Returns the country of a bank account, ISO 3166-1 alpha-2. */
export const bankCountryOf = ({ scheme, accountNumber }: BankAccount): string =>
  ({ ach: 'US', sepa: accountNumber.slice(0, 2), bacs: 'GB' })[scheme];

function describeMandate(given: Given<'instantBankMandate'>): Described {
  const { method, country, currency, paymentServiceId, mandate } = given;
  return {
    shown: { ...NOTHING, method, instrumentType: 'redirect_token', country, currency },
    secret: null,
    identity: `mandate:${paymentServiceId.toLowerCase()}:${mandate}`,
    mandate: { paymentServiceId, mandate },
  };
}

/** Returns `other` for a scheme of the library that our API does not name. */
export const knownScheme = (scheme: string | null): string | null =>
  scheme === null || CARD_SCHEMES.some((known) => known === scheme) ? scheme : 'other';
