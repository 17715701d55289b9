import { describeCore } from '../core-contract.ts';
import { braintreeSubject } from './contract-double.ts';

describeCore({
  subject: braintreeSubject(),
  direct: { definition: 'braintree-card', pays: 'by card' },
});
