import type { Decision } from './model.ts';

/** The names of the refusals by `refusalReasonCode`. */
const REASONS: Readonly<Record<string, string>> = {
  2: 'Refused',
  3: 'Referral',
  4: 'Acquirer Error',
  5: 'Blocked Card',
  6: 'Expired Card',
  7: 'Invalid Amount',
  8: 'Invalid Card Number',
  9: 'Issuer Unavailable',
  10: 'Not supported',
  11: '3D Not Authenticated',
  12: 'Not enough balance',
  14: 'Acquirer Fraud',
  15: 'Cancelled',
  16: 'Shopper Cancelled',
  17: 'Invalid Pin',
  18: 'Pin tries exceeded',
  19: 'Pin validation not possible',
  20: 'FRAUD',
  21: 'Not Submitted',
  22: 'FRAUD-CANCELLED',
  23: 'Transaction Not Permitted',
  24: 'CVC Declined',
  25: 'Restricted Card',
  26: 'Revocation Of Auth',
  27: 'Declined Non Generic',
  28: 'Withdrawal amount exceeded',
  29: 'Withdrawal count exceeded',
  31: 'Issuer Suspected Fraud',
  32: 'AVS Declined',
  33: 'Card requires online pin',
  34: 'No checking account available on Card',
  35: 'No savings account available on Card',
  36: 'Mobile pin required',
  37: 'Contactless fallback',
  38: 'Authentication required',
  39: 'RReq not received from DS',
  40: 'Current AID is in Penalty Box',
  41: 'CVM Required Restart Payment',
  42: '3DS Authentication Error',
  43: 'Online PIN required',
  44: 'Try another interface',
  45: 'Chip downgrade mode',
  46: 'Transaction blocked by Adyen to prevent excessive retry fees',
};

/** The refusals that Adyen answers as an error, because no issuer refused. */
const ERRORS = new Set(['4', '7', '8', '21', '42']);
const CANCELLATIONS = new Set(['15', '16']);

export const AUTHORISED: Decision = { kind: 'authorised', value: null };

export type Refused = Extract<Decision, { readonly kind: 'refused' }>;

/** Refuses with a code. `raw`: the code of the issuer, such as `51`. */
export function refuse(code: string, raw = '05'): Refused {
  const reason = REASONS[code] ?? 'Unknown';
  const other = CANCELLATIONS.has(code) ? 'Cancelled' : 'Refused';
  return {
    kind: 'refused',
    resultCode: ERRORS.has(code) ? 'Error' : other,
    code,
    reason,
    raw: `${raw} : ${RAW_WORDS[raw] ?? reason}`,
  };
}

const RAW_WORDS: Readonly<Record<string, string>> = {
  '05': 'Do not honor',
  '51': 'Insufficient funds',
  '54': 'Expired card',
  '65': 'Exceeds frequency limit',
};

export const CANCELLED = refuse('15');

/** A request's fields that order a decision. */
export type Ordered = {
  readonly value: number;
  readonly holderName: string | null;
  /** `additionalData.RequestedTestAcquirerResponseCode`: a `refusalReasonCode`. */
  readonly acquirerCode: string | undefined;
};

/**
 * Decides an authorisation, by the first of these that orders one:
 *
 * - The test code of the acquirer.
 * - The holder's name: a reason in capitals, such as `NOT_ENOUGH_BALANCE`, and perhaps the issuer's code as in `REFUSED : 51`.
 * - The amount: 200 000 plus a code refuses. See `LATER` for the amounts that are decided later.
 */
export function decide({ value, holderName, acquirerCode }: Ordered): Decision {
  if (acquirerCode !== undefined) return acquirerCode === '0' ? AUTHORISED : refuse(acquirerCode);
  const [word, raw] = (holderName ?? '').split(' : ');
  const named = BY_WORD.get(word ?? '');
  if (named !== undefined) return refuse(named, raw);
  const code = String(value - 200_000);
  if (code in REASONS) return refuse(code);
  return BY_AMOUNT[value] ?? AUTHORISED;
}

const BY_WORD: ReadonlyMap<string, string> = new Map([
  ['DECLINED', '2'] as const,
  ...Object.entries(REASONS).map(
    ([code, reason]) => [reason.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_'), code] as const,
  ),
]);

/** Amounts that are decided later, or only in part. */
export const LATER = {
  pendingThenAuthorised: 600_001,
  pendingThenRefused: 600_002,
  receivedThenAuthorised: 600_003,
  partlyAuthorised: 600_004,
} as const;

const BY_AMOUNT: Readonly<Record<number, Decision>> = {
  [LATER.pendingThenAuthorised]: { kind: 'later', resultCode: 'Pending', then: AUTHORISED },
  [LATER.pendingThenRefused]: { kind: 'later', resultCode: 'Pending', then: refuse('2') },
  [LATER.receivedThenAuthorised]: { kind: 'later', resultCode: 'Received', then: AUTHORISED },
  [LATER.partlyAuthorised]: { kind: 'authorised', value: LATER.partlyAuthorised - 100_000 },
};
