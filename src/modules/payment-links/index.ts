export { openApplePaySession, type LinkApplePay, type LinkApplePaySession } from './methods/apple-pay.ts';
export { bankSchemeOf } from './methods/bank-debit.ts';
export { createPaymentLink } from './create.ts';
export { expirePaymentLink } from './expire.ts';
export { findPaymentLinks } from './find.ts';
export { countPaymentLinks, listPaymentLinks, paymentLinkKey, type PaymentLinkSort } from './list.ts';
export {
  checkGiftCard,
  shareOut,
  type GiftCardFault,
  type GiftCardShare,
  type GivenGiftCard,
  type SharedOut,
  type ShownGiftCard,
} from './methods/gift-cards.ts';
export type { LinkGooglePay } from './methods/google-pay.ts';
export { findLinkMethods, type LinkMethods, type LocalNetwork } from './methods/methods.ts';
export { beginPayment, type Begun } from './pay/begin.ts';
export { bringUpToDate, type UpToDate } from './pay/bring-up-to-date.ts';
export { carryOut, type Submission } from './pay/carry-out.ts';
export { finishPayment, giveUp } from './pay/finish.ts';
export { payLink, type Paid, type PayRefusal } from './pay/pay.ts';
export type { LinkShippingDetails, PaymentLink, PaymentLinkStatus } from './payment-link.ts';
export { isTakenBack, paymentOf, requestReceipt, type ReceiptNotOffered } from './receipt.ts';
export type { StoredCard } from './methods/stored-cards.ts';
export type { AttemptGivenUp, PaymentLinkNotActive } from './refusals.ts';
export { expireLapsed, finishDue, startPaymentLinkSweeper } from './sweep.ts';
export { findByToken, findPaymentLinkUrls } from './token.ts';
export { linkInputSchemas } from './input-schemas.ts';
