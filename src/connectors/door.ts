/**
 * The package `paygraph/connector`: everything that a connector may import from Paygraph. The connectors in this repository use
 * the same door. A change of this file changes the interface of every connector elsewhere.
 */

export type { Connector, Recovery, RecoveryByVerb } from './interface/connector.ts';
export type { CallContext, ConnectorLog, Credentials, LogFields } from './interface/call-context.ts';
export {
  definitionField,
  noFeatures,
  type ApprovalWindow,
  type Definition,
  type DefinitionField,
  type Feature,
  type PackageName,
} from './interface/definition.ts';
export type * from './interface/requests.ts';
export { SPLIT_KINDS, sumOfKind } from './interface/requests.ts';
export type * from './interface/outcome.ts';
export {
  isGoods,
  partOf,
  PRODUCT_TYPES,
  type Order,
  type OrderLine,
  type OrderPlace,
  type OrderTotals,
  type PricePart,
  type ProductType,
} from './interface/order.ts';
export {
  answerByStatus,
  countDown,
  noAnswer,
  noReply,
  notSent,
  REFUSED_BEFORE,
  responseNotTaken,
  unreadOf,
  verificationOf,
  type ProviderAnswer,
} from './reading/provider-answer.ts';
export type { StatementDescriptor } from './interface/statement-descriptor.ts';
export type { MerchantProfile } from './interface/merchant-profile.ts';
export type { AuthenticationWish, ThreeDSecureData } from './interface/three-d-secure.ts';
export type { Verification } from './interface/verification.ts';
export type { Revocation, RevocationRequest } from './interface/mandates.ts';
export type { OpenedSession, SessionData, SessionRequest, Sessions } from './interface/sessions.ts';
export {
  UNAUTHORISED,
  withAccessToken,
  type AccessToken,
  type AccessTokens,
  type LoadedToken,
} from './interface/access-tokens.ts';
export {
  disputesBy,
  EVIDENCE_FORMATS,
  EVIDENCE_KINDS,
  type DisputeAnswer,
  type DisputeRequest,
  type DisputeResponses,
  type Evidence,
  type EvidenceFile,
  type EvidenceFormat,
  type EvidenceKind,
} from './interface/dispute-responses.ts';
export {
  GIFT_CARD_ERROR_CODES,
  giftCardErrorCode,
  type GiftCardBalance,
  type GiftCardErrorCode,
  type GiftCards,
  type GiftCardSecrets,
  type RedeemRequest,
} from './interface/gift-cards.ts';

export {
  isOperationNotice,
  type LaterReport,
  type LaterReports,
  type NamedMaterial,
  type Notice,
  type NoticeOutcome,
  type PartReceiver,
  type SimulatedSuccess,
  type UnreadReason,
  type VerifiedWebhook,
  type WebhookNotice,
  type WebhookRefusal,
  type WebhookRequest,
  type Webhooks,
} from './notices/webhook.ts';
export type { LookUpNotice } from './notices/look-ups.ts';
export { noticeOutcomeOf } from './notices/notice-outcome.ts';
export type {
  BooksRequest,
  BooksState,
  FoundPayment,
  PaymentOfRequest,
  ProviderBooks,
} from './notices/books.ts';
export {
  DISPUTE_REASONS,
  DISPUTE_STAGES,
  DISPUTE_STATUSES,
  type DisputeNotice,
  type DisputeReason,
  type DisputeReport,
  type DisputeStage,
  type DisputeStatus,
} from './notices/disputes.ts';
export {
  SETTLEMENT_KINDS,
  type Booked,
  type SettlementAnswer,
  type SettlementEntry,
  type SettlementKind,
  type SettlementPage,
  type SettlementRequest,
  type Settlements,
  type UnreadableEntry,
} from './notices/settlements.ts';
export type {
  StoredMethodAnswer,
  StoredMethodChange,
  StoredMethodNotice,
  StoredMethodReport,
} from './notices/stored-methods.ts';
export { unreadable } from './reading/read-settlements.ts';
export { isSignedByOne, secretsIn } from './reading/signed-body.ts';
export { timeOf } from './reading/time-text.ts';

export {
  fromDecimalText,
  fromProviderUnits,
  toDecimalText,
  toProviderUnits,
  type AmountForm,
  type AmountForms,
} from './codes/amounts.ts';
export { bankReturnReason } from './codes/bank-return-codes.ts';
export { DECLINE_CODES, listedCode, type DeclineCode, type DeclineKind } from './codes/decline-codes.ts';
export { expiryText } from './codes/expiry-text.ts';
export { refusedBefore, type Impossible } from './codes/impossible.ts';
export { FILE_TYPES, multipartForm, type FormPart, type Multipart } from './codes/multipart.ts';
export { cleanSchemeCodes, type SchemeCodes } from './codes/scheme-codes.ts';
export { meaningsByWord } from './codes/word-table.ts';
export { cutText, statementText } from './buyer/cut-text.ts';
export { joinHouseNumber } from './buyer/house-number.ts';
export { fullNameOf } from './buyer/full-name.ts';
export { impossibleBy, type MethodLimits } from './buyer/judge-method.ts';
export { omitOrderField } from './buyer/omit-order.ts';
export { brazilianTaxIdOf, missingFor, type PaymentNeed } from './buyer/needs.ts';
export {
  ANY_ADDRESS,
  POSTAL_STATE_CODES,
  type AddressPart,
  type AddressProfile,
  type BuyerProfile,
} from './buyer/profile.ts';
export { applePayFields } from './wallets/apple-pay.ts';
export { PAYPAL_AMOUNTS, PAYPAL_CURRENCIES } from './wallets/paypal-money.ts';
export { googlePayField, googlePayReceiver, type GooglePayReceiver } from './wallets/google-pay.ts';

export type * from './anti-fraud/check-request.ts';
export type * from './anti-fraud/connector.ts';
export type * from './anti-fraud/report.ts';
export type {
  ConnectorPackage,
  DeclaredHosts,
  PackagedAntiFraud,
  PackagedConnector,
} from './packages/package.ts';

export type { HttpAnswer, HttpFailure, HttpReply, HttpSender } from '../platform/http/reply.ts';
export type { HttpRequest } from '../platform/http/request.ts';
export { isUuid } from '../platform/ids.ts';
export { isObject, parseJson, textsIn } from '../kernel/json.ts';
export { AMOUNT_MAX, sameMoney, type Money } from '../kernel/money.ts';
export { ok, refuse, type Result } from '../kernel/result.ts';
export { withoutNulls } from '../kernel/without-nulls.ts';
