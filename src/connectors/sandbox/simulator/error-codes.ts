import type { DeclineCode, DeclineKind } from '../../door.ts';

type Row = readonly [amount: number, errorCode: DeclineCode, kind: DeclineKind];

/** Amounts at which the simulator refuses an authorisation, with the returned code. */
const AUTHORIZATION: readonly Row[] = [
  [200001, 'canceled_payment_method', 'declined'],
  [200002, 'disputed_transaction', 'failed'],
  [200003, 'duplicate_transaction', 'declined'],
  [200004, 'expired_authorization', 'declined'],
  [200005, 'expired_payment_method', 'declined'],
  [200006, 'incorrect_billing_address', 'declined'],
  [200007, 'incorrect_country', 'declined'],
  [200008, 'incorrect_currency', 'declined'],
  [200009, 'incorrect_cvv', 'declined'],
  [200010, 'incorrect_expiry_date', 'declined'],
  [200011, 'insufficient_funds', 'declined'],
  [200012, 'issuer_decline', 'declined'],
  [200013, 'other_decline', 'declined'],
  [200014, 'requires_buyer_authentication', 'failed'],
  [200015, 'refused_transaction', 'declined'],
  [200016, 'service_decline', 'declined'],
  [200017, 'suspected_fraud', 'declined'],
  [200018, 'unavailable_payment_method', 'failed'],
  [200019, 'unknown_payment_method', 'failed'],
  [200020, 'unsupported_transaction', 'failed'],
  [200021, 'unsupported_payment_method', 'failed'],
  [200022, 'cancelled_buyer_approval', 'failed'],
  [300001, 'insufficient_service_permissions', 'failed'],
  [300002, 'invalid_amount', 'failed'],
  [300003, 'invalid_payment_method', 'failed'],
  [300004, 'invalid_service_configuration', 'failed'],
  [300005, 'invalid_service_credentials', 'failed'],
  [300006, 'invalid_service_response', 'failed'],
  [300007, 'invalid_tax_identifier', 'failed'],
  [300008, 'missing_billing_address', 'failed'],
  [300009, 'missing_cvv', 'failed'],
  [300010, 'missing_shipping_address', 'failed'],
  [300011, 'missing_tax_identifier', 'failed'],
  [300012, 'refund_period_expired', 'failed'],
  [300013, 'service_error', 'failed'],
  [300014, 'service_network_error', 'failed'],
  [300015, 'service_rate_limit', 'failed'],
  [400001, 'internal_error', 'failed'],
  [400002, 'invalid_billing_address', 'failed'],
  [400003, 'invalid_operation', 'failed'],
  [400004, 'invalid_request_parameters', 'failed'],
  [400005, 'invalid_service_request', 'failed'],
  [400006, 'invalid_shipping_address', 'failed'],
  [400007, 'service_resource_conflict', 'failed'],
  [400008, 'unexpected_state', 'failed'],
  [400009, 'unknown_error', 'failed'],
  [400010, 'unknown_service_resource', 'failed'],
  [400011, 'unsupported_country', 'failed'],
  [400012, 'unsupported_currency', 'failed'],
  [400013, 'unrecognised_country', 'failed'],
  [400014, 'unrecognised_currency', 'failed'],
  [400015, 'unrecognised_payment_method', 'failed'],
  [400016, 'unrecognised_scheme', 'failed'],
  [400017, 'unsupported_scheme', 'failed'],
];

/** Amounts at which the simulator refuses a change of an authorisation: the part to add, and the renewed amount. */
const INCREASE: readonly Row[] = [
  [530001, 'service_network_error', 'failed'],
  [530002, 'insufficient_funds', 'declined'],
];
const REAUTHORIZE: readonly Row[] = [
  [540001, 'service_network_error', 'failed'],
  [540002, 'expired_authorization', 'declined'],
];

/** Amounts at which the simulator refuses a capture, void or refund. */
const CAPTURE: readonly Row[] = [
  [500001, 'service_network_error', 'failed'],
  [500002, 'refused_transaction', 'declined'],
];
const VOID: readonly Row[] = [
  [510001, 'service_network_error', 'failed'],
  [510002, 'issuer_decline', 'declined'],
];
const REFUND: readonly Row[] = [
  [520001, 'disputed_transaction', 'failed'],
  [520002, 'issuer_decline', 'declined'],
  [520003, 'service_error', 'failed'],
  [520004, 'refund_already_satisfied', 'failed'],
];

/** The response codes of the issuers in the sandbox, by the code of the decline. Other declines come without one. */
export const responseCodes: Partial<Record<DeclineCode, string>> = {
  canceled_payment_method: '41',
  expired_payment_method: '54',
  incorrect_cvv: 'N7',
  insufficient_funds: '51',
  issuer_decline: '05',
  refused_transaction: '57',
  requires_buyer_authentication: '1A',
  suspected_fraud: '59',
};

const byAmount = (rows: readonly Row[]): ReadonlyMap<number, { errorCode: DeclineCode; kind: DeclineKind }> =>
  new Map(rows.map(([amount, errorCode, kind]) => [amount, { errorCode, kind }]));

/** Refusals of the simulator, by verb and by amount in minor units. */
export const refusalsByAmount = {
  authorize: byAmount(AUTHORIZATION),
  increase: byAmount(INCREASE),
  reauthorize: byAmount(REAUTHORIZE),
  capture: byAmount(CAPTURE),
  void: byAmount(VOID),
  refund: byAmount(REFUND),
  cancel: byAmount([[640001, 'service_error', 'failed']]),
} as const;

/** Amounts that the simulator accepts and decides later: one is approved, the other refused. */
export const decidedLater = {
  authorize: { approved: 600001, refused: 600002 },
  increase: { approved: 690001, refused: 690002 },
  reauthorize: { approved: 690003, refused: 690004 },
  capture: { approved: 610001, refused: 610002 },
  void: { approved: 620001, refused: 620002 },
  refund: { approved: 630001, refused: 630002 },
} as const;
