import type { Connector } from '../../src/connectors/interface/connector.ts';
import type { Credentials } from '../../src/connectors/interface/call-context.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import type { AuthorizeRequest, Verb } from '../../src/connectors/interface/requests.ts';
import type { Money } from '../../src/kernel/money.ts';
import type { HttpSender } from '../../src/platform/http/reply.ts';
import type { DoubleFault } from './double-faults.ts';

/**
 * A provider's decision about a request. With `later_…` the provider accepts the request and decides afterwards. `finish`
 * or the next look-up but one brings the decision.
 */
export type Decision = 'approve' | 'decline' | 'fail' | 'later_approve' | 'later_decline';

/**
 * The fault of the next request that works. The faults beside those of a double:
 *
 * - The answer is nonsense, or about another amount.
 * - The answer is "still deciding" or "not found". Only a look-up may believe these two.
 */
export type Fault = DoubleFault | 'nonsense' | 'other_money' | 'still_deciding' | 'not_found';

/** The features for means other than a card in clear. */
export const MEANS_FEATURES = ['apple_pay', 'google_pay', 'network_tokens', 'provider_tokens'] as const;

export type MeansFeature = (typeof MEANS_FEATURES)[number];

/** Means that a provider approves. Without a card, a bank account or another of the means. */
export type ContractMeans = Partial<Pick<AuthorizeRequest, 'wallet' | 'token' | 'networkToken'>>;

/** A webhook that a provider owes, signed. The body keeps its bytes. */
export type OwedWebhook = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The text that the check needs, such as a certificate. */
  readonly material?: string;
};

/** The differences of a provider from one that answers at once, can be asked, and knows every reference. */
export type Manner = {
  /** The verbs that the provider answers with "received" only. A webhook tells the decision. */
  readonly receives: readonly Verb[];
  /** False if no call of the provider reads an operation. A look-up then finds nothing. */
  readonly looksUp: boolean;
  /** The decisions after which nothing is left for a look-up to find. */
  readonly forgets: readonly Decision[];
  /**
   * True if the provider refuses a follow-up of a payment that it does not know. The suites then authorise and capture
   * before a follow-up.
   */
  readonly keepsPayments: boolean;
  /** True if buyers come back from the provider's page. `returned` is then needed. */
  readonly returns: boolean;
  /** False if the buyer may approve after a refusal. The core has ended the payment by then, and asks for nothing more. */
  readonly keepsRefusals: boolean;
  /** True if the provider refuses a repeat under a key with other parameters. */
  readonly comparesRepeats: boolean;
  /** True if the provider repeats its own server error under the key of the request. */
  readonly repeatsErrors: boolean;
  /** The verbs that only a repeat under the same key finds. No look-up reads such an operation, and no webhook names it. */
  readonly foundByRepeat: readonly Verb[];
  /** The verbs that need no change at the provider, because the provider holds nothing before the approval. */
  readonly needsNothing: readonly Verb[];
  /** True if webhooks only name the payment. The core then asks the provider, and no webhook tells an outcome. */
  readonly onlyNames: boolean;
  /** The verbs whose success has no body. A fault that changes an answer finds nothing to change. */
  readonly wordless: readonly Verb[];
  /**
   * True if every payment waits for its buyer. The suites then authorise with a return, or by `decidesElsewhere` without
   * `returns`.
   */
  readonly asksBuyer: boolean;
  /** The verbs whose work no look-up shows before the provider's decision. Until then, a repeat is unknown. */
  readonly hidesOpen: readonly Verb[];
  /** True if no webhook follows an operation. Webhooks may tell other events, such as a settlement. */
  readonly isSilent: boolean;
};

/** The payment that a follow-up is about. */
export type Before = { readonly verb: Verb; readonly key: string; readonly reference: string };

/** A fake of the connector's provider, in that provider's own words. The optional parts are for providers of other manners. */
export type ContractProvider = {
  /** The configuration of a payment service at the provider. Every secret field of the definition has a value. */
  readonly credentials: Credentials;
  /** The configuration of a service with other webhooks. By default, each secret field has another value. */
  readonly others?: Credentials;
  /** Returns an amount with this decision, or null when the provider never decides so for this verb. */
  money(verb: Verb, decision: Decision): Money | null;
  failNext(...faults: readonly Fault[]): void;
  /** Makes faults of the next requests that only read. Absent if `failNext` is for them, too. */
  failNextRead?(...faults: readonly Fault[]): void;
  release(): void;
  /**
   * Lists our keys of the arrived requests that may move money, in order. Look-ups, access tokens and preparing steps are
   * left out. A key derived from that of an operation counts as the operation's own.
   */
  keys(): readonly string[];
  /** Lists the keys of the requests with an effect, once for each effect. */
  done(): readonly string[];
  close(): Promise<void>;
  /** Returns the moment by the fake's clock. Absent for the real time. */
  now?(): Date;
  /** Sends the requests for the provider's hosts to the fake. Absent if the credentials name the address of the fake. */
  via?(http: HttpSender): HttpSender;
  /**
   * Returns the fields of an authorisation that say what pays, in place of the card of the suites. For a follow-up, the
   * decision is that about the follow-up.
   */
  pays?(decision: Decision, verb: Verb): Partial<AuthorizeRequest>;
  /** Returns the fields of an authorisation whose buyer goes to the provider's page. Absent if every buyer does. */
  leaves?(): Partial<AuthorizeRequest>;
  /** Returns means of a feature that the provider approves. Absent if the fake takes cards in clear alone. */
  means?(feature: MeansFeature): ContractMeans;
  /** Accounts for shares of a payment: one that the provider knows, and one that it does not. Required with the feature `splits`. */
  readonly recipients?: { readonly known: string; readonly unknown: string };
  /** Prepares the decision about a follow-up of a payment, if the amount does not say it. */
  arrange?(verb: Verb, decision: Decision, before: Before): void;
  /** The acts of a person at the provider, or of another program with the same account. Required with `readBooks`. */
  readonly elsewhere?: ContractHand;
  /** Ends the work that the provider has begun: it decides what it accepted, and owes the webhooks. */
  finish?(): void;
  /** Takes the webhooks that the provider owes, oldest first. Absent if the provider sends none. */
  webhooks?(): readonly OwedWebhook[];
  /** Takes back a success under this key. The provider then owes a webhook. False if the provider never does so. */
  takeBack?(verb: 'authorize' | 'capture' | 'refund', key: string): boolean;
  /** Takes back a part of a success, in minor units. Absent if the provider only takes back the whole. */
  takeBackPart?(verb: 'capture' | 'refund', key: string, amount: number): void;
  /** Lets the buyer of an authorisation decide at the provider's page, and returns the parameters of the return. */
  returned?(decision: 'approve' | 'refuse' | 'nothing', key: string): Readonly<Record<string, string>>;
  /** Lets the buyer decide in an app, at a shop or at a bank, from where nobody comes back. */
  decidesElsewhere?(decision: 'approve' | 'refuse', key: string): void;
  /** The parts of an answer that tell such a buyer how to pay. Absent without any, as in an app that the provider asks. */
  readonly instructs?: readonly Instruction[];
  /** Ends a payment whose buyer did not come back. The provider then owes a webhook. Absent if the provider can be asked. */
  closes?(key: string): void;
  /** Lets the time of buyers at the page pass, after which the provider itself ends their payments. Absent if nothing ends by itself. */
  letTimePass?(): void;
  /** Lets the time pass after which look-ups show all work. Absent if they show it at once. */
  letWorkAppear?(): void;
  /** Returns the address that the provider has for the return of an authorisation's buyer. */
  returnUrl?(key: string): string;
  /** The amount of a payment whose buyer goes to the page by a form. Absent if a GET always opens the page. */
  readonly goesByForm?: Money;
  /** Books a capture from before, in minor units, which a refund then names. Only without `keepsPayments`. */
  hasCaptured?(key: string, amount: number): void;
};

/** A part of an answer that tells the buyer how to pay. */
export type Instruction = 'approvalUrl' | 'expiresAt' | 'paymentReference' | 'qrCode';

/** Acts without a request from here, by the provider's id of the payment. Amounts are in minor units. */
export type ContractHand = {
  /** Captures a part, after which nothing more can be captured. */
  capture(payment: string, amount: number): void;
  /** Refunds a part. Returns the provider's id of the refund. */
  refund(payment: string, amount: number): string;
  void(payment: string): void;
};

/** The test data of one connector. */
export type Subject = {
  /** The manner of its provider, in words. */
  readonly name: string;
  readonly connector: Connector;
  /** The faults that the fake can make. */
  readonly faults: readonly Fault[];
  /** Absent for a provider that answers at once, can be asked, and does not know its payments. */
  readonly manner?: (definition: Definition) => Partial<Manner>;
  /** Starts the fake. `now` is the clock of the service that calls it, by default the real time. */
  start(definition: Definition, now?: () => Date): Promise<ContractProvider>;
};

export const mannerOf = ({ manner }: Subject, definition: Definition): Manner => ({
  receives: [],
  looksUp: true,
  forgets: [],
  keepsPayments: false,
  returns: false,
  keepsRefusals: true,
  comparesRepeats: false,
  repeatsErrors: false,
  foundByRepeat: [],
  needsNothing: [],
  onlyNames: false,
  wordless: [],
  asksBuyer: false,
  hidesOpen: [],
  isSilent: false,
  ...manner?.(definition),
});

/** Returns the subject with these definitions of the connector alone. */
export const withDefinitions = (subject: Subject, ...ids: readonly string[]): Subject => ({
  ...subject,
  connector: {
    ...subject.connector,
    definitions: subject.connector.definitions.filter(({ id }) => ids.includes(id)),
  },
});
