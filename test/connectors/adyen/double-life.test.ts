import { describe, expect, it } from '@jest/globals';
import { openDouble, payment } from './double-client.ts';
import { TEST_ACCOUNT } from './double.ts';

const { apiKey, merchantAccount } = TEST_ACCOUNT;

describe('the life of a payment', () => {
  it('is received by SEPA, then authorised and captured', () => {
    const { double, post, events } = openDouble();
    const paymentMethod = { type: 'sepadirectdebit', iban: 'NL13TEST0123456789', ownerName: 'A. Klaassen' };

    expect(post('/payments', payment('order-1', { paymentMethod })).body).toMatchObject({
      resultCode: 'Received',
    });

    expect(events(double.webhooks())).toEqual([['AUTHORISATION', 'true', 'order-1']]);
    expect(double.book('order-1').captured).toBe(1299);
    const wrong = { ...paymentMethod, iban: 'NL13' };
    expect(post('/payments', payment('order-2', { paymentMethod: wrong })).body).toMatchObject({
      errorCode: '161',
    });
  });

  it('ends after 28 days without a capture', () => {
    const { double, clock, authorise, modify, events } = openDouble();
    const psp = authorise('order-1');
    double.webhooks();
    clock.now = new Date(clock.now.getTime() + 28 * 86_400_000);

    expect(events(double.webhooks())).toEqual([['EXPIRE', 'true', 'order-1']]);
    modify(psp, 'captures', 'c-1', 1299);
    expect(events(double.webhooks())).toEqual([['CAPTURE', 'false', 'c-1']]);
    expect(double.book('order-1')).toMatchObject({ status: 'expired', captured: 0, cancelled: 1299 });
  });

  it('is disputed in stages under one reference', () => {
    const { double, authorise } = openDouble();
    const psp = authorise('order-1', { captureDelayHours: 0, additionalData: {} });
    double.webhooks();
    const respondBy = new Date('2026-12-24T12:00:00Z');

    const opened = double.dispute('order-1', { stage: 'NOTIFICATION_OF_CHARGEBACK', respondBy });
    double.dispute('order-1', { stage: 'CHARGEBACK' });
    expect(double.book('order-1').chargedBack).toBe(1299);
    double.dispute('order-1', { stage: 'CHARGEBACK_REVERSED' });

    const owed = double.webhooks();
    expect(owed.map(({ item }) => [item.eventCode, item.pspReference, item.originalReference])).toEqual([
      ['NOTIFICATION_OF_CHARGEBACK', opened, psp],
      ['CHARGEBACK', opened, psp],
      ['CHARGEBACK_REVERSED', opened, psp],
    ]);
    expect(owed[0]?.item.additionalData).toMatchObject({
      chargebackReasonCode: '10.4',
      defensePeriodEndsAt: '2026-12-24T12:00:00Z',
    });
    expect(double.book('order-1').chargedBack).toBe(0);
  });
});

describe('a response to a dispute', () => {
  const DOCUMENT = {
    content: 'JVBERi0xLjQK',
    contentType: 'application/pdf',
    defenseDocumentTypeCode: 'DefenseMaterial',
  };

  const openDispute = () => {
    const opened = openDouble();
    opened.authorise('order-1', { captureDelayHours: 0, additionalData: {} });
    const respondBy = new Date('2026-12-24T12:00:00Z');
    const disputePspReference = opened.double.dispute('order-1', { stage: 'CHARGEBACK', respondBy });
    opened.double.webhooks();
    const respond = (verb: string, fields: object = {}, key?: string) => {
      const body = { disputePspReference, merchantAccountCode: merchantAccount, ...fields };
      const { status, body: text } = opened.double.handle({
        method: 'POST',
        path: `/ca/services/DisputeService/v30/${verb}`,
        headers: { 'x-api-key': apiKey, ...(key !== undefined && { 'idempotency-key': key }) },
        body: JSON.stringify(body),
      });
      return { status, body: JSON.parse(text) as Readonly<Record<string, unknown>> };
    };
    const disputed = () => opened.double.book('order-1').disputes[0];
    return { ...opened, respond, disputed };
  };
  const SUCCESS = { status: 200, body: { disputeServiceResult: { success: true } } };
  const refusedWith = (errorMessage: string) => ({
    status: 200,
    body: { disputeServiceResult: { success: false, errorMessage } },
  });

  it('defends with the documents that the reason needs, once', () => {
    const { double, respond, disputed, events } = openDispute();
    const defend = () => respond('defendDispute', { defenseReasonCode: 'SupplyDefenseMaterial' });

    expect(respond('retrieveApplicableDefenseReasons').body).toMatchObject({
      defenseReasons: [
        { defenseReasonCode: 'SupplyDefenseMaterial', satisfied: false },
        { satisfied: false },
      ],
    });
    expect(defend()).toEqual(refusedWith('Required defense documents are missing'));
    expect(respond('supplyDefenseDocument', { defenseDocuments: [DOCUMENT] })).toEqual(SUCCESS);
    expect(defend()).toEqual(SUCCESS);
    expect(defend()).toEqual(refusedWith('Dispute is already defended'));
    expect(disputed()).toMatchObject({ response: 'defended', documents: [DOCUMENT] });
    expect(events(double.webhooks())).toEqual([['INFORMATION_SUPPLIED', 'true', 'order-1']]);
  });

  it('accepts, the same under the same key', () => {
    const { respond, disputed } = openDispute();

    expect([respond('acceptDispute', {}, 'key-1'), respond('acceptDispute', {}, 'key-1')]).toEqual([
      SUCCESS,
      SUCCESS,
    ]);
    expect(respond('acceptDispute', {}, 'key-2')).toEqual(refusedWith('Dispute is already accepted'));
    expect(disputed()?.response).toBe('accepted');
  });

  it('deletes a document', () => {
    const { respond, disputed } = openDispute();
    respond('supplyDefenseDocument', { defenseDocuments: [DOCUMENT] });

    const remove = () => respond('deleteDisputeDefenseDocument', { defenseDocumentType: 'DefenseMaterial' });

    expect([remove(), remove()]).toEqual([SUCCESS, refusedWith('Document not found')]);
    expect(disputed()?.documents).toEqual([]);
  });

  it.each([
    ['an unknown field', 'acceptDispute', { reason: 'x' }, 422],
    ['no reason', 'defendDispute', {}, 422],
    ['another account', 'acceptDispute', { merchantAccountCode: 'Other' }, 403],
    ['another dispute', 'acceptDispute', { disputePspReference: 'PSP9' }, 200],
    [
      'another kind of file',
      'supplyDefenseDocument',
      { defenseDocuments: [{ ...DOCUMENT, contentType: 'text/plain' }] },
      200,
    ],
  ])('with %s is refused, and nothing happens', (_, verb, fields, status) => {
    const { respond, disputed } = openDispute();

    const refused = respond(verb, fields);

    expect(refused.status).toBe(status);
    expect(refused.body).not.toEqual(SUCCESS.body);
    expect(disputed()).toMatchObject({ response: null, documents: [] });
  });

  it('after the end of the time is refused', () => {
    const { clock, respond } = openDispute();
    clock.now = new Date('2026-12-24T12:00:00Z');

    expect(respond('acceptDispute')).toEqual(refusedWith('Defense period has ended'));
  });
});

describe('a settlement report', () => {
  it('lists each movement once, at the address that its webhook names', () => {
    const { double, authorise, modify } = openDouble();
    const psp = authorise('order-1');
    modify(psp, 'captures', 'c-1', 1299);
    modify(psp, 'refunds', 'r-1', 299);
    double.webhooks();

    const { name, url, csv } = double.closeBatch();

    const [announced] = double.webhooks();
    expect(announced?.item).toMatchObject({ eventCode: 'REPORT_AVAILABLE', pspReference: name, reason: url });
    const { pathname: path } = new URL(url);
    const get = (key: string) =>
      double.handle({ method: 'GET', path, headers: { 'x-api-key': key }, body: '' });
    expect([get('other').status, get(apiKey).body]).toEqual([401, csv]);
    expect(csv.split('\n').slice(1)).toEqual([
      'TestCompany,TestMerchant,PSP0000000000001,order-1,visa,2026-11-24 12:00:00,UTC,Settled,PSP0000000000002,EUR,,12.99,1,EUR,,12.89,0.10,,,,visa,c-1,1',
      'TestCompany,TestMerchant,PSP0000000000001,order-1,visa,2026-11-24 12:00:00,UTC,Refunded,PSP0000000000003,EUR,2.99,,1,EUR,2.99,,,,,,visa,r-1,1',
      'TestCompany,TestMerchant,,,,2026-11-24 12:00:00,UTC,MerchantPayout,"TXEUR, payout",,,,,EUR,9.90,,,,,,,,1',
      '',
    ]);
    expect(double.closeBatch().csv.split('\n')).toHaveLength(2);
  });

  it.each([
    ['JPY', 1299, '1299'],
    ['KWD', 1299, '1.299'],
    ['CLP', 1299, '12.99'],
    ['IDR', 1299, '1299'],
    ['EUR', 5, '0.05'],
  ])('writes %s with the decimals of Adyen', (currency, value, text) => {
    const { double, authorise } = openDouble();
    authorise('order-1', { amount: { value, currency }, captureDelayHours: 0, additionalData: {} });

    expect(double.closeBatch({ fees: {} }).csv).toContain(`,${currency},,${text},1,`);
  });

  it('converts, and takes fees of several kinds', () => {
    const { double, authorise } = openDouble();
    authorise('order-1', { captureDelayHours: 0, additionalData: {} });

    const { csv } = double.closeBatch({
      exchange: { currency: 'USD', rate: 11_000 },
      fees: { markup: 10, schemeFees: 2, interchange: 3 },
    });

    expect(csv).toContain(',EUR,,12.99,1.1,USD,,14.13,,0.10,0.02,0.03,');
  });
});
