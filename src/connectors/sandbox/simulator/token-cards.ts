import type { WalletToken } from '../../door.ts';

/** A wallet's token in the provider's format. */
export type WalletOnWire = { readonly type: WalletToken['wallet']; readonly token: string };

/** A network token in the provider's format. */
export type NetworkTokenOnWire = {
  readonly number: string;
  readonly expiry: string;
  readonly cryptogram: string | null;
  readonly eci: string | null;
};

/** A card as the provider describes the card behind a token. */
export type CardOnWire = {
  readonly scheme: string;
  readonly bin: string;
  readonly last_four: string;
  readonly expiry: string;
};

/** A card that stands for a token in the sandbox. */
export type TokenCard = {
  readonly card: CardOnWire;
  readonly country: string;
  /** The code with which every payment is declined. Null if the amount decides. */
  readonly declined: 'insufficient_funds' | null;
};

const VISA = { scheme: 'visa', bin: '41111111', last_four: '1111', expiry: '12/40' };

/**
 * The cards of the sandbox's tokens. A wallet's token is `{"sandbox": "visa"}`, and a token of the provider's software
 * in the buyer's client is `tok_visa`.
 */
export const tokenCards: Readonly<Record<string, TokenCard>> = {
  visa: { card: VISA, country: 'US', declined: null },
  mastercard: {
    card: { scheme: 'mastercard', bin: '55555555', last_four: '4444', expiry: '12/40' },
    country: 'GB',
    declined: null,
  },
  amex: {
    card: { scheme: 'amex', bin: '37828224', last_four: '0005', expiry: '12/40' },
    country: 'FR',
    declined: null,
  },
  visa_declined: { card: { ...VISA, last_four: '0002' }, country: 'US', declined: 'insufficient_funds' },
};

/** The prefix of tokens of the provider's software. */
const CLIENT_PREFIX = 'tok_';

/** True for the tokens that the provider gives to stored payment methods. */
export const isRecurring = (token: string): boolean => /^tok_[0-9a-f]{24}$/.test(token);

/** The tokens of an authorisation. */
type Request = {
  readonly operation: string;
  readonly wallet?: WalletOnWire;
  readonly client_token?: string;
};

type Presented = {
  readonly shown: { readonly card?: CardOnWire; readonly card_country?: string };
  readonly declined: {
    readonly result: 'declined';
    readonly code: string;
    readonly message: string;
  } | null;
};

/** Returns the card behind a token, and the decline that the token asks for. Null without such a token. */
export function presentedBy(request: Request): Presented | null {
  if (request.operation !== 'authorize' || (!request.wallet && request.client_token === undefined))
    return null;
  const found = cardOfToken(request);
  if (!found) return { shown: {}, declined: UNKNOWN_TOKEN };
  const { card, country, declined } = found;
  return {
    shown: { card, card_country: country },
    declined: declined && { result: 'declined', code: declined, message: `Simulated ${declined}` },
  };
}

/** Returns the card of a wallet's token or of a client's token. Null if the sandbox does not know the token. */
function cardOfToken({ wallet, client_token: token }: Omit<Request, 'operation'>): TokenCard | null {
  const name = wallet
    ? nameIn(wallet.token)
    : token?.startsWith(CLIENT_PREFIX) && token.slice(CLIENT_PREFIX.length);
  return (typeof name === 'string' && Object.hasOwn(tokenCards, name) && tokenCards[name]) || null;
}

/** Returns the name in a wallet's token. A token of a real wallet has none. */
function nameIn(token: string): unknown {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === 'object' && value !== null && 'sandbox' in value ? value.sandbox : null;
  } catch {
    return null;
  }
}

/** The answer about a token that the sandbox does not know. */
const UNKNOWN_TOKEN = {
  result: 'declined',
  code: 'unknown_payment_method',
  message: 'The sandbox does not know this token. The page about the sandbox lists its tokens.',
} as const;
