/** The facts of a payment that rules of routing see. Null: the payment has no such value, or the value is not known yet. */
export type RoutingFacts = {
  readonly paymentId: string;
  readonly buyerId: string | null;
  /** Minor units of `currency`. */
  readonly amount: number | null;
  readonly currency: string;
  readonly country: string | null;
  readonly method: string;
  /** The kind of data that pays, such as `pan` or `network_token`. */
  readonly instrument: string | null;
  readonly scheme: string | null;
  /** The first eight digits of the card number. */
  readonly bin: string | null;
  readonly paymentSource: string;
  readonly merchantInitiated: boolean;
  readonly isSubsequentPayment: boolean;
  /** True when a stored payment method pays. */
  readonly isStored: boolean;
  /** True when the payment stores its method. */
  readonly stores: boolean;
  readonly hasGiftCards: boolean;
  readonly installmentCount: number;
  readonly threeDSecureRequest: string;
  /** True when the payment brings the data of an authentication elsewhere. */
  readonly hasThreeDSecureData: boolean;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly externalIdentifier: string | null;
  /** The moment of the payment. */
  readonly at: Date;
} & AttemptFacts;

/** The facts of one attempt. Only they differ between the attempts of a payment. */
export type AttemptFacts = {
  /** 1 at the first service that the payment asks. */
  readonly attempt: number;
  /** The outcome of the attempt before. Null at the first attempt, like the code and the service. */
  readonly formerOutcome: FormerOutcome | null;
  /** The normalised reason of that outcome. */
  readonly formerErrorCode: string | null;
  /** The id of the payment service of the attempt before. */
  readonly formerService: string | null;
};

/** The outcomes after which a payment may ask another service. */
export const FORMER_OUTCOMES = ['declined', 'failed'] as const;

export type FormerOutcome = (typeof FORMER_OUTCOMES)[number];

export const FIRST_ATTEMPT: AttemptFacts = {
  ...{ attempt: 1, formerOutcome: null, formerErrorCode: null, formerService: null },
};

/** The facts that a rule compares with a list of texts. */
export const TEXT_FACTS = [
  'currency',
  'country',
  'method',
  'instrument',
  'scheme',
  'paymentSource',
  'threeDSecureRequest',
  'formerOutcome',
  'formerErrorCode',
  'formerService',
] as const satisfies readonly (keyof RoutingFacts)[];

/** The facts that are true or false. */
export const FLAG_FACTS = [
  'merchantInitiated',
  'isSubsequentPayment',
  'isStored',
  'stores',
  'hasGiftCards',
  'hasThreeDSecureData',
] as const satisfies readonly (keyof RoutingFacts)[];

export type TextFact = (typeof TEXT_FACTS)[number];
export type FlagFact = (typeof FLAG_FACTS)[number];
