import { DECLINE_CODES, meaningsByWord, type DeclineCode } from '../door.ts';

/** The meanings of response codes. A code is a text of five characters, and not always a number. */
const BY_CODE = meaningsByWord<DeclineCode>({
  issuer_decline: '20001 20002 20005 20021 20046 20060 20091 20092 20108 200N0 2005C 20182',
  invalid_service_configuration: '20003 20102 20058 20112 20157',
  invalid_service_request: '20006 20012 20030 20104 20113 20114 20116 20117 20119 200T2 20033',
  invalid_amount: '20013 30020',
  unknown_payment_method: '20014 20056 20101 30015',
  cancelled_buyer_approval: '20017',
  service_error: '20019 20022 20088 20096 20153 20159',
  unsupported_payment_method: '20031 20081 20103 20015 200T3',
  unsupported_currency: '20106',
  unrecognised_country: '20193',
  missing_billing_address: '20107 20123',
  refused_transaction: `20038 20055 20075 2006P 20057 20062 20063 20064 20078 2009G 20093 20183 200R1 200R3
    30036 30037 30038 30044`,
  insufficient_funds: '20051 20061 20065 20121 30021 30022 200P1 200P9',
  expired_payment_method: '20054 30033',
  suspected_fraud: '20059 20066 30034 40101',
  canceled_payment_method: '20072 20179 30004 30007 30035 30041 30043 30046 20004',
  incorrect_cvv: '20082 20087 200N7 40104',
  missing_cvv: '20124',
  duplicate_transaction: '20094',
  incorrect_expiry_date: '20100',
  unexpected_state: '20109 20110 20111',
  requires_buyer_authentication: '20150 20154 200O5 44301',
  service_decline: '20105',
  unsupported_transaction: '20156',
  failed_buyer_approval: '20151 20155',
  incomplete_buyer_approval: '20152',
  refund_period_expired: '20158',
  incorrect_billing_address: '40108 40111',
});

/** The meaning of a code that is not in the table, by the first digit. */
const BY_RANGE: Readonly<Record<string, DeclineCode | undefined>> = {
  2: 'other_decline',
  3: 'refused_transaction',
  4: 'suspected_fraud',
};

/** The codes of a decision that came too late, or is still open. */
const OPEN: ReadonlySet<string> = new Set(['20009', '20068', '20118']);

/** True if the code says that nobody knows the decision yet. */
export const isOpen = (code: string | null | undefined): boolean => OPEN.has(code ?? '');

/** True for the code of an approval. A partial approval is none. */
export const isApproval = (code: string): boolean => code.startsWith('10') && code !== PARTIAL;

/** The code of an approval of a part. No request allows one. */
export const PARTIAL = '10010';

/** True for the code of a refusal. */
export const isRefusal = (code: string): boolean => !isOpen(code) && BY_RANGE[code[0] ?? ''] !== undefined;

/** True for an action that was refused. An action without a decision is none. */
export const isDeclined = ({
  approved,
  response_code: code,
}: {
  readonly approved?: boolean | null | undefined;
  readonly response_code?: string | null | undefined;
}): boolean => approved === false || isRefusal(code ?? '');

/** Returns the meaning of a refusal by its response code. */
export function meaningOf(code: string | null | undefined) {
  const errorCode = BY_CODE.get(code ?? '') ?? BY_RANGE[code?.[0] ?? ''] ?? 'other_decline';
  return { kind: DECLINE_CODES[errorCode].kind, errorCode };
}
