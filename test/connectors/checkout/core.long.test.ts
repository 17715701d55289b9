import { CARD } from '../contract-calls.ts';
import { describeCore } from '../core-contract.ts';
import { checkoutSubject } from './contract-double.ts';

describeCore({
  subject: checkoutSubject(),
  direct: { definition: 'checkout-card', pays: 'by card' },
  away: { definition: 'checkout-card', pays: { authenticated: CARD } },
});
