import type { GiftCardFault, LinkMethods } from '../../modules/payment-links/index.ts';
import type { GiftCards } from './gift-card-cookie.ts';
import type { FieldName, FormValues } from './submission.ts';

/** What a buyer fills in, and what is said about the last try. */
export type Form = {
  readonly methods: LinkMethods;
  /** What the buyer's gift cards pay, and what they leave to the other methods. */
  readonly giftCards: GiftCards;
  /** See formKeyOf. */
  readonly formKey: string;
  readonly status?: number;
  /** What the whole try came to. */
  readonly said?:
    'checkFields' | 'declined' | 'giftCardFailed' | 'notApproved' | 'refused' | 'stale' | 'storedGone';
  readonly wrong?: ReadonlySet<FieldName>;
  /** Why a gift card was not taken. */
  readonly giftCardFaults?: readonly GiftCardFault[];
  /** What may be shown again: never a card's number or security code. */
  readonly values?: FormValues;
};
