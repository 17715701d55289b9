import { z } from 'zod';
import type { EventOf } from '../api/event.ts';
import type { StoredMethod } from '../api/answers.ts';
import { writeToken } from '../model/token.ts';
import { cardOf } from '../payments/charge-words.ts';
import type { StoredMethodNotice } from '../../door.ts';

/**
 * Reads a payment method whose card the network, the issuer or the merchant changed. A method without a customer has no
 * token. A change beside the card, such as of the address, tells nothing.
 */
export function methodUpdatedNotices(event: EventOf<StoredMethod>): readonly StoredMethodNotice[] {
  const { id: eventKey, occurredAt, object: method, previous } = event;
  if (method.customer == null || !method.card || !isOfCard(previous)) return [];
  const token = writeToken(method.customer, method.id);
  const change = { kind: 'updated', card: cardOf(method.card) } as const;
  return [{ eventKey, occurredAt, storedMethod: { token, change } }];
}

/** An event without earlier values leaves open which values changed. */
const isOfCard = (previous: EventOf<StoredMethod>['previous']): boolean =>
  previous === null || 'card' in previous;

/** Reads a payment method that nobody can charge any more. Only the earlier values name its customer. */
export function methodDetachedNotices(event: EventOf<StoredMethod>): readonly StoredMethodNotice[] {
  const { id: eventKey, occurredAt, object: method, previous } = event;
  const customer = z.string().safeParse(previous?.['customer']).data;
  if (customer === undefined) return [];
  const token = writeToken(customer, method.id);
  return [{ eventKey, occurredAt, storedMethod: { token, change: { kind: 'disabled' } } }];
}
