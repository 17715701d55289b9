/** The decision of the merchant's own rules about a payment, as stored with the transaction. */
export type RoutingDecision = {
  readonly versionId: string;
  /** The moment of the decision, as ISO text. */
  readonly decidedAt: string;
  /** The position of the rule that decided. Null: no rule held, so the order of positions decided. */
  readonly rule: number | null;
  /** The number that a split drew, 0 to 999 999, and the position of the share. Null without a split. */
  readonly draw: { readonly number: number; readonly share: number } | null;
  /** The wish for an authentication that the rule gave the payment. Null if the payment kept its own. */
  readonly threeDSecure: 'always' | 'never' | null;
};
