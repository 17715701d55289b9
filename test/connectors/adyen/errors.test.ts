import { describe, expect, it } from '@jest/globals';
import { outcomeOfError } from '../../../src/connectors/adyen/exchange.ts';
import {
  cancellationOf,
  errorResultOf,
  refusalOf,
  responseCodeOf,
} from '../../../src/connectors/adyen/errors.ts';
import { BY_ISSUER_CODE, REFUSALS } from '../../../src/connectors/adyen/refusals.ts';
import { declineOf, modificationReasonOf } from '../../../src/connectors/adyen/webhooks/notice-reasons.ts';
import type { AdyenEvent } from '../../../src/connectors/adyen/webhooks/notification.ts';

/** Returns the meaning of a number, with the issuer's words if there are any. */
const meaningOf = (code: string | undefined, issuerWords?: string) =>
  refusalOf({ code, words: null, issuerWords });

/** The issuer's words that an answer or a webhook may add. Two of the codes say no more than "refused". */
const ISSUER_WORDS = [
  undefined,
  ...[...Object.keys(BY_ISSUER_CODE), '05', 'ZZ'].map((code) => `${code} : Words`),
];

describe('the table of refusals', () => {
  it.each(REFUSALS.map(({ code, words, refusal }) => [code, words, refusal] as const))(
    'gives an answer and a webhook the same meaning of %s',
    (code, words, refusal) => {
      expect(meaningOf(code)).toEqual(refusal);
      expect(words.length).toBeGreaterThan(0);
      for (const each of words.flatMap(spellings))
        for (const issuerWords of ISSUER_WORDS) {
          const answered = refusalOf({ code, words: each, issuerWords });
          expect(refusalOf({ code: undefined, words: each, issuerWords })).toEqual(answered);
          expect(refusalOf({ code: '999', words: each, issuerWords })).toEqual(answered);
          expect(declineOf(eventOf(each, issuerWords))).toEqual(answered);
          if (issuerWords === undefined || code !== '2') expect(answered).toEqual(refusal);
        }
    },
  );

  it.each(ISSUER_WORDS.flatMap((words) => words ?? []))(
    'gives an answer and a webhook the same meaning of the issuer: %s',
    (issuerWords) => {
      const answered = refusalOf({ code: '2', words: 'Refused', issuerWords });
      expect(declineOf(eventOf(issuerWords))).toEqual(answered);
      expect(declineOf(eventOf('A new word', issuerWords))).toEqual(answered);
      expect(refusalOf({ code: '999', words: 'A new word', issuerWords })).toEqual(answered);
    },
  );

  it('has each number and each text once', () => {
    const codes = REFUSALS.map(({ code }) => code);
    const words = REFUSALS.flatMap((row) => row.words);
    expect([new Set(codes).size, new Set(words).size]).toEqual([codes.length, words.length]);
  });

  it.each([
    ['RReq not received from DS', 'failed_buyer_approval'],
    ['Pin tries exceeded', 'refused_transaction'],
    ['Expired Card', 'expired_payment_method'],
    ['N7 : Decline for CVV2 failure', 'incorrect_cvv'],
  ])('reads %s in an answer without a number, and in a webhook', (words, errorCode) => {
    expect(refusalOf({ code: undefined, words, issuerWords: words }).errorCode).toBe(errorCode);
    expect(declineOf(eventOf(words)).errorCode).toBe(errorCode);
  });

  it('reads a refund of an old payment', () => {
    expect(modificationReasonOf(eventOf('Transaction too old to be refunded'))).toEqual({
      ...{ kind: 'failed', errorCode: 'refund_period_expired' },
    });
  });
});

/** Returns words as Adyen may spell them. */
const spellings = (words: string): readonly string[] => [
  ...[words, words.toUpperCase(), words.charAt(0).toUpperCase() + words.slice(1), `${words}.`],
];

/** An event of Adyen with a reason, and the issuer's own words if there are any. */
const eventOf = (reason: string, issuerWords?: string): AdyenEvent => ({
  ...{ eventCode: 'AUTHORISATION', success: false, pspReference: 'P1', originalReference: null },
  ...{ merchantAccountCode: 'TestMerchant', merchantReference: '', amount: undefined, reason },
  data: issuerWords === undefined ? {} : { refusalReasonRaw: issuerWords },
});

describe('a refusal', () => {
  it.each([
    ['2', 'declined', 'issuer_decline'],
    ['3', 'declined', 'issuer_decline'],
    ['4', 'failed', 'service_error'],
    ['5', 'declined', 'canceled_payment_method'],
    ['6', 'declined', 'expired_payment_method'],
    ['7', 'failed', 'invalid_amount'],
    ['8', 'failed', 'invalid_payment_method'],
    ['9', 'declined', 'issuer_decline'],
    ['10', 'declined', 'refused_transaction'],
    ['11', 'failed', 'failed_buyer_approval'],
    ['12', 'declined', 'insufficient_funds'],
    ['14', 'declined', 'suspected_fraud'],
    ['15', 'failed', 'canceled'],
    ['16', 'failed', 'cancelled_buyer_approval'],
    ['17', 'declined', 'refused_transaction'],
    ['20', 'declined', 'suspected_fraud'],
    ['21', 'failed', 'service_error'],
    ['22', 'declined', 'suspected_fraud'],
    ['23', 'declined', 'refused_transaction'],
    ['24', 'declined', 'incorrect_cvv'],
    ['25', 'declined', 'refused_transaction'],
    ['26', 'declined', 'refused_transaction'],
    ['27', 'declined', 'other_decline'],
    ['28', 'declined', 'insufficient_funds'],
    ['29', 'declined', 'insufficient_funds'],
    ['31', 'declined', 'suspected_fraud'],
    ['32', 'declined', 'incorrect_billing_address'],
    ['33', 'declined', 'refused_transaction'],
    ['38', 'failed', 'requires_buyer_authentication'],
    ['39', 'failed', 'failed_buyer_approval'],
    ['42', 'failed', 'failed_buyer_approval'],
    ['45', 'declined', 'refused_transaction'],
    ['46', 'declined', 'refused_transaction'],
    ['99', 'declined', 'other_decline'],
    [undefined, 'declined', 'other_decline'],
  ] as const)('with the code %s is %s: %s', (code, kind, errorCode) => {
    expect(meaningOf(code)).toEqual({ kind, errorCode });
  });

  it.each([
    ['05 : Do not honor', 'declined', 'issuer_decline'],
    ['04 : Pick up card', 'declined', 'canceled_payment_method'],
    ['43 : Stolen card', 'declined', 'canceled_payment_method'],
    ['51 : Not sufficient funds', 'declined', 'insufficient_funds'],
    ['61 : Exceeds withdrawal amount', 'declined', 'insufficient_funds'],
    ['54 : Expired card', 'declined', 'expired_payment_method'],
    ['57 : Not permitted', 'declined', 'refused_transaction'],
    ['59 : Suspected fraud', 'declined', 'suspected_fraud'],
    ['65 : Limit', 'failed', 'requires_buyer_authentication'],
    ['1A : Additional authentication', 'failed', 'requires_buyer_authentication'],
    ['R1 : Revocation', 'declined', 'refused_transaction'],
    ['Nothing known', 'declined', 'issuer_decline'],
  ] as const)('of the issuer is refined by its words: %s', (words, kind, errorCode) => {
    expect(meaningOf('2', words)).toEqual({ kind, errorCode });
  });

  it.each([
    ['05 : Do not honor', '05'],
    ['R1 : Revocation', 'R1'],
    ['1A: Additional authentication', '1A'],
    ['51', '51'],
    ['100 : Deny', '100'],
    ['AUTHORISED', null],
    ['DO NOT HONOR', null],
    ['DECLINED : no', null],
    ['3D Not Authenticated', null],
    ['044925:1111:03/2030', null],
    ['', null],
    [undefined, null],
  ])('has the code of the issuer before its words: %j', (words, code) => {
    expect(responseCodeOf(words)).toBe(code);
  });

  it('of another reason keeps its reason, whatever the issuer says', () => {
    expect(meaningOf('24', '51 : Not sufficient funds').errorCode).toBe('incorrect_cvv');
  });
});

describe('the result Error', () => {
  it.each([
    ['4', 'service_error'],
    ['7', 'invalid_amount'],
    ['8', 'invalid_payment_method'],
    ['21', 'service_error'],
    ['42', 'failed_buyer_approval'],
  ])('is certain with the code %s', (code, errorCode) => {
    expect(errorResultOf(code)).toEqual({ kind: 'failed', errorCode });
  });

  it.each(['2', '9', '99', undefined])('is not certain with the code %s', (code) => {
    expect(errorResultOf(code)).toBeNull();
  });
});

it.each([
  ['15', 'canceled'],
  ['16', 'cancelled_buyer_approval'],
  [undefined, 'cancelled_buyer_approval'],
])('the result Cancelled with the code %s is %s', (code, errorCode) => {
  expect(cancellationOf(code)).toEqual({ kind: 'failed', errorCode });
});

const errorOf = (status: number, errorCode: string, errorType = 'validation') => ({
  ...{ status, errorCode, errorType, message: 'Said by Adyen' },
});

describe('an error', () => {
  it.each([
    ['000', 'service_error'],
    ['0', 'service_error'],
    ['100', 'invalid_amount'],
    ['137', 'invalid_amount'],
    ['101', 'invalid_payment_method'],
    ['103', 'incorrect_cvv'],
    ['104', 'invalid_billing_address'],
    ['132', 'invalid_billing_address'],
    ['129', 'incorrect_expiry_date'],
    ['140', 'incorrect_expiry_date'],
    ['141', 'incorrect_expiry_date'],
    ['130', 'invalid_service_request'],
    ['138', 'unsupported_currency'],
    ['167', 'unknown_service_resource'],
    ['906', 'unknown_service_resource'],
    ['172', 'invalid_payment_method'],
    ['174', 'invalid_payment_method'],
    ['177', 'invalid_service_request'],
    ['702', 'invalid_service_request'],
    ['800', 'unknown_payment_method'],
    ['803', 'unknown_payment_method'],
    ['905', 'unsupported_payment_method'],
    ['905_3', 'unsupported_payment_method'],
    ['999', 'invalid_service_request'],
  ])('of validation with the code %s has failed: %s', (code, errorCode) => {
    expect(outcomeOfError(422, errorOf(422, code))).toEqual({
      ...{ kind: 'failed', reference: null, errorCode },
      ...{ rawResponseCode: code, rawResponseDescription: 'Said by Adyen' },
    });
  });

  it.each([
    [401, errorOf(401, '000', 'security'), 'invalid_service_credentials'],
    [403, errorOf(403, '010', 'security'), 'insufficient_service_permissions'],
    [429, {}, 'service_rate_limit'],
    [422, errorOf(422, '010', 'security'), 'insufficient_service_permissions'],
    [422, errorOf(422, '901'), 'invalid_service_configuration'],
    [422, errorOf(422, '998', 'configuration'), 'invalid_service_configuration'],
  ])('of status %s is of this request alone: %j', (status, body, refusedAs) => {
    expect(outcomeOfError(status, body)).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', sent: false, refusedAs },
    });
  });

  it('of the form of a request has failed, also with the status 400', () => {
    expect(outcomeOfError(400, errorOf(400, '702'))).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_service_request' },
    });
  });

  it.each([
    [500, errorOf(500, '702'), 'server_error'],
    [503, null, 'server_error'],
    [422, errorOf(422, '704'), 'server_error'],
    [422, errorOf(422, '998', 'internal'), 'server_error'],
    [422, errorOf(422, '998', 'a new type'), 'server_error'],
    [422, null, 'unreadable'],
    [404, errorOf(404, '702'), 'unreadable'],
    [302, null, 'unreadable'],
  ])('of status %s says nothing certain: %j', (status, body, cause) => {
    expect(outcomeOfError(status, body)).toEqual({ kind: 'unknown', cause });
  });
});
