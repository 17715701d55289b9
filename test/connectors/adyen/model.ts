/** Minor units by Adyen's own decimals, and an ISO 4217 code. */
export type Amount = { readonly value: number; readonly currency: string };

export type ModificationKind =
  | 'capture'
  | 'refund'
  | 'cancel'
  | 'technical_cancel'
  | 'reversal'
  | 'amount_update';

/** A modification that Adyen received. `decision` follows later, and only webhooks report it. */
export type Modification = {
  readonly kind: ModificationKind;
  /** The merchant's reference. Empty if the merchant gave none. */
  readonly reference: string;
  readonly pspReference: string;
  readonly amount: Amount | null;
  decision: 'received' | 'succeeded' | 'failed' | 'taken_back';
  /** The words of a failure. */
  reason: string;
};

export type PaymentStatus =
  /** The buyer is elsewhere. */
  | 'waiting'
  /** The payment method decides later. */
  | 'pending'
  | 'authorised'
  | 'refused'
  | 'cancelled'
  | 'expired';

/** A payment with its sums in minor units. */
export type Payment = {
  readonly pspReference: string;
  readonly reference: string;
  readonly merchantAccount: string;
  /** Adyen's variant, such as `visa` or `ideal`. */
  readonly method: string;
  readonly amount: Amount;
  readonly createdAt: Date;
  /** True if an authorisation is captured without a request. */
  readonly capturesAtOnce: boolean;
  readonly isPreAuthorised: boolean;
  readonly answer: PaymentAnswer;
  status: PaymentStatus;
  /** The decision about the authorisation. Null until then. */
  decided: Decided | null;
  authorised: number;
  captured: number;
  refunded: number;
  /** The released part of the authorisation. */
  cancelled: number;
  chargedBack: number;
  readonly modifications: Modification[];
  readonly disputes: Dispute[];
};

/** The facts of a request that later answers and webhooks repeat. */
export type PaymentAnswer = {
  readonly type: string;
  readonly lastFour: string | null;
  readonly expiry: string | null;
  readonly additionalData: Readonly<Record<string, string>>;
  /** The decision that follows after the buyer's return, or later. */
  readonly decision: Decision;
  /** The stored payment method of a payment that stores one. */
  readonly token: StoredMethod | null;
};

/** A decision about an authorisation. `code` is the `refusalReasonCode`. */
export type Decision =
  | { readonly kind: 'authorised'; readonly value: number | null }
  | {
      readonly kind: 'refused';
      readonly resultCode: 'Refused' | 'Error' | 'Cancelled';
      readonly code: string;
      readonly reason: string;
      readonly raw: string;
    }
  | { readonly kind: 'later'; readonly resultCode: 'Pending' | 'Received'; readonly then: Decision };

/** A decision that is final. */
export type Decided = Exclude<Decision, { readonly kind: 'later' }>;

export type StoredMethod = {
  readonly id: string;
  readonly shopperReference: string;
  readonly method: MethodFacts;
  readonly models: readonly string[];
};

/** The facts of a payment method. No full number. */
export type MethodFacts = {
  readonly type: string;
  readonly variant: string;
  readonly lastFour: string | null;
  /** MM/YYYY. */
  readonly expiry: string | null;
  readonly holderName: string | null;
  /** True if the issuer asks for 3-D Secure. */
  readonly asksForBuyer: boolean;
  /** The steps of an authentication in the buyer's client. */
  readonly steps: readonly NativeStepName[];
};

export type NativeStepName = 'fingerprint' | 'challenge';

export const DISPUTE_STAGES = [
  'REQUEST_FOR_INFORMATION',
  'NOTIFICATION_OF_FRAUD',
  'NOTIFICATION_OF_CHARGEBACK',
  'CHARGEBACK',
  'CHARGEBACK_REVERSED',
  'SECOND_CHARGEBACK',
  'PREARBITRATION_WON',
  'PREARBITRATION_LOST',
  'DISPUTE_DEFENSE_PERIOD_ENDED',
  'INFORMATION_SUPPLIED',
] as const;

export type DisputeStage = (typeof DISPUTE_STAGES)[number];

/** A document of a defence: its type, and its content in base64. */
export type DefenseDocument = {
  readonly defenseDocumentTypeCode: string;
  readonly contentType: string;
  readonly content: string;
};

export type Dispute = {
  readonly pspReference: string;
  readonly amount: Amount;
  /** Null if no stage named an end of the defence. */
  respondBy: Date | null;
  stages: readonly DisputeStage[];
  documents: readonly DefenseDocument[];
  /** The merchant's response. Null until then. */
  response: 'accepted' | 'defended' | null;
};

/** One movement of money for the settlement report. */
export type Entry = {
  readonly type:
    | 'Settled'
    | 'Refunded'
    | 'RefundedReversed'
    | 'Chargeback'
    | 'ChargebackReversed'
    | 'SecondChargeback';
  readonly payment: Payment;
  /** The psp reference and the merchant's reference of the modification. */
  readonly modification: { readonly pspReference: string; readonly reference: string };
  readonly amount: Amount;
  readonly at: Date;
};

/** The content of a notification. Adyen sends every value but the amount as text. */
export type NotificationItem = {
  readonly additionalData?: Readonly<Record<string, string>>;
  readonly amount: Amount;
  readonly eventCode: string;
  readonly eventDate: string;
  readonly merchantAccountCode: string;
  readonly merchantReference: string;
  readonly operations?: readonly string[];
  readonly originalReference?: string;
  readonly paymentMethod?: string;
  readonly pspReference: string;
  readonly reason: string;
  readonly success: 'true' | 'false';
};
