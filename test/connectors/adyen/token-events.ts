import { createHmac } from 'node:crypto';
import type { DoubleWebhook } from '../double-server.ts';
import type { StoredMethod } from './model.ts';
import { atAdyen } from './notifications.ts';
import type { State } from './state.ts';

/** The body of a webhook about a token. The event tells no card. */
export type TokenEvent = {
  readonly createdAt: string;
  readonly eventId: string;
  readonly environment: 'test';
  readonly type: `recurring.token.${'created' | 'alreadyExisting' | 'updated' | 'disabled'}`;
  readonly data: {
    readonly merchantAccount: string;
    readonly shopperReference: string;
    readonly storedPaymentMethodId: string;
    /** The brand of the card, or the type of another payment method. */
    readonly type: string;
  };
};

/** A new card of the issuer. The expiry is MM/YYYY. */
export type NewCard = Partial<Pick<StoredMethod['method'], 'variant' | 'lastFour' | 'expiry'>>;

/** Owes a webhook about a token. `eventId` is the id of the payment or request that caused the event. */
export function oweToken(
  { tokenEvents, settings }: State,
  type: TokenEvent['type'],
  { id, shopperReference, method }: StoredMethod,
  eventId = settings.newId(),
): void {
  const { merchantAccount } = settings;
  tokenEvents.push({
    ...{ createdAt: atAdyen(settings.now()), eventId, environment: 'test', type },
    data: { merchantAccount, shopperReference, storedPaymentMethodId: id, type: method.variant },
  });
}

/** Lets the issuer send a new card, which the network tells Adyen. The token stays. */
export function replaceCard(state: State, id: string, card: NewCard): void {
  const token = find(state, id);
  const replaced = { ...token, method: { ...token.method, ...card } };
  state.tokens.set(id, replaced);
  oweToken(state, 'recurring.token.updated', replaced);
}

/** Ends a token, because the issuer closed the card. */
export function disableToken(state: State, id: string): void {
  const token = find(state, id);
  state.tokens.delete(id);
  oweToken(state, 'recurring.token.disabled', token);
}

function find({ tokens }: State, id: string): StoredMethod {
  const token = tokens.get(id);
  if (!token) throw new Error(`Adyen has no token ${id}.`);
  return token;
}

/** Signs a webhook about a token, over the bytes of its body. */
export function signTokenEvent(event: object, hmacKey: string): DoubleWebhook {
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(body).digest('base64');
  return {
    headers: { 'content-type': 'application/json', hmacsignature: signature, protocol: 'HmacSHA256' },
    body,
  };
}
