/** The most that people refund of one payment without a second person. Minor units by currency, `*` for any other. */
export type RefundLimits = Readonly<Record<string, number>>;

/**
 * The permission of a refund by a person.
 * - `alone`: nobody else has approved the refund, so the limits hold.
 * - `approved`: a second person has approved this request. The claim gives the request its one refund.
 */
export type Permit =
  | { readonly kind: 'alone'; readonly limits: RefundLimits }
  | { readonly kind: 'approved'; readonly approvalId: string };

/** Returns the limit of a currency in minor units. Null without a limit. */
export const limitOf = (limits: RefundLimits, currency: string): number | null =>
  limits[currency] ?? limits['*'] ?? null;
