import { describe, expect, it } from '@jest/globals';
import { answerOf } from '../../../src/connectors/braintree/exchange.ts';
import { refusalOf } from '../../../src/connectors/braintree/errors.ts';

const errorsOf = (...classes: readonly string[]) => ({
  errors: classes.map((errorClass) => ({ message: 'No.', extensions: { errorClass } })),
});

const answered = (body: unknown, status = 200) => answerOf({ status, body: JSON.stringify(body) });

const unknown = (cause: string) => ({ kind: 'unknown', unknown: { kind: 'unknown', cause } });

const refusedBefore = (refusedAs: string) => ({
  ...{ kind: 'unknown', error: null },
  unknown: { kind: 'unknown', cause: 'server_error', sent: false, refusedAs },
});

describe('an answer', () => {
  it.each([
    ['data', { data: { node: { id: '1' } } }],
    ['an empty node', { data: { node: null } }],
  ])('with %s is one', (_, body) => {
    expect(answered(body)).toEqual({ kind: 'answered', body: body.data });
  });

  it.each([
    ['AUTHENTICATION', 'invalid_service_credentials'],
    ['AUTHORIZATION', 'insufficient_service_permissions'],
    ['RESOURCE_LIMIT', 'service_rate_limit'],
  ])('with an error of the class %s is a refusal before the work', (errorClass, refusedAs) => {
    const before = refusedBefore(refusedAs);
    expect(answered({ data: null, ...errorsOf(errorClass) })).toEqual(before);
    expect(answered({ data: { refundTransaction: null }, ...errorsOf(errorClass) })).toEqual(before);
  });

  it.each(['VALIDATION', 'NOT_FOUND', 'AUTHORIZATION', 'SERVICE_AVAILABILITY'])(
    'with data beside an error of the class %s says nothing certain of the part',
    (errorClass) => {
      const data = { node: { id: '1', refunds: null } };
      expect(answered({ data, ...errorsOf(errorClass) })).toEqual({
        ...unknown('server_error'),
        // The check of credentials asks what the key may not read.
        ...(errorClass === 'AUTHORIZATION' && { partial: data }),
      });
    },
  );

  it.each(['VALIDATION', 'NOT_FOUND', 'AUTHORIZATION'])(
    'whose part failed the whole, with an error of the class %s, says nothing certain',
    (errorClass) => {
      const path = ['chargeCreditCard', 'transaction', 'disputes'];
      const errors = [{ message: 'No.', path, extensions: { errorClass } }];
      expect(answered({ data: { chargeCreditCard: null }, errors })).toEqual(unknown('server_error'));
      const [root] = path;
      expect(answered({ data: null, errors: [{ ...errors[0], path: [root] }] })).not.toEqual(
        unknown('server_error'),
      );
    },
  );

  it.each(['VALIDATION', 'NOT_FOUND', 'NOT_IMPLEMENTED'])(
    'with an error of the class %s is a refusal',
    (errorClass) => {
      expect(answered({ data: { node: null }, ...errorsOf(errorClass) })).toMatchObject({ kind: 'refused' });
    },
  );

  it.each([
    ['an error of the class INTERNAL', { data: null, ...errorsOf('INTERNAL') }],
    ['an error of the class SERVICE_AVAILABILITY', { data: null, ...errorsOf('SERVICE_AVAILABILITY') }],
    ['an error of a new class', { data: null, ...errorsOf('QUANTUM') }],
    ['an error without a class', { data: null, errors: [{ message: 'No.' }] }],
    [
      'two errors, of which one may have come after the work',
      { data: null, ...errorsOf('VALIDATION', 'INTERNAL') },
    ],
    ...[
      ['INTERNAL', 'AUTHORIZATION'],
      ['RESOURCE_LIMIT', 'SERVICE_AVAILABILITY'],
    ].map((classes): [string, object] => [
      `two errors, of which one came before the work: ${classes.join(' and ')}`,
      { data: { chargeCreditCard: null }, ...errorsOf(...classes) },
    ]),
  ])('with %s says nothing certain', (_, body) => {
    expect(answered(body)).toEqual(unknown('server_error'));
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html></html>'],
    ['null', 'null'],
    ['neither data nor an error', '{"data":null}'],
  ])('of %s is not readable', (_, body) => {
    expect(answerOf({ status: 200, body })).toEqual(unknown('unreadable'));
  });

  it.each([
    [401, refusedBefore('invalid_service_credentials')],
    [403, refusedBefore('insufficient_service_permissions')],
    [429, refusedBefore('service_rate_limit')],
    [404, unknown('server_error')],
    [500, unknown('server_error')],
  ])('with the status %d is none of Braintree', (status, expected) => {
    expect(answered({ data: { node: { id: '1' } } }, status)).toEqual(expected);
  });
});

it.each([
  ['91506', 'unexpected_state'],
  ['91512', 'refund_already_satisfied'],
  ['91564', 'invalid_payment_method'],
  ['91565', 'unknown_payment_method'],
  ['99999', 'invalid_service_request'],
])('the code %s of a refused request means %s', (legacyCode, errorCode) => {
  const error = { message: 'No.', extensions: { errorClass: 'VALIDATION', legacyCode, inputPath: null } };
  expect(refusalOf(error)).toEqual({
    ...{ kind: 'failed', reference: null, errorCode },
    ...{ rawResponseCode: legacyCode, rawResponseDescription: 'No.' },
  });
});
