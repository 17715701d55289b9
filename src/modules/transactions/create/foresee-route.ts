import type { App } from '../../../app.ts';
import {
  findRoute,
  orderForeseen,
  type Candidate,
  type CandidateFilter,
  type Payee,
} from '../../payment-services/index.ts';
import { foresee, decidingVersion, type ForeseenPayment } from '../../routing/index.ts';
import { servicesOf } from './apply-rules.ts';

/**
 * Finds the payment services that a payment may ask, before the buyer pays. They accept the payment, and the merchant's own rules may
 * let the payment ask them. The services of the first rule that may decide come first. A service with an open circuit that is not tried
 * again yet comes after the others.
 */
export async function foreseeRoute(
  app: App,
  payee: Payee,
  filter: CandidateFilter,
  payment: ForeseenPayment,
): Promise<readonly Candidate[]> {
  const { candidates, routingVersionId, routingFiguresId } = await findRoute(app, payee, filter);
  const now = app.clock.now();
  if (routingVersionId === null) return orderForeseen(candidates, now);
  const deciding = { versionId: routingVersionId, figuresId: routingFiguresId };
  const version = await decidingVersion(app, payee.merchantAccountId, deciding);
  const decisions = foresee(version, payment);
  const services = decisions.flatMap((decision) => servicesOf(decision, payment.facts, candidates));
  return orderForeseen([...new Set(services)], now);
}
