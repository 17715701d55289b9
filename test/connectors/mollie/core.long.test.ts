import { describeCore } from '../core-contract.ts';
import { mollieSubject } from './contract-double.ts';

describeCore({
  subject: mollieSubject,
  direct: { definition: 'mollie-card', pays: { stored: { method: 'card' } } },
  away: { definition: 'mollie-card', pays: { redirect: { method: 'card' } } },
});
