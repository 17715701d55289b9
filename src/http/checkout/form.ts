import type { GiftCardFault, LinkMethods } from '../../modules/payment-links/index.ts';
import type { AskedMandate } from './bank/mandate.ts';
import type { BankFieldName } from './bank/submission.ts';
import type { Decline } from './decline.ts';
import type { GiftCards } from './methods/gift-card-cookie.ts';
import type { FieldName, FormValues } from './submission.ts';

/** The bank debit that the page offers. The form key covers the text of the mandate. */
export type OfferedDebit = AskedMandate & { readonly formKey: string };

/** The state of the form, with the result of the last try. */
export type Form = {
  readonly methods: LinkMethods;
  /** The amounts paid by the buyer's gift cards, and the amount left for other methods. */
  readonly giftCards: GiftCards;
  /** See formKeyOf. */
  readonly formKey: string;
  /** Null if no account can be debited. */
  readonly debit: OfferedDebit | null;
  readonly status?: number;
  /** The result of the whole try. */
  readonly warning?:
    | Decline
    | 'checkFields'
    | 'giftCardFailed'
    | 'notApproved'
    | 'refused'
    | 'stale'
    | 'storedGone';
  readonly wrong?: ReadonlySet<FieldName | BankFieldName>;
  /** The digits of the security code of the number that was typed. Null while the scheme is unknown. */
  readonly codeLength?: number | null;
  /** Why a gift card was not taken. */
  readonly giftCardFaults?: readonly GiftCardFault[];
  /** Values that may be shown again, never a number or a security code. */
  readonly values?: FormValues;
};
