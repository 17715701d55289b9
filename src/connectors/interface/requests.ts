import type { Money } from '../../kernel/money.ts';
import type { MerchantProfile } from './merchant-profile.ts';
import type { Order } from './order.ts';
import type { BankAccount } from '../buyer/bank-account.ts';
import type { PayingBuyer } from '../buyer/paying-buyer.ts';
import type { StatementDescriptor } from './statement-descriptor.ts';
import type { AuthenticationWish, BrowserInfo, ThreeDSecureData } from './three-d-secure.ts';

export type { BankAccount, BankScheme, Mandate } from '../buyer/bank-account.ts';
export type { PayingBuyer, PostalAddress } from '../buyer/paying-buyer.ts';
export type { StatementDescriptor } from './statement-descriptor.ts';
export type { BrowserInfo } from './three-d-secure.ts';

/** A card in clear. Held in memory for one call. The security code is null on every attempt after the first. */
export type Card = {
  readonly number: string;
  /** MM/YY. */
  readonly expirationDate: string;
  readonly securityCode: string | null;
};

/**
 * The payment token of a wallet, as the wallet's software gave it to the merchant. A secret, held in memory for one call.
 * Only the provider can read it.
 */
export type WalletToken = {
  readonly wallet: 'apple_pay' | 'google_pay';
  /** JSON text: `paymentData` of Apple Pay, or `tokenizationData.token` of Google Pay. At most 10 000 characters. */
  readonly token: string;
};

/** A number that a card scheme issued in place of a card's number. Held in memory for one call. */
export type NetworkToken = {
  readonly number: string;
  /** MM/YY, of the token. */
  readonly expirationDate: string;
  /** The scheme's cryptogram for one payment, in base64. Null on every attempt after the first, and for later payments. */
  readonly cryptogram: string | null;
  /** The electronic commerce indicator that came with the cryptogram, two digits. Null if none came. */
  readonly eci: string | null;
};

/** A bank account to debit. */
export type BankDebit = BankAccount & {
  /** The day of the payment's creation in UTC, as YYYY-MM-DD. The provider debits on this day or later. */
  readonly requestedOn: string;
};

/**
 * A request to authorise a payment. Its `key` names the operation, the same on every attempt. The key is never the
 * caller's idempotency key.
 */
export type AuthorizeRequest = {
  readonly key: string;
  /** True if an earlier request with this key may have left. The security code and the cryptogram are gone since. */
  readonly isRepeat: boolean;
  readonly money: Money;
  /** Null if something else pays, or if the buyer chooses how to pay on the provider's own page. */
  readonly card: Card | null;
  /**
   * The provider's own name of the payment method that pays. Held in memory for one call. An earlier payment stored the
   * method, or the provider's software in the buyer's client made the name for this payment.
   */
  readonly token: string | null;
  /** The wallet that pays. Null if something else pays. */
  readonly wallet: WalletToken | null;
  /** The network token that pays. Null if something else pays. */
  readonly networkToken: NetworkToken | null;
  /** The bank account to debit. Null if something else pays. */
  readonly bank: BankDebit | null;
  /** The relation of the payment to others with the same payment method. */
  readonly series: Series;
  /** Our page on which a sandbox's buyer approves. Null if the definition needs no approval. */
  readonly approvalPage: string | null;
  /**
   * Our address to which the provider's page sends the buyer back, by GET or by POST. Null if no payment of the
   * definition waits for the buyer. `resume` gets the parameters of the return.
   */
  readonly returnUrl: string | null;
  /** Our address for webhooks about the payment, the same on every attempt. Null without a public address. */
  readonly notifyUrl: string | null;
  /** The merchant's own name of the payment at its creation, or our id of the payment. */
  readonly merchantReference: string;
  /**
   * The client of the buyer, in which a provider with sessions asks for approval. Null: the buyer uses the
   * provider's page.
   */
  readonly integrationClient: IntegrationClient | null;
  /** True to authorise and capture in one step. */
  readonly capture: boolean;
  /** Number of instalments. Null means a single payment. */
  readonly installmentCount: number | null;
  /** The network that the buyer chose for a co-badged card, in the API's words. Null without a choice. */
  readonly cardNetwork: string | null;
  /** Text for the buyer's statement. Null: the provider uses the text on file for the merchant. */
  readonly statementDescriptor: StatementDescriptor | null;
  /** The order with its lines. Null if the merchant told nothing about the order. */
  readonly order: Order | null;
  /** The shares of accounts in the whole amount. Absent without any. Only for a definition with the feature `splits`. */
  readonly splits?: Splits;
  /**
   * The country of the payment, ISO 3166-1 alpha-2. The payment services were chosen by this country, and the buyer may live
   * elsewhere. Null if the merchant gave none.
   */
  readonly country: string | null;
  /** The payer. Fields that the merchant did not give are null. */
  readonly buyer: PayingBuyer;
  /** The IP address of the buyer. Null if the merchant gave none. */
  readonly ipAddress: string | null;
  /** The browser of the buyer, for authentications. Null if the merchant gave none. */
  readonly browserInfo: BrowserInfo | null;
  /** The merchant's profile at the card's scheme. Null if the payment service has none, or if no card pays. */
  readonly merchantProfile: MerchantProfile | null;
  /** Result of the buyer's authentication. Null without an authentication or without an answer. */
  readonly threeDSecure: ThreeDSecureData | null;
  /** The wish for an authentication by the provider. Without a meaning beside `threeDSecure`, and for an absent buyer. */
  readonly authentication: AuthenticationWish;
  /** Connection options of the payment for this definition, unchanged. Null if the merchant gave none. */
  readonly options: Readonly<Record<string, unknown>> | null;
};

export type IntegrationClient = 'ios' | 'android' | 'web';

/**
 * Facts that issuers and schemes require about a payment with a stored payment method. A payment that stores
 * its method carries them too.
 */
export type Series = {
  /** True if the payment stores its payment method. */
  readonly store: boolean;
  /** True to ask the provider for its own name of the payment method, for later payments. */
  readonly tokenizes: boolean;
  readonly source: 'ecommerce' | 'moto' | 'recurring' | 'installment' | 'card_on_file';
  readonly merchantInitiated: boolean;
  readonly isSubsequentPayment: boolean;
  /** The scheme's id of an earlier payment. Null if no earlier payment has one. */
  readonly schemeTransactionId: string | null;
  /** The scheme's id of the series of payments. Absent if the merchant gave none. */
  readonly transactionLinkId?: string;
};

/**
 * A request to continue an authorisation. The buyer came back, or the buyer's client completed the session. The key
 * and the reference are those of the authorisation.
 *
 * A repeat has the same values, and changes nothing more: the answer is the current state.
 */
export type ResumeRequest = {
  readonly key: string;
  readonly reference: string;
  readonly money: Money;
  /** True if the authorisation also captures. */
  readonly capture: boolean;
  /**
   * The parameters of the return: of the query after a GET, of the form after a POST. For a session, the results that the
   * provider's software in the client gave, if any. Anybody with the address writes them, so only the provider knows their
   * meaning. They may be those of another payment.
   */
  readonly returned: Readonly<Record<string, string>>;
};

/** A request about a payment that the provider has. `reference` is the provider's id of the payment. */
export type FollowUpRequest = {
  readonly key: string;
  readonly reference: string;
  readonly money: Money;
  /** True if an earlier request with this key may have left. Absent: none has. */
  readonly isRepeat?: true;
};

/** The order of the payment. Absent without one, for a part of the amount, and for a capture that may not be the only one. */
type WholeOrder = { readonly order?: Order };

/**
 * A request to capture. `final` means no capture follows, so the provider releases the rest. False needs a
 * provider with multiple captures. `rest` is what no capture takes, in minor units. Absent: nothing is left.
 */
export type CaptureRequest = FollowUpRequest &
  WholeOrder & {
    readonly final: boolean;
    readonly rest?: number;
    /** The shares in this capture. Absent for a payment without shares. */
    readonly splits?: Splits;
  };

/**
 * A request to refund. `captures` are the captures that the refund is of, oldest first, at least one. Their amounts sum
 * up to the amount of the refund. A repeat names the same captures.
 */
export type RefundRequest = FollowUpRequest &
  WholeOrder & {
    readonly captures: readonly RefundedCapture[];
    /** The parts of the refund that the accounts bear. Absent for a payment without shares. */
    readonly splits?: Splits;
  };

/** A capture with the part of a refund that is of this capture. A sale has its authorisation as the only capture. */
export type RefundedCapture = {
  /** Our key of the capture at the provider. */
  readonly key: string;
  /** The provider's id of the capture. */
  readonly reference: string;
  /** Minor units of the refund's currency, at least 1. */
  readonly amount: number;
  /** The parts that the accounts bear, which make the amount. Absent for a payment without shares. */
  readonly shares?: readonly RefundedShare[];
};

/**
 * A request to end a payment that is not authorised yet. `authorizationKey` names the authorisation, whose reference may be unknown.
 *
 * After an approval the provider releases an earlier authorisation, and authorises nothing more under that key.
 */
export type CancelRequest = Omit<FollowUpRequest, 'reference'> & {
  readonly authorizationKey: string;
  readonly reference: string | null;
  /** The moment before which the provider cannot have the authorisation. */
  readonly createdAt: Date;
  /** True while an unanswered `resume` may still reach the provider. An approval would then hold money after the cancel. */
  readonly resuming: boolean;
};

/** A request for the outcome of an operation. `resuming` is false before the buyer's time is over. */
export type LookupRequest = Pick<CancelRequest, 'key' | 'reference' | 'money' | 'resuming'> & {
  readonly verb: Verb;
  /** The moment before which the provider cannot have the operation. Bounds a search through the provider's list. */
  readonly createdAt: Date;
  /**
   * The buyer's decision on our own page. Null if the page was not used. Stays `pending` for a session that the buyer completed: a
   * separate call completes the payment.
   */
  readonly approval: ApprovalState | null;
  /** True while payments are held back after a restore. The look-up of a cancel then releases nothing. Absent means false. */
  readonly isHeld?: true;
  /** True if the payment waits for the buyer's client, so that only `resume` can complete the payment. */
  readonly inSession?: boolean;
};

/** The buyer's decision. `expired`: the buyer did not decide in time. */
export type ApprovalState = 'pending' | 'approved' | 'refused' | 'expired';

/**
 * A request to raise the amount of an authorisation that is not captured yet. The part to add is `money`. The authorised
 * amount after a success is `total`.
 */
export type IncreaseRequest = FollowUpRequest & { readonly total: Money };

/** The verbs that change an authorisation. A provider may lack them. */
export type ChangeVerb = 'increase' | 'reauthorize';

export type Verb = 'authorize' | ChangeVerb | 'capture' | 'refund' | 'void' | 'cancel';

/** The kinds of shares: that of a recipient, and the fee of the platform itself. */
export const SPLIT_KINDS = ['recipient', 'platform_fee'] as const;
export type SplitKind = (typeof SPLIT_KINDS)[number];

/** The share of one account in a payment, a capture or a refund. */
export type Split = {
  readonly kind: SplitKind;
  /** The provider's id of the account. Null for a fee that goes to the platform's own account. */
  readonly account: string | null;
  /** Minor units of the payment's currency. A capture or a refund of a part may leave 0 for an account. */
  readonly amount: number;
  /** The merchant's own name of the share. Null if the merchant gave none. */
  readonly reference: string | null;
};

/** The shares of an operation, one for each share of its payment. They add up to the amount exactly. */
export type Splits = {
  readonly shares: readonly Split[];
  /** True if the shares follow those of the payment. False if the request named other shares. */
  readonly inProportion: boolean;
  /** True for a capture before which nothing was captured, and no other capture is under way. Absent otherwise. */
  readonly isFirst?: boolean;
};

/** The part of one account in the refund of a capture. */
export type RefundedShare = Split & {
  /** The share of the account in the whole capture, before any refund. */
  readonly capturedAmount: number;
};

/** Returns the sum of the shares of one kind. */
export const sumOfKind = ({ shares }: Pick<Splits, 'shares'>, kind: SplitKind): number =>
  shares.reduce((sum, share) => sum + (share.kind === kind ? share.amount : 0), 0);
