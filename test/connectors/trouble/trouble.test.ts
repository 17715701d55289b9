import { describeTroubles } from './trouble-suite.ts';

// One trouble of each kind. The long test has all of them.
describeTroubles({
  refusals: [['unauthorized', 'invalid_service_credentials']],
  unknown: ['lose_answer', 'error_after_work'],
  repeats: ['unauthorized'],
  captures: ['lose_answer', 'error_after_work'],
});
