export type { Buyer, ShippingDetails } from './model/buyer.ts';
export { createBuyer } from './buyers/create.ts';
export { deleteBuyer } from './buyers/delete.ts';
export { findBuyers, findBuyersByExternalIdentifier } from './buyers/find.ts';
export { countBuyers, listBuyers } from './buyers/list.ts';
export { newestKey } from '../../platform/lists/sort.ts';
export {
  createShippingDetails,
  deleteShippingDetails,
  findShippingDetailsOf,
  updateShippingDetails,
} from './buyers/shipping-details.ts';
export { findBuyerIdBy, lockBuyer } from './store/buyers/buyers.ts';
export { readShippingDetails } from './store/buyers/shipping-details.ts';
export { updateBuyer } from './buyers/update.ts';
export { cardFacts, isExpired, isNoCardOf, type CardFacts } from './model/card.ts';
export { bankAccount } from './input/bank-account.ts';
export { card, cardNumber, expirationDate, type Ask } from './input/card.ts';
export type { CreateBuyerInput, ShippingDetailsInput, UpdateBuyerInput } from './input/buyer.ts';
export { sortByUsage, type GiftCard, type UsageField } from './model/gift-card.ts';
export { checkBalance, checkGiftCardBalances, type CheckedBalance } from './gift-cards/check-balances.ts';
export { deleteGiftCard } from './gift-cards/delete.ts';
export {
  findGiftCards,
  findGiftCardsOfBuyers,
  listBuyerGiftCards,
  listGiftCards,
  type GiftCardFilter,
} from './gift-cards/find.ts';
export { giftCardRefused, type GiftCardRefused } from './gift-cards/refusals.ts';
export {
  countCardFailure,
  refuseGuess,
  type GivenNumber,
  type TooManyCardNumbers,
} from './guesses/refuse-guess.ts';
export { startPresentedCardSweeper } from './guesses/sweep.ts';
export {
  repeatedGiftCards,
  resolveGiftCards,
  type ResolvedGiftCard,
  type ResolveRequest,
} from './gift-cards/resolve.ts';
export { giftCardDigest, pinDigest } from './gift-cards/secrets.ts';
export { storeGiftCard } from './gift-cards/store-gift-card.ts';
export {
  recordGiftCardReturn,
  recordGiftCardUse,
  updateGiftCardBalance,
  type GiftCardAnswer,
  type GiftCardUse,
} from './gift-cards/use.ts';
export {
  giftCardReference,
  GIFT_CARDS_MAX,
  type BalancesInput,
  type GiftCardReference,
  type StoreGiftCardInput,
} from './input/gift-card.ts';
export { buyer, shippingDetails } from './input/people.ts';
export type { BuyerDetails, ShippingAddress } from './model/people.ts';
export { storePaymentMethod } from './stored/create.ts';
export { BANK_CURRENCIES, bankCountryOf, knownScheme, tokenIdentity } from './stored/describe.ts';
export { canonicalBankAccount } from './stored/canonical-input.ts';
export { deletePaymentMethod } from './stored/delete.ts';
export {
  findPaymentMethods,
  findUsablePaymentMethod,
  lockUsablePaymentMethod,
  openInstrument,
} from './stored/find.ts';
export type { Instrument } from './stored/instrument.ts';
export {
  countPaymentMethods,
  findPaymentMethodsOf,
  listPaymentMethods,
  type PaymentMethodsOfBuyer,
} from './stored/list.ts';
export { listBuyerPaymentMethods } from './stored/list-of-buyer.ts';
export {
  STORED_ROWS_LOCKED,
  STORED_ROWS_USABLE,
  insertedMethod,
  storedRowValues,
  METHOD_LOCKED,
  methodFailed,
  methodSucceeded,
  settledValues,
  type StoredRows,
  type NewPaymentMethod,
  type SealedToken,
} from './store/payment-expressions.ts';
export { preparePaymentMethod } from './stored/prepare.ts';
export { storeRecurringToken, sealRecurringToken } from './stored/at-provider/recurring-token.ts';
export {
  isUsable,
  modeOf,
  paysByTokenAlone,
  type PaymentMethod,
  type PaymentMethodStatus,
} from './model/payment-method.ts';
export {
  findTokenServices,
  openProviderToken,
  putProviderToken,
} from './stored/at-provider/provider-token.ts';
export { recordMethodReport, type ReportResult } from './reported/record-report.ts';
export { startTokenDigester } from './reported/digest-tokens.ts';
export { updatePaymentMethod } from './stored/update.ts';
export { movePaymentMethod, recordPaymentMethodUse } from './stored/use.ts';
export { methodInputSchemas } from './input-schemas.ts';
