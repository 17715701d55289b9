import type { App, Viewer } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { findRoute, type Candidate, type CandidateFilter } from '../../payment-services/index.ts';
import type { Funded } from '../authorize/split-tender/split-tender.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import { tokenAt } from '../instrument/provider-token.ts';
import type { NoPaymentService } from '../model/refusals.ts';

/** Who is asked for a payment, and who judges it before. */
export type ChosenRoute = {
  readonly service: Candidate;
  /** Whom it may go on to, best first. */
  readonly alternatives: readonly Candidate[];
  /** Null: nobody judges it. */
  readonly antiFraudServiceId: string | null;
};

type Routed = Pick<CreateTransactionInput, 'currency' | 'intent' | 'merchantInitiated'>;

/**
 * Chooses the payment services to ask, by the rule of routing, and the anti-fraud service. What only a provider knows is asked
 * for where it is known. One reading, and another one before it refuses: the intent, when some take the payment with another one.
 */
export async function chooseRoute(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  { currency, intent, merchantInitiated }: Routed,
  funded: Funded,
): Promise<Result<ChosenRoute, NoPaymentService | InvalidInput>> {
  const { method, country, paymentServiceId } = funded;
  const payment = { merchantAccountId, merchantInitiated, funded };
  const filter = { method, currency, country, paymentServiceId };
  const { candidates, antiFraudServiceId } = await routeWith(app, payment, { ...filter, intent });
  const [service, ...alternatives] = candidates;
  if (!service) {
    const others = await routeWith(app, payment, filter);
    return refuse(others.candidates.length > 0 ? INTENT_NOT_SERVED : { kind: 'NoPaymentService' });
  }
  // What the merchant starts without a buyer has nobody to be judged.
  return ok({
    service,
    alternatives,
    antiFraudServiceId: merchantInitiated ? null : antiFraudServiceId,
  });
}

const INTENT_NOT_SERVED = invalidInput(
  ['input', 'intent'],
  'Must be CAPTURE: no payment service that accepts the payment can capture later (feature delayed_capture).',
);

type Payment = {
  readonly merchantAccountId: string;
  readonly merchantInitiated: boolean;
  readonly funded: Funded;
};

async function routeWith(
  app: App,
  { merchantAccountId, merchantInitiated, funded: { instrumentType, stored } }: Payment,
  filter: CandidateFilter,
) {
  const route = await findRoute(app, merchantAccountId, filter);
  if (instrumentType !== 'redirect_token' || !stored) return route;
  const payment = { merchantAccountId, paymentMethodId: stored.id, store: false };
  const tokens = await Promise.all(
    route.candidates.map(({ id }) => tokenAt(app, { ...payment, merchantInitiated, instrumentType }, id)),
  );
  return { ...route, candidates: route.candidates.filter((_, index) => tokens[index] !== null) };
}
