import { describeCore } from '../core-contract.ts';
import { ASKING_CARD, stripeSubject } from './contract-double.ts';

describeCore({
  subject: stripeSubject,
  direct: { definition: 'stripe-card', pays: 'by card' },
  away: { definition: 'stripe-card', pays: { card: ASKING_CARD } },
});
