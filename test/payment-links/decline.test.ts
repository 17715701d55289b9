import { expect, it } from '@jest/globals';
import { declineOf } from '../../src/http/checkout/decline.ts';

it.each([
  ['card', 'insufficient_funds', 'declinedFunds'],
  ['card', 'expired_payment_method', 'declinedExpired'],
  ['card', 'incorrect_cvv', 'declinedCode'],
  ['card', 'incorrect_expiry_date', 'declinedExpiry'],
  ['card', 'failed_buyer_approval', 'declinedAuthentication'],
  ['card', 'issuer_decline', 'declined'],
  // A thief learns nothing.
  ['card', 'suspected_fraud', 'declined'],
  ['card', null, 'declined'],
  // These sentences name a card.
  ['bank', 'insufficient_funds', 'declined'],
])('a %s declined with %s gets the text %s', (method, errorCode, text) => {
  expect(declineOf({ method, errorCode })).toBe(text);
});
