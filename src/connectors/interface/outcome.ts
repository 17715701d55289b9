import type { Money } from '../../kernel/money.ts';
import type { DeclineCode } from '../codes/decline-codes.ts';

/**
 * A provider's answer to an operation.
 *
 * - Only an explicit approval is `succeeded`.
 * - Only an explicit refusal is `declined` or `failed`.
 * - A timeout, a 5xx or an unexpected answer is `unknown`. Reconciliation asks again.
 */
export type Outcome =
  | ({ readonly kind: 'succeeded'; readonly reference: string; readonly money: Money } & ProviderWords &
      Known)
  /** Accepted, and decided later. A webhook or a look-up reports the decision. */
  | ({
      readonly kind: 'accepted';
      readonly reference: string;
      /** Why the rest of the authorisation may still be held after a final capture. One of our words. Absent: not known. */
      readonly unreleased?: string;
    } & Awaits &
      ProviderWords)
  /** Refused by the issuer or the provider. No money moved. */
  | ({
      readonly kind: 'declined';
      readonly reference: string | null;
      readonly errorCode: DeclineCode;
    } & ProviderWords)
  /** Failed for a technical reason. The provider itself states that nothing happened. */
  | ({
      readonly kind: 'failed';
      readonly reference: string | null;
      readonly errorCode: DeclineCode;
    } & ProviderWords)
  | Unknown;

/**
 * No answer to the request.
 *
 * - `sent: false`: this request never left. An earlier request with the same key may have left.
 * - `refusedAs`: why the provider refused a request before any work, such as invalid credentials. Only with `sent: false`,
 *   because the refusal says nothing about an earlier request. Without one, the operation fails with this code.
 * - `arrived: true`: the provider says that a request with this key arrived, and a repeat tells nothing of its result. Some
 *   providers refuse a repeat with other parameters, or repeat their old error. A look-up finds the result.
 */
export type Unknown = {
  readonly kind: 'unknown';
  readonly cause: UnknownCause;
  readonly sent?: false;
  readonly refusedAs?: DeclineCode;
  readonly arrived?: true;
};

/** The step of the buyer for which an accepted authorisation waits. Empty if the provider alone decides. */
export type Awaits = {
  /**
   * The page on which the buyer approves. With a payment reference, the page says how to pay. With `qrCode`, the address opens
   * the app in which the buyer pays.
   */
  readonly approvalUrl?: string;
  /**
   * The fields of a form that the buyer's browser posts to `approvalUrl`. Absent if a GET opens the page.
   *
   * At most 50 fields, with 20 000 characters in all.
   */
  readonly approvalForm?: Readonly<Record<string, string>>;
  /**
   * The text of a QR code with which the buyer pays in an app. A page of ours shows the code.
   *
   * At most 2 000 bytes in UTF-8, and only without `approvalForm`. With `approvalUrl`, a button of the page opens the app: no
   * telephone scans its own screen.
   */
  readonly qrCode?: string;
  /** The moment at which the provider's code or voucher ends. Absent: the provider names none. */
  readonly expiresAt?: Date;
  /** The payment waits for the buyer's client, which gets a session. */
  readonly session?: true;
  /**
   * The provider's own words for the step of the client, as the text of a JSON object. The provider's software in the client
   * takes the object unchanged. Only with `session`.
   *
   * Each step has its own text. An answer of `resume` with a text is about the next step.
   */
  readonly clientAction?: string;
  /** The facts about a debit of a bank account, which the payer must learn before the debit. */
  readonly debit?: AnnouncedDebit;
  /** The reference that the buyer of a push payment names at a shop or bank. */
  readonly paymentReference?: string;
};

/** A debit that the provider has announced. SEPA and Bacs demand a notice to the payer before the debit. */
export type AnnouncedDebit = {
  /** The day of the debit as YYYY-MM-DD. Null if not known yet. */
  readonly debitsOn: string | null;
  /** The creditor identifier of SEPA, or the service user number of Bacs. Null without one. */
  readonly creditorId: string | null;
  /** The provider's own reference of the mandate. Null if the merchant's reference holds. */
  readonly mandateReference: string | null;
};

/** The names under which later payments refer to a payment that succeeded. */
export type Known = {
  /** Sent to the scheme with later payments of the same payment method. */
  readonly schemeTransactionId?: string | null;
  /**
   * The provider's own name of a stored payment method, a secret. Absent unless the payment asked to store the
   * method.
   */
  readonly recurringToken?: string | null;
};

export type UnknownCause = 'timeout' | 'connection' | 'server_error' | 'unreadable';

/** The provider's own codes. Null where the provider gave no code. */
export type ProviderWords = {
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
  /** The issuer's approval code, mostly six letters or digits. Null without an approval. */
  readonly authResponseCode?: string | null;
  /**
   * The response code of the scheme or the issuer, as in field 39 of ISO 8583. Examples are `05`, `51` and `R1`. The code has
   * two to four digits or capital letters. Anything else becomes null.
   */
  readonly networkResponseCode?: string | null;
  /** The scheme's advice about a retry, two digits. After 03 and 21 the scheme forbids one. */
  readonly merchantAdviceCode?: string | null;
  readonly avsResponseCode?: string | null;
  readonly cvvResponseCode?: string | null;
  /** The country of the card's issuer, ISO 3166-1 alpha-2. */
  readonly cardCountry?: string | null;
  /** The card behind a wallet, a network token or the provider's own token. Absent if the provider does not tell. */
  readonly card?: KnownCard | null;
};

/** A card as its provider describes the card. Fields that the provider did not tell are null. */
export type KnownCard = {
  /** The scheme in the words of the API, such as `visa` or `diners_club`. */
  readonly scheme: string | null;
  /** The first six to eight digits. */
  readonly bin: string | null;
  readonly lastFour: string | null;
  /** MM/YY. */
  readonly expirationDate: string | null;
};
