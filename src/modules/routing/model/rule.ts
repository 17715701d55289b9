import type { CostTerms } from '../figures/by-cost.ts';
import type { SuccessTerms } from '../figures/by-success.ts';
import type { FlagFact, TextFact } from './facts.ts';

/** A version of a rule set. A version never changes, so a payment of last year is explained by the version of last year. */
export type RuleSetVersion = {
  readonly id: string;
  readonly ruleSetId: string;
  /** 1 for the first version of the rule set. */
  readonly number: number;
  /** The first rule whose conditions all hold decides. The order of positions decides when none holds. */
  readonly rules: readonly Rule[];
};

export type Rule = {
  /** Unique in the version. A split draws by the name, so a buyer stays in the same part in later versions. */
  readonly name: string;
  /** All must hold. A rule without conditions always matches. */
  readonly conditions: readonly Condition[];
  readonly action: Action;
  /** The wish for an authentication, for a payment that has no wish of its own. Null leaves the payment as it is. */
  readonly threeDSecure: 'always' | 'never' | null;
};

/** One test, or several of which one must hold. */
export type Condition = Test | AnyOf;

export type AnyOf = { readonly fact: 'anyOf'; readonly not: boolean; readonly tests: readonly Test[] };

/** A test of one fact. `not` inverts the test, so an unknown fact then meets it. */
export type Test = { readonly not: boolean } & Question;

/** The question of a test. A fact that is not known meets none. */
export type Question =
  | ListQuestion
  | FlagQuestion
  | AmountQuestion
  | CountQuestion
  | BinQuestion
  | MetadataQuestion
  | PrefixQuestion
  | LocalTimeQuestion;

/** A list of texts, one of which the fact must be. */
export type ListQuestion = FromValueSet & { readonly fact: TextFact; readonly values: readonly string[] };

/** The value set that the values come from, as they were when the version was made. Absent for values of the rule itself. */
export type FromValueSet = { readonly valueSet?: { readonly id: string; readonly name: string } };

export type FlagQuestion = { readonly fact: FlagFact; readonly is: boolean };

/** A range of amounts in minor units of one currency, both ends included. Null: no bound. Other currencies are outside. */
export type AmountQuestion = Bounds & { readonly fact: 'amount'; readonly currency: string };

export type CountQuestion = Bounds & { readonly fact: 'installmentCount' | 'attempt' };

export type Bounds = { readonly min: number | null; readonly max: number | null };

export type BinQuestion = FromValueSet & { readonly fact: 'bin'; readonly ranges: readonly BinRange[] };

/** The first and the last BIN of a range, 6 to 8 digits each. A shorter first BIN means zeros, a shorter last BIN nines. */
export type BinRange = { readonly from: string; readonly to: string };

/** A name of the metadata and its values. Null: any value. */
export type MetadataQuestion = FromValueSet & {
  readonly fact: 'metadata';
  readonly name: string;
  readonly values: readonly string[] | null;
};

export type PrefixQuestion = { readonly fact: 'externalIdentifier'; readonly prefixes: readonly string[] };

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Day = (typeof DAYS)[number];

/** Hours of some days in a time zone. Hours whose end is not after their start end on the next day. */
export type LocalTimeQuestion = {
  readonly fact: 'localTime';
  /** A name of the IANA database, such as Europe/Berlin. */
  readonly zone: string;
  /** The days on which the hours begin. */
  readonly days: readonly Day[];
  /** HH:MM, included. */
  readonly from: string;
  /** HH:MM, excluded. 24:00 is the end of the day. */
  readonly to: string;
};

export type Action = OrderAction | SplitAction | SuccessAction | CostAction | PositionsAction | RefuseAction;

/** Asks payment services in an order. */
export type OrderAction = ServiceOrder & { readonly kind: 'order' };

export type ServiceOrder = {
  readonly paymentServiceIds: readonly string[];
  /** True: no other service is asked. False: the others follow by position. */
  readonly onlyThese: boolean;
};

/** Divides payments among orders of services, by weight. */
export type SplitAction = { readonly kind: 'split'; readonly shares: readonly Share[] };

export type Share = ServiceOrder & { readonly weight: number };

/** Asks first the service that authorises most. */
export type SuccessAction = ServiceOrder &
  SuccessTerms & {
    readonly kind: 'bySuccess';
    /** The part of the payments that try another service than the best, in percent. */
    readonly keepShare: number;
  };

/** Asks first the service that costs least. */
export type CostAction = ServiceOrder & CostTerms & { readonly kind: 'byCost' };

/** Leaves the services in the order of their positions. */
export type PositionsAction = { readonly kind: 'positions' };

export type RefuseAction = { readonly kind: 'refuse'; readonly code: string };
