import type { Figures } from './figures.ts';
import type { Segment } from './segment.ts';

/** The services that a rule compared, as stored with a payment. The payment explains itself also without the figures. */
export type Comparison = {
  readonly by: 'success' | 'cost';
  /** The figures that were compared. Null: none were made yet. */
  readonly figures: Pick<Figures, 'id' | 'madeAt'> | null;
  /** The services in the order of the comparison. */
  readonly services: readonly ComparedService[];
  /** True if the payment tries another service than the best, for the sake of its figures. */
  readonly trial: boolean;
};

export type ComparedService = {
  readonly paymentServiceId: string;
  /** The payments that the figure comes from. Null: no figure, or a price of the rule. */
  readonly segment: Segment | null;
  /** Authorisations that ended, or settled payments. Null without a figure from the past. */
  readonly cases: number | null;
  /** The authorised ones of the cases. Absent for a comparison by cost. */
  readonly authorized?: number;
  /** The lower bound of the rate of authorisation, in millionths. Absent if the service has too few cases. */
  readonly bound?: number;
  /** The expected fee in ten-thousandths of a minor unit of the payment's currency. Absent without a figure. */
  readonly fee?: number;
  /** The source of the fee. */
  readonly source?: 'settlements' | 'table';
};

/** An order of services, with the figures behind it. */
export type ComparedOrder = {
  readonly paymentServiceIds: readonly string[];
  readonly services: readonly ComparedService[];
};

/** Puts the services with a figure first, the lowest figure first, and then the others. Equal services stay in the listed order. */
export function inOrderOf(
  services: readonly ComparedService[],
  figure: (service: ComparedService) => number | undefined,
): ComparedOrder {
  const known = services.filter((service) => figure(service) !== undefined);
  const sorted = [
    ...known.toSorted((one, other) => (figure(one) ?? 0) - (figure(other) ?? 0)),
    ...services.filter((service) => figure(service) === undefined),
  ];
  return { paymentServiceIds: sorted.map(({ paymentServiceId }) => paymentServiceId), services: sorted };
}
