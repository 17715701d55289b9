import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openInstrument, openProviderToken } from '../../src/modules/payment-methods/index.ts';
import {
  CARD,
  mandateAt,
  mandateService,
  startStoredHarness,
  type Input,
  type StoredHarness,
} from './stored-harness.ts';
import { withoutRandom } from '../support/without-random.ts';

let harness: StoredHarness;
let rival: { readonly id: string; readonly token: string };

beforeAll(async () => {
  harness = await startStoredHarness();
  rival = await harness.server.createMerchantAccount();
});
afterAll(() => harness.stop());

const HOLDER = { firstName: 'Jane', lastName: 'Doe' };
const ACH = {
  scheme: 'ACH',
  accountNumber: '000123456789',
  routingNumber: '110000000',
  accountType: 'CHECKING',
  accountHolder: HOLDER,
};
const SEPA = { scheme: 'SEPA', accountNumber: 'DE89 3704 0044 0532 0130 00', accountHolder: HOLDER };
const BACS = {
  scheme: 'BACS',
  accountNumber: '31926819',
  routingNumber: '60-16-13',
  accountHolder: { companyName: 'Acme' },
};
const REDIRECT = {
  method: 'paypal',
  country: 'US',
  currency: 'USD',
  redirectUrl: 'https://shop.example/back',
};
const TOKEN = { token: '5200000000001203', expirationDate: '12/40', cardLastFour: '4242' };

const instrument = (given: Input): Input => ({ instrument: given });

describe('a stored payment method', () => {
  it.each([
    [
      'a card',
      { card: CARD },
      {
        ...{ method: 'card', mode: 'CARD', instrumentType: 'PAN', scheme: 'VISA', bin: '41111111' },
        ...{ lastFour: '1111', label: '1111', expirationDate: '12/40', country: null, currency: null },
      },
      { kind: 'card', number: '4111111111111111' },
    ],
    [
      'a card of a scheme that has no name here',
      { card: { ...CARD, number: '6370950000000005' } },
      { scheme: 'OTHER', lastFour: '0005' },
      { kind: 'card', number: '6370950000000005' },
    ],
    [
      'an ACH account',
      { bankAccount: ACH },
      {
        ...{ method: 'bank', mode: 'BANK', instrumentType: 'BANK', bankScheme: 'ACH', country: 'US' },
        ...{
          currency: 'USD',
          label: '6789',
          lastFour: '6789',
          scheme: null,
          bin: null,
          expirationDate: null,
        },
      },
      {
        ...{ kind: 'bank_account', scheme: 'ach', accountNumber: '000123456789', routingNumber: '110000000' },
        ...{ accountType: 'checking', accountHolder: { ...HOLDER, companyName: null }, mandate: null },
      },
    ],
    [
      'a SEPA account',
      { bankAccount: SEPA },
      { bankScheme: 'SEPA', country: 'DE', currency: 'EUR', label: '3000' },
      {
        ...{
          kind: 'bank_account',
          scheme: 'sepa',
          accountNumber: 'DE89370400440532013000',
          routingNumber: null,
          mandate: null,
        },
        ...{ accountType: null, accountHolder: { ...HOLDER, companyName: null } },
      },
    ],
    [
      'a BACS account',
      { bankAccount: BACS },
      { bankScheme: 'BACS', country: 'GB', currency: 'GBP', label: '6819' },
      {
        ...{ kind: 'bank_account', scheme: 'bacs', accountNumber: '31926819', routingNumber: '601613' },
        ...{
          accountType: null,
          accountHolder: { firstName: null, lastName: null, companyName: 'Acme' },
          mandate: null,
        },
      },
    ],
    [
      'a network token',
      { networkToken: TOKEN },
      {
        ...{ method: 'network_token', mode: 'CARD', instrumentType: 'NETWORK_TOKEN', scheme: 'MASTERCARD' },
        ...{ lastFour: '4242', label: '4242', bin: null, expirationDate: '12/40' },
      },
      { kind: 'network_token', token: '5200000000001203' },
    ],
    [
      'a redirect method',
      { redirect: REDIRECT },
      {
        ...{ method: 'paypal', mode: 'REDIRECT', instrumentType: 'REDIRECT', country: 'US', currency: 'USD' },
        ...{ label: null, fingerprint: null },
      },
      null,
    ],
  ])('can be %s', async (_, given, shown, opened) => {
    const kept = await harness.stored({ ...instrument(given), externalIdentifier: 'mine' });

    expect(kept).toMatchObject({
      ...shown,
      ...{ status: 'PROCESSING', merchantAccountId: 'default', externalIdentifier: 'mine', buyer: null },
      ...{ additionalSchemes: [], issuerCountry: null, approvalUrl: null, usageCount: 0, lastUsedAt: null },
      ...{
        citUsageCount: 0,
        citLastUsedAt: null,
        schemeTransactionId: null,
        schemeTransactionIdScheme: null,
      },
    });
    expect(await harness.read(kept.id)).toEqual(kept);
    const place = { merchantAccountId: 'default', id: kept.id };
    expect(await openInstrument(harness.server.app, place)).toEqual(opened);
    expect(await openInstrument(harness.server.app, { ...place, merchantAccountId: rival.id })).toBeNull();
  });

  it('can be a mandate of a provider, which is its token there', async () => {
    const paymentServiceId = await mandateService(harness, null);
    const kept = await harness.stored(mandateAt(paymentServiceId, 'mandate-1'));

    expect(kept).toMatchObject({
      ...{ method: 'paybybank', mode: 'REDIRECT', instrumentType: 'REDIRECT_TOKEN', status: 'PROCESSING' },
      ...{ country: 'GB', currency: 'GBP' },
    });
    const place = { merchantAccountId: 'default', paymentMethodId: kept.id, paymentServiceId };
    expect(await openProviderToken(harness.server.app, place)).toBe('mandate-1');
    expect(await openProviderToken(harness.server.app, { ...place, merchantAccountId: rival.id })).toBeNull();
  });

  it('publishes events without a digit of its number', async () => {
    const buyerId = await harness.buyer();
    const kept = await harness.stored({ ...instrument({ card: CARD }), buyerId, externalIdentifier: 'told' });

    expect(await harness.events(kept.id)).toEqual([
      [
        'payment-method.created',
        {
          type: 'payment-method',
          id: kept.id,
          method: 'card',
          status: 'processing',
          buyer_id: buyerId,
          external_identifier: 'told',
          created_at: kept['createdAt'],
          updated_at: kept['updatedAt'],
        },
      ],
    ]);
  });

  it('has the same fingerprint each time, and another at another merchant', async () => {
    const [first, again, theirs] = [
      await harness.stored(instrument({ card: CARD })),
      await harness.stored(
        instrument({ card: { ...CARD, number: '4111111111111111', expirationDate: '01/41' } }),
      ),
      await harness.stored(instrument({ card: CARD }), rival.token),
    ];
    const account = await harness.stored(instrument({ bankAccount: SEPA }));
    const spelt = { ...SEPA, accountNumber: 'de89370400440532013000' };

    expect(again.id).not.toBe(first.id);
    expect(again['fingerprint']).toBe(first['fingerprint']);
    expect(theirs['fingerprint']).not.toBe(first['fingerprint']);
    expect((await harness.stored(instrument({ bankAccount: spelt })))['fingerprint']).toBe(
      account['fingerprint'],
    );
  });

  it('is nowhere in the database in clear text, and its security code is nowhere at all', async () => {
    const numbers = ['4917610000000000', '74926819', '5425233430109903', 'GB33BUKB20201555555555'];
    const [card = '', account = '', token = '', iban = ''] = numbers;
    const key = randomUUID();
    const codes = { number: card, expirationDate: '12/40', securityCode: '9731' };
    await harness.ask(
      `mutation ($input: StorePaymentMethodInput!, $key: String) {
        answer: storePaymentMethod(input: $input, idempotencyKey: $key) { replayed } }`,
      { input: instrument({ card: codes }), key },
    );
    await harness.stored(instrument({ bankAccount: { ...BACS, accountNumber: account } }));
    await harness.stored(instrument({ networkToken: { ...TOKEN, token } }));
    await harness.stored(instrument({ bankAccount: { ...SEPA, accountNumber: iban } }));

    const text = await everything(harness);
    for (const place of [text, harness.server.logs()]) {
      for (const secret of numbers) expect([secret, place.includes(secret)]).toEqual([secret, false]);
      expect(withoutRandom(place)).not.toMatch(/(?<![\w.])(9731|Jane)(?![\w.])/);
    }
    const opened = await Promise.all(
      (await harness.server.app.db.prisma.paymentMethod.findMany({ where: { lastFour: '0000' } })).map(
        (row) => openInstrument(harness.server.app, row),
      ),
    );
    expect(opened).toEqual([{ kind: 'card', number: card }]);
  });
});

/** Reads every row of the tables that a stored payment method writes to. */
async function everything({ server }: StoredHarness): Promise<string> {
  const { prisma } = server.app.db;
  const tables = [
    'payment_method',
    'payment_method_term',
    'payment_method_token',
    'event',
    'idempotency_key',
  ];
  const rows = await Promise.all(
    tables.map((table) => prisma.$queryRawUnsafe(`SELECT to_jsonb(t)::text AS row FROM "${table}" t`)),
  );
  return JSON.stringify(rows);
}

describe("a buyer's payment method", () => {
  it('is found by either of its identifiers, and shown with it, the latest first', async () => {
    const buyerId = await harness.buyer({ externalIdentifier: 'owner' });
    const first = await harness.stored({ ...instrument({ card: CARD }), buyerId: buyerId.toUpperCase() });
    const second = await harness.stored({ ...instrument({ card: CARD }), buyerExternalIdentifier: 'owner' });

    expect([first['buyer'], second['buyer']]).toEqual([{ id: buyerId }, { id: buyerId }]);
    const document = 'query ($id: ID!) { answer: buyer(id: $id) { paymentMethods { id buyer { id } } } }';
    expect(await harness.ask(document, { id: buyerId })).toEqual({
      paymentMethods: [
        { id: second.id, buyer: { id: buyerId } },
        { id: first.id, buyer: { id: buyerId } },
      ],
    });
  });

  it('cannot belong to an unknown buyer', async () => {
    const theirs = await harness.buyer({ externalIdentifier: 'theirs' }, rival.token);
    const before = await everything(harness);
    const given = instrument({ card: CARD });

    for (const owner of [
      { buyerId: theirs },
      { buyerId: randomUUID() },
      { buyerExternalIdentifier: 'theirs' },
    ])
      expect(await harness.store({ ...given, ...owner })).toMatchObject({
        paymentMethod: null,
        userErrors: [{ code: 'NOT_FOUND', path: ['input', ...Object.keys(owner)] }],
      });
    expect(await everything(harness)).toBe(before);
  });
});

describe('a repeat under one key', () => {
  it('is answered from the record after the deletion of the buyer, while another buyer is another request', async () => {
    const buyerId = await harness.buyer();
    const document = `mutation ($input: StorePaymentMethodInput!) {
      answer: storePaymentMethod(input: $input, idempotencyKey: "of a buyer") {
        paymentMethod { id } userErrors { code } replayed } }`;
    const input = { ...instrument({ card: CARD }), buyerId };
    const first = await harness.ask<{ readonly paymentMethod: { readonly id: string } }>(document, { input });
    await harness.ask('mutation ($id: ID!) { answer: deleteBuyer(id: $id) { deletedId } }', { id: buyerId });

    expect(await harness.ask(document, { input })).toEqual({ ...first, replayed: true });
    expect(await harness.ask(document, { input: { ...input, buyerId: randomUUID() } })).toMatchObject({
      paymentMethod: null,
      userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
    });
    expect(await harness.read(first.paymentMethod.id)).toBeNull();
  });
});

describe('an input that cannot be stored', () => {
  const at = (path: string): string => `input.instrument.${path}`;
  it.each<[string, Input, readonly string[]]>([
    ['a short number', { card: { ...CARD, number: '411111111111' } }, [at('card.number')]],
    ['a card of the past', { card: { ...CARD, expirationDate: '01/20' } }, [at('card.expirationDate')]],
    ['a month of no year', { card: { ...CARD, expirationDate: '13/40' } }, [at('card.expirationDate')]],
    ['a security code of two digits', { card: { ...CARD, securityCode: '98' } }, [at('card.securityCode')]],
    [
      'everything that is wrong with a card at once',
      { card: { number: 'x', expirationDate: '1/40', securityCode: '12345' } },
      [at('card.number'), at('card.expirationDate'), at('card.securityCode')],
    ],
    [
      'an account at no bank in the US',
      { bankAccount: { ...ACH, routingNumber: '110000001' } },
      [at('bankAccount.routingNumber')],
    ],
    [
      'an ACH account without what it needs',
      { bankAccount: { ...ACH, routingNumber: null, accountType: null } },
      [at('bankAccount.routingNumber'), at('bankAccount.accountType')],
    ],
    [
      'an ACH account number of letters',
      { bankAccount: { ...ACH, accountNumber: '12AB' } },
      [at('bankAccount.accountNumber')],
    ],
    [
      'an IBAN with other check digits',
      { bankAccount: { ...SEPA, accountNumber: 'DE88370400440532013000' } },
      [at('bankAccount.accountNumber')],
    ],
    [
      'an IBAN that is too short for its country',
      { bankAccount: { ...SEPA, accountNumber: 'DE893704004405320130' } },
      [at('bankAccount.accountNumber')],
    ],
    [
      'a BIC that is none',
      { bankAccount: { ...SEPA, routingNumber: 'COBA' } },
      [at('bankAccount.routingNumber')],
    ],
    [
      'a sort code of five digits, of an account of seven, with a type',
      {
        bankAccount: { ...BACS, routingNumber: '60-16-1', accountNumber: '3192681', accountType: 'SAVINGS' },
      },
      [at('bankAccount.accountNumber'), at('bankAccount.routingNumber'), at('bankAccount.accountType')],
    ],
    [
      'an account of half a name',
      { bankAccount: { ...SEPA, accountHolder: { firstName: 'Jane' } } },
      [at('bankAccount.accountHolder')],
    ],
    [
      'a redirect method that is none, to nowhere',
      { redirect: { method: 'card', country: 'us', currency: 'usd', redirectUrl: 'ftp://shop.example' } },
      [at('redirect.method'), at('redirect.country'), at('redirect.currency'), at('redirect.redirectUrl')],
    ],
    [
      'a network token that has expired',
      { networkToken: { ...TOKEN, expirationDate: '01/20', cardLastFour: '1' } },
      [at('networkToken.expirationDate'), at('networkToken.cardLastFour')],
    ],
  ])('is %s', async (_, given, paths) => {
    const before = await everything(harness);
    const { paymentMethod, userErrors } = await harness.store(instrument(given));

    expect(paymentMethod).toBeNull();
    expect(userErrors.map(({ code, path }) => [code, path.join('.')])).toEqual(
      paths.map((path) => ['INVALID_INPUT', path]),
    );
    const reported = userErrors.map(({ message }) => message).join(' ');
    expect(reported).not.toMatch(
      /411111111111|110000001|DE8837|DE8937040044053201|3192681|12AB|expected|received/,
    );
    expect(await everything(harness)).toBe(before);
  });

  it('names two buyers, or none that can exist, under a long name', async () => {
    const given = { ...instrument({ card: CARD }), externalIdentifier: 'x'.repeat(201) };
    const { userErrors } = await harness.store({ ...given, buyerId: 'Jane' });
    const both = { buyerId: await harness.buyer(), buyerExternalIdentifier: 'owner' };

    expect(userErrors.map(({ path }) => path.join('.'))).toEqual([
      'input.buyerId',
      'input.externalIdentifier',
    ]);
    expect(await harness.store({ ...instrument({ card: CARD }), ...both })).toMatchObject({
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'buyerExternalIdentifier'] }],
    });
  });

  it('is none of the kinds, or two of them', async () => {
    const document =
      'mutation ($input: StorePaymentMethodInput!) { storePaymentMethod(input: $input) { replayed } }';
    for (const given of [{}, { card: CARD, networkToken: TOKEN }]) {
      const { body } = await harness.server.graphql(document, { input: instrument(given) });
      expect(body.errors).toHaveLength(1);
    }
  });

  it('is a mandate that could not be revoked: of another method, or at an unknown service', async () => {
    const paymentServiceId = await mandateService(harness, null);
    const theirs = await mandateService(harness, null, rival.token);
    const path = ['input', 'instrument', 'instantBankMandate', 'paymentServiceId'];
    const given = mandateAt(paymentServiceId, 'm')['instrument'] as { instantBankMandate: Input };
    const other = instrument({ instantBankMandate: { ...given.instantBankMandate, method: 'trustly' } });

    expect(await harness.store(other)).toMatchObject({ userErrors: [{ code: 'INVALID_INPUT', path }] });
    expect(await harness.store(mandateAt(theirs, 'm'))).toMatchObject({
      userErrors: [{ code: 'NOT_FOUND', path }],
    });
    const count = await harness.server.app.db.prisma.paymentMethodToken.count({
      where: { paymentServiceId },
    });
    expect(count).toBe(0);
  });
});
