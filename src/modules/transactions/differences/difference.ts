import type { MadeElsewhere, ReportSource } from '../elsewhere/made-elsewhere.ts';
import type { Operation } from '../model/operation.ts';

/** A disagreement between a payment here and its provider or a settlement, which Paygraph cannot end by itself. */
export type Difference = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly transactionId: string;
  /** The service that reported the other side. */
  readonly paymentServiceId: string;
  readonly finding: DifferenceFinding;
  readonly source: ReportSource;
  /** The provider's id of the operation, or else of the report. Each finding about it is listed once. */
  readonly subject: string;
  /** Our operation. Null if none matches. */
  readonly operationId: string | null;
  /** The kind and the money of the reported operation. Null if the report does not tell. */
  readonly kind: Operation['kind'] | null;
  /** Minor units of `reportedCurrency`. */
  readonly reportedAmount: number | null;
  readonly reportedCurrency: string | null;
  /** The reported operation, as an adoption books it. Null if nothing can be booked. */
  readonly made: StoredMade | null;
  readonly state: DifferenceState;
  /** The reason of a dismissal. */
  readonly reason: string | null;
  readonly foundAt: Date;
  readonly endedAt: Date | null;
};

/** An operation made elsewhere, as JSON stores the moment. */
export type StoredMade = Omit<MadeElsewhere, 'occurredAt'> & { readonly occurredAt: string | null };

/** The findings that need a person. Each is also in the history of the payment. */
export const DIFFERENCE_FINDINGS = [
  /** The operation has ended here with another outcome. */
  'contradicts',
  /** Several operations match the report. */
  'several_operations',
  /** No operation matches the report. */
  'unknown_operation',
  /** The report is of another amount or currency. */
  'other_money',
  /** The report does not tell the amount. */
  'unknown_amount',
  /** The amount is above the greatest amount that can be recorded. */
  'too_large',
  /** The status of the payment allows no such operation. */
  'unexpected_state',
  /** An operation here had no outcome in time. */
  'undecided',
  /** More is captured than authorised. The capture is booked. */
  'captured_exceeds_authorized',
  /** More is refunded than captured. The refund is booked. */
  'refunded_exceeds_captured',
  /** The reversal is of more than is left of its operation. */
  'exceeds_operation',
  /** An equal reversal is booked, and no id tells the two apart. */
  'possible_repeat',
  /** The provider kept the money of a late approval. */
  'late_authorization',
  /** An operation that succeeded here is unknown to the provider. */
  'missing_at_provider',
] as const;

export type DifferenceFinding = (typeof DIFFERENCE_FINDINGS)[number];

/** The findings that are no end of a notice. A refused release and a look-up find them. */
const OTHERS = ['late_authorization', 'missing_at_provider'] as const;

type OfNotice = Exclude<DifferenceFinding, (typeof OTHERS)[number]>;

const OF_NOTICES: ReadonlySet<string> = new Set(
  DIFFERENCE_FINDINGS.filter((finding) => !OTHERS.some((other) => other === finding)),
);

/** True for a finding about a notice after which the books of both sides may differ. */
export const isDifference = (finding: string | null): finding is OfNotice =>
  finding !== null && OF_NOTICES.has(finding);

/** The findings about an operation that is booked already. A person only takes note of the sum. */
const BOOKED: ReadonlySet<DifferenceFinding> = new Set([
  'captured_exceeds_authorized',
  'refunded_exceeds_captured',
]);

/** True for a difference whose operation is booked already. */
export const isBooked = ({ finding }: Pick<Difference, 'finding'>): boolean => BOOKED.has(finding);

/** True if a person can adopt an open difference: its report can be booked, or is booked. */
export const isAdoptable = (difference: Pick<Difference, 'finding' | 'made' | 'state'>): boolean =>
  difference.state === 'open' && (difference.made !== null || isBooked(difference));

/**
 * The state of a difference.
 * - `adopted`: a person took the report over, and it is booked.
 * - `dismissed`: a person ended the difference without a booking.
 * - `resolved`: a later report ended the difference.
 */
export type DifferenceState = 'open' | 'adopted' | 'dismissed' | 'resolved';

/** Returns an operation as a row stores it. */
export const toStored = ({ occurredAt, ...made }: MadeElsewhere): StoredMade => ({
  ...made,
  occurredAt: occurredAt?.toISOString() ?? null,
});

/** Returns a stored operation. */
export const fromStored = ({ occurredAt, ...made }: StoredMade): MadeElsewhere => ({
  ...made,
  occurredAt: occurredAt === null ? null : new Date(occurredAt),
});
