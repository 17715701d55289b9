import type { App } from '../../../app.ts';
import { findRoute, type Candidate, type CandidateFilter, type Payee } from '../../payment-services/index.ts';
import { foresee, decidingVersion, type ForeseenPayment } from '../../routing/index.ts';
import { servicesOf } from './apply-rules.ts';

/**
 * Finds the payment services that a payment may ask, before the buyer pays. They accept the payment, and the merchant's own rules may
 * let the payment ask them. The services of the first rule that may decide come first.
 */
export async function foreseeRoute(
  app: App,
  payee: Payee,
  filter: CandidateFilter,
  payment: ForeseenPayment,
): Promise<readonly Candidate[]> {
  const { candidates, routingVersionId, routingFiguresId } = await findRoute(app, payee, filter);
  if (routingVersionId === null) return candidates;
  const deciding = { versionId: routingVersionId, figuresId: routingFiguresId };
  const version = await decidingVersion(app, payee.merchantAccountId, deciding);
  const decisions = foresee(version, payment);
  return [...new Set(decisions.flatMap((decision) => servicesOf(decision, payment.facts, candidates)))];
}
