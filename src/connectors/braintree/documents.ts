/** The GraphQL documents of the connector. Each has one root field, whose name names the call. */

const AMOUNT = '{ value currencyCode }';
const RESPONSE =
  'processorResponse { legacyCode message authorizationId cvvResponse avsPostalCodeResponse avsStreetAddressResponse }';
const SETTLEMENT_RESPONSE = 'processorResponse { legacyCode message }';
const CARD = 'brandCode bin last4 expirationMonth expirationYear';

/** The events of a payment, newest first. */
const HISTORY = `statusHistory {
    __typename status timestamp source amount ${AMOUNT}
    ... on AuthorizedEvent { ${RESPONSE} networkResponse { code } }
    ... on ProcessorDeclinedEvent { ${RESPONSE} networkResponse { code } merchantAdviceCodeResponse { code } declineType }
    ... on GatewayRejectedEvent { ${RESPONSE} gatewayRejectionReason duplicateOf { id } }
    ... on FailedEvent { ${RESPONSE} }
    ... on SettlementPendingEvent { ${SETTLEMENT_RESPONSE} }
    ... on SettlementDeclinedEvent { ${SETTLEMENT_RESPONSE} }
  }`;

const PART = `id legacyId orderId createdAt status amount ${AMOUNT} ${HISTORY}`;

const DISPUTE = `id type status amountDisputed ${AMOUNT} receivedDate responseDeadline processorResponse { reason reasonCode }`;

const REFUNDABLE = `${PART} refunds { ${PART} source }`;

const TRANSACTION = `${REFUNDABLE}
  paymentMethodSnapshot {
    __typename
    ... on CreditCardDetails { ${CARD} }
    ... on CreditCardTransactionDetails { networkTransactionId creditCard { ${CARD} } }
  }
  paymentMethod { id usage }
  partialCaptureDetails {
    __typename
    ... on ParentAuthorization { childCaptures { ${REFUNDABLE} } }
    ... on ChildCapture { parentAuthorization { id } }
  }`;

/** The disputes of a transaction and of its child captures. */
const DISPUTES = `disputes { ${DISPUTE} }
  partialCaptureDetails { ... on ParentAuthorization { childCaptures { disputes { ${DISPUTE} } } } }`;

const changing = (field: string, type: string, selection: string): string =>
  `mutation Change($input: ${type}!) { ${field}(input: $input) { ${selection} } }`;

const paying = (field: string, type: string): string =>
  changing(field, type, `transaction { ${TRANSACTION} }`);

/** The documents that change something which a repeat would change again, by their root field. */
export const CHANGES = {
  authorizeCreditCard: paying('authorizeCreditCard', 'AuthorizeCreditCardInput'),
  chargeCreditCard: paying('chargeCreditCard', 'ChargeCreditCardInput'),
  captureTransaction: paying('captureTransaction', 'CaptureTransactionInput'),
  partialCaptureTransaction: changing(
    'partialCaptureTransaction',
    'PartialCaptureTransactionInput',
    `capture { ${REFUNDABLE} }`,
  ),
  refundTransaction: changing('refundTransaction', 'RefundTransactionInput', `refund { ${PART} source }`),
  reverseTransaction: changing(
    'reverseTransaction',
    'ReverseTransactionInput',
    `reversal { __typename ... on Transaction { ${TRANSACTION} } ... on Refund { ${PART} } }`,
  ),
  acceptDispute: changing('acceptDispute', 'AcceptDisputeInput', 'dispute { id status }'),
  createDisputeTextEvidence: changing(
    'createDisputeTextEvidence',
    'CreateDisputeTextEvidenceInput',
    'evidence { id }',
  ),
  createDisputeFileEvidence: changing(
    'createDisputeFileEvidence',
    'CreateDisputeFileEvidenceInput',
    'evidence { id }',
  ),
  finalizeDispute: changing('finalizeDispute', 'FinalizeDisputeInput', 'dispute { id status }'),
} as const;

/** The documents whose repeat does no harm. All but that of a dispute are named by their root field. */
export const READS = {
  node: `query Node($id: ID!) { node(id: $id) { __typename ... on Transaction { ${TRANSACTION} ${DISPUTES} } } }`,
  dispute: `query Dispute($id: ID!) {
    node(id: $id) {
      __typename
      ... on Dispute { id type status evidence { __typename ... on DisputeTextEvidence { content } } }
    }
  }`,
  search: `query Search($input: TransactionSearchInput!) {
    search { transactions(input: $input, first: 50) { edges { node { ${TRANSACTION} } } pageInfo { hasNextPage } } }
  }`,
  viewer: `query Viewer {
    viewer { merchant { id merchantAccounts(first: 50) { edges { node { id currencyCode } } pageInfo { hasNextPage } } } }
  }`,
  tokenizeCreditCard: changing('tokenizeCreditCard', 'TokenizeCreditCardInput', 'paymentMethod { id }'),
  deletePaymentMethodFromVault: changing(
    'deletePaymentMethodFromVault',
    'DeletePaymentMethodFromVaultInput',
    'clientMutationId',
  ),
} as const;
