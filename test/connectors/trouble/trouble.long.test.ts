import { describeTroubles } from './trouble-suite.ts';

describeTroubles({
  refusals: [
    ['unauthorized', 'invalid_service_credentials'],
    ['forbidden', 'insufficient_service_permissions'],
    ['rate_limited', 'service_rate_limit'],
    ['rate_limited_with_hint', 'service_rate_limit'],
  ],
  unknown: [
    ...(['maintenance', 'truncated', 'unknown_word', 'other_amount', 'other_currency'] as const),
    ...(['lose_answer', 'error_after_work'] as const),
  ],
  repeats: ['unauthorized', 'forbidden', 'rate_limited', 'maintenance', 'unknown_word', 'nobody'],
  captures: ['maintenance', 'truncated', 'lose_answer', 'error_after_work'],
});
