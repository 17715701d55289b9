import type {
  PaymentAmountUpdateRequest,
  PaymentCancelRequest,
  PaymentCaptureRequest,
  PaymentDetailsRequest,
  PaymentMethodsRequest,
  PaymentRefundRequest,
  PaymentRequest,
  PaymentReversalRequest,
  StandalonePaymentCancelRequest,
} from '@adyen/api-library/lib/src/typings/checkout/models.js';
import type {
  AcceptDisputeRequest,
  DefendDisputeRequest,
  DefenseReasonsRequest,
  SupplyDefenseDocumentRequest,
} from '@adyen/api-library/lib/src/typings/disputes/models.js';

/** A request of Adyen's SDK as plain JSON. Words stand in place of the SDK's enums. */
type Plain<Shape> = Shape extends string
  ? `${Shape}`
  : Shape extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : Shape extends object
      ? { readonly [Field in keyof Shape]: Plain<Shape[Field]> }
      : Shape;

/**
 * The requests of the Checkout API. The types are those of Adyen's SDK, for version 72. Tests compare the requests with
 * Adyen's description of version 71.
 */
export type AdyenPayment = Plain<PaymentRequest>;
export type AdyenDetails = Plain<PaymentDetailsRequest>;
export type AdyenCapture = Plain<PaymentCaptureRequest>;
export type AdyenRefund = Plain<PaymentRefundRequest>;
export type AdyenReversal = Plain<PaymentReversalRequest>;
export type AdyenCancel = Plain<PaymentCancelRequest>;
export type AdyenStandaloneCancel = Plain<StandalonePaymentCancelRequest>;
export type AdyenAmountUpdate = Plain<PaymentAmountUpdateRequest>;
export type AdyenMethods = Plain<PaymentMethodsRequest>;

/** The requests of the Disputes API, by the last part of their path. */
export type AdyenDisputeRequests = {
  readonly acceptDispute: Plain<AcceptDisputeRequest>;
  readonly retrieveApplicableDefenseReasons: Plain<DefenseReasonsRequest>;
  readonly supplyDefenseDocument: Plain<SupplyDefenseDocumentRequest>;
  readonly defendDispute: Plain<DefendDisputeRequest>;
};
