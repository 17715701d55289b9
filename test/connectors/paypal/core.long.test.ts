import { describeCore } from '../core-contract.ts';
import { paypalSubject } from './contract-double.ts';

describeCore({
  subject: paypalSubject(),
  direct: { definition: 'paypal-paypal', pays: { stored: { method: 'paypal' } } },
  away: { definition: 'paypal-paypal', pays: { redirect: { method: 'paypal' } } },
});
