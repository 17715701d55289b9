import { CARD } from '../contract-calls.ts';
import { describeCore } from '../core-contract.ts';
import { checkoutSubject } from './contract-double.ts';

// The core finds the operation of an event that has the names of its payment alone.
describeCore({
  subject: checkoutSubject({ eventNames: 'payment' }),
  direct: { definition: 'checkout-card', pays: 'by card' },
  away: { definition: 'checkout-card', pays: { authenticated: CARD } },
});
