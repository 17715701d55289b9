import { describeCore } from '../core-contract.ts';
import { adyenSubject, ASKING_CARD } from './contract-double.ts';

describeCore({
  subject: adyenSubject,
  direct: { definition: 'adyen-card', pays: 'by card' },
  away: { definition: 'adyen-card', pays: { card: ASKING_CARD } },
});
