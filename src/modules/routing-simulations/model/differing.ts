import { wasAuthorized, type ComparedPayment, type ComparedRoute } from './payment.ts';

/** The difference between the past of a payment and its simulation, from the largest. */
export const DIFFERENCES = [
  'authorized_then_refused',
  'authorized_then_without_service',
  'refused_then_elsewhere',
  'authorized_then_elsewhere',
] as const;

/** A payment whose way differs, with the reason. */
export type Differing = {
  readonly transactionId: string;
  readonly amount: number;
  readonly currency: string;
  readonly difference: (typeof DIFFERENCES)[number];
  /** The first service then and in the simulation. Null without a service. */
  readonly from: string | null;
  readonly to: string | null;
  readonly rule: number | null;
  readonly ruleName: string | null;
  readonly share: number | null;
  readonly refusalCode: string | null;
  /** The key of the payment's segment. */
  readonly segment: string;
};

/** The number of payments that are kept. */
const KEPT_MAX = 10;

/** Describes a payment that takes another way. Null if its first service stays. */
export function differenceOf(
  payment: ComparedPayment,
  route: ComparedRoute,
  segment: string,
): Differing | null {
  const difference = kindOf(payment, route);
  if (!difference) return null;
  const { rule, share, refusalCode } = route;
  return {
    ...{ transactionId: payment.id, amount: payment.amount, currency: payment.currency, difference },
    ...{ from: payment.attempts[0]?.paymentServiceId ?? null, to: route.paymentServiceIds[0] ?? null },
    ...{ rule: rule?.position ?? null, ruleName: rule?.name ?? null, share, refusalCode },
    segment,
  };
}

function kindOf(
  payment: ComparedPayment,
  { refusalCode, paymentServiceIds: [to] }: ComparedRoute,
): Differing['difference'] | null {
  const isAuthorized = wasAuthorized(payment);
  if (to === undefined) {
    if (!isAuthorized) return null;
    return refusalCode === null ? 'authorized_then_without_service' : 'authorized_then_refused';
  }
  if (payment.attempts[0]?.paymentServiceId === to) return null;
  return isAuthorized ? 'authorized_then_elsewhere' : 'refused_then_elsewhere';
}

/** Keeps a payment among the ten that differ most. The kind of the difference counts first, then the amount, then the id. */
export function keepDiffering(kept: Differing[], differing: Differing): void {
  const place = kept.findIndex((each) => compare(differing, each) < 0);
  if (place === -1 && kept.length >= KEPT_MAX) return;
  kept.splice(place === -1 ? kept.length : place, 0, differing);
  kept.length = Math.min(kept.length, KEPT_MAX);
}

const compare = (one: Differing, other: Differing): number =>
  DIFFERENCES.indexOf(one.difference) - DIFFERENCES.indexOf(other.difference) ||
  other.amount - one.amount ||
  (one.transactionId < other.transactionId ? -1 : 1);
