import type { GiftCardFault, LinkMethods } from '../../modules/payment-links/index.ts';
import type { GiftCards } from './gift-card-cookie.ts';
import type { FieldName, FormValues } from './submission.ts';

/** The state of the form, with the result of the last try. */
export type Form = {
  readonly methods: LinkMethods;
  /** The amounts paid by the buyer's gift cards, and the amount left for other methods. */
  readonly giftCards: GiftCards;
  /** See formKeyOf. */
  readonly formKey: string;
  readonly status?: number;
  /** The result of the whole try. */
  readonly warning?:
    | 'checkFields'
    | 'declined'
    | 'giftCardFailed'
    | 'notApproved'
    | 'refused'
    | 'stale'
    | 'storedGone';
  readonly wrong?: ReadonlySet<FieldName>;
  /** Why a gift card was not taken. */
  readonly giftCardFaults?: readonly GiftCardFault[];
  /** Values that may be shown again, never a card's number or security code. */
  readonly values?: FormValues;
};
