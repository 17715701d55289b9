import { generateKeyPairSync } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gatewayUrlOf, requestApplePaySession } from '../../src/connectors/wallets/apple-pay-session.ts';
import {
  applePayFields,
  applePayMerchant,
  applePayMistakes,
} from '../../src/connectors/wallets/apple-pay.ts';
import { connectors } from '../../src/connectors/index.ts';
import {
  answerAgain,
  ENDED,
  NOT_BEGUN,
  SESSION,
  startAppleGateway,
  VALIDATION_URL,
  type AppleFields,
  type AppleGateway,
} from '../support/apple-gateway.ts';

let gateway: AppleGateway;
let merchant: AppleFields;
beforeAll(async () => {
  gateway = await startAppleGateway();
  merchant = gateway.merchant();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  answerAgain(gateway);
  gateway.requests.length = 0;
});

it('has its fields wherever a definition takes its tokens, and keeps certificate and key secret', () => {
  const keys = applePayFields.map(({ key }) => key);
  for (const { id, fields, supportedFeatures } of connectors.flatMap(({ definitions }) => definitions)) {
    const found = fields.filter(({ key }) => keys.includes(key));
    expect([id, found.map(({ key }) => key)]).toEqual([id, supportedFeatures.apple_pay ? keys : []]);
  }
  expect(applePayFields.map(({ key, secret }) => [key, secret])).toEqual([
    ['apple_pay_merchant_id', false],
    ['apple_pay_country_code', false],
    ['apple_pay_certificate', true],
    ['apple_pay_private_key', true],
  ]);
});

describe('the fields of a merchant at Apple', () => {
  const mistakes = (change: Partial<AppleFields> = {}) =>
    applePayMistakes({ merchant_id: 'm-1', ...merchant, ...change }, new Date());

  it('fit together, and are not needed', () => {
    expect([mistakes(), applePayMistakes({ merchant_id: 'm-1' }, new Date())]).toEqual([[], []]);
  });

  it('are needed together', () => {
    const { apple_pay_merchant_id, apple_pay_country_code } = merchant;
    const found = applePayMistakes({ apple_pay_merchant_id, apple_pay_country_code }, new Date());
    expect(found.map(({ key }) => key)).toEqual(['apple_pay_certificate', 'apple_pay_private_key']);
    expect(found[0]?.sentence).toMatch(/^Apple Pay needs apple_pay_certificate too\. Set .* or clear all/);
  });

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  const locked = privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' }).toString();
  const wrongs: [string, () => Partial<AppleFields>, string, RegExp][] = [
    [
      'an id with a blank',
      () => ({ apple_pay_merchant_id: 'my shop' }),
      'apple_pay_merchant_id',
      /Must be an id/,
    ],
    [
      'a country by name',
      () => ({ apple_pay_country_code: 'Germany' }),
      'apple_pay_country_code',
      /ISO 3166-1/,
    ],
    [
      'a certificate in DER',
      () => ({ apple_pay_certificate: '0\u0082\u0003' }),
      'apple_pay_certificate',
      /in PEM/,
    ],
    [
      'a damaged certificate',
      () => ({ apple_pay_certificate: merchant.apple_pay_certificate.replace(/M/g, 'N') }),
      'apple_pay_certificate',
      /in PEM/,
    ],
    [
      'an ended certificate',
      () => gateway.merchant(ENDED),
      'apple_pay_certificate',
      /^The certificate ended on 20/,
    ],
    ['a certificate of later', () => gateway.merchant(NOT_BEGUN), 'apple_pay_certificate', /begins on 20/],
    [
      'a certificate as key',
      () => ({ apple_pay_private_key: merchant.apple_pay_certificate }),
      'apple_pay_private_key',
      /private key in PEM/,
    ],
    [
      'a key with a passphrase',
      () => ({ apple_pay_private_key: locked }),
      'apple_pay_private_key',
      /without a passphrase/,
    ],
    [
      'the key of another certificate',
      () => ({ apple_pay_private_key: privateKey.export(pem).toString() }),
      'apple_pay_private_key',
      /^Must be the private key of the certificate in apple_pay_certificate\.$/,
    ],
  ];
  it.each(wrongs)('refuse %s', (_, change, key, sentence) => {
    expect(mistakes(change())).toEqual([{ key, sentence: expect.stringMatching(sentence) }]);
    expect(applePayMerchant({ ...merchant, ...change() }, new Date())).toBeNull();
  });
});

describe('the address of a gateway', () => {
  it.each([
    'https://apple-pay-gateway.apple.com/paymentservices/paymentSession',
    'https://apple-pay-gateway-cert.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway-nc-pod5.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway-pr-pod1.apple.com/paymentservices/startSession',
    'https://cn-apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://cn-apple-pay-gateway-sh-pod2.apple.com/paymentservices/startSession',
  ])('may be %s', (url) => expect(gatewayUrlOf(url)).toBe(url));

  it.each([
    '',
    'apple-pay-gateway.apple.com',
    'http://apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com:8443/paymentservices/startSession',
    'https://user@apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://:secret@apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com.example.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com./paymentservices/startSession',
    'https://apple-pay-gateway-evil.apple.com/paymentservices/startSession',
    'https://evil-apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gatewayxapple.com/paymentservices/startSession',
    'https://www.apple.com/paymentservices/startSession',
    'https://example.com/apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://example.com#apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://example.com\\@apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com/',
    'https://apple-pay-gateway.apple.com/paymentservices/../admin',
    'https://apple-pay-gateway.apple.com/paymentservices/a/b',
    'https://127.0.0.1/paymentservices/startSession',
    'https://169.254.169.254/paymentservices/startSession',
    'https://localhost/paymentservices/startSession',
    'file:///paymentservices/startSession',
  ])('may not be %j', (url) => expect(gatewayUrlOf(url)).toBeNull());

  it('leaves out the parts that Apple does not need', () => {
    const url = 'HTTPS://Apple-Pay-Gateway.apple.com:443/paymentservices/startSession?to=me#here';
    expect(gatewayUrlOf(url)).toBe('https://apple-pay-gateway.apple.com/paymentservices/startSession');
  });
});

describe('a session of Apple Pay', () => {
  const open = (fields: AppleFields, change: object = {}) => {
    const known = applePayMerchant(fields, new Date());
    if (!known) throw new Error('The fields are wrong.');
    return requestApplePaySession(gateway.http, known, {
      ...{ validationUrl: VALIDATION_URL, displayName: 'Nordlicht', host: 'pay.example.com' },
      deadlineMs: 10_000,
      ...change,
    });
  };

  it('is asked for with the certificate of the merchant', async () => {
    const opened = await open(merchant, { displayName: `${'ü'.repeat(63)}😀 and more` });

    expect(opened).toEqual({ kind: 'opened', session: JSON.stringify(SESSION) });
    expect(gateway.requests).toEqual([
      {
        path: '/paymentservices/startSession',
        merchant: 'merchant.com.example',
        body: {
          merchantIdentifier: 'merchant.com.example',
          displayName: `${'ü'.repeat(63)}😀`,
          initiative: 'web',
          initiativeContext: 'pay.example.com',
        },
      },
    ]);
  });

  it('is not asked for at a foreign address', async () => {
    expect(
      await open(merchant, { validationUrl: 'https://example.com/paymentservices/startSession' }),
    ).toEqual({
      kind: 'foreign',
    });
    expect(gateway.requests).toEqual([]);
  });

  it('is not opened for a certificate that Apple does not know', async () => {
    expect(await open(gateway.stranger())).toMatchObject({ kind: 'unknown' });
    expect(gateway.requests).toEqual([]);
  });

  it('shows its certificate in no other request', async () => {
    await open(merchant);
    const other = await gateway.http.send({
      ...{ method: 'POST', url: VALIDATION_URL, headers: {}, body: '{}' },
      ...{ deadlineMs: 10_000, replyBytesMax: 1000, pool: 'apple-pay' },
    });
    expect(other).toHaveProperty('failure');
    expect(gateway.requests).toHaveLength(1);
  });

  it.each([
    [
      'refuses',
      { status: 417, body: '{"statusMessage":"Payment Services Exception"}' },
      { kind: 'refused', status: 417 },
    ],
    ['redirects', { status: 302, body: '' }, { kind: 'refused', status: 302 }],
    ['answers with no object', { status: 200, body: '"session"' }, { kind: 'unknown', cause: 'unreadable' }],
    ['answers with no JSON', { status: 200, body: '<html>' }, { kind: 'unknown', cause: 'unreadable' }],
  ])('is not opened when Apple %s', async (_, answer, expected) => {
    gateway.answer = answer;
    expect(await open(merchant)).toEqual(expected);
  });

  it('is not waited for longer than the time limit', async () => {
    gateway.answer = null;
    expect(await open(merchant, { deadlineMs: 300 })).toEqual({ kind: 'unknown', cause: 'timeout' });
  });

  it('is not asked for at a gateway whose certificate is not trusted', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([]);
    const opened = await open(merchant);
    setDefaultCACertificates(trusted);

    expect(opened).toEqual({ kind: 'unknown', cause: 'tls' });
    expect(gateway.requests).toEqual([]);
  });
});
