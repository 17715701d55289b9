import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  connectionOf,
  findCandidates,
  updatePaymentService,
} from '../../src/modules/payment-services/index.ts';
import { pathsOf, PROFILE, startHarness, type Harness, type Input, type Service } from './harness.ts';
import { viewerOf } from './viewer.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(() => harness.stop());

const threeDSecure = { paymentServiceDefinitionId: 'mockds-card' };

/** Reads the credentials that a payment through the account's only service would use. */
async function credentialsOf({
  server,
  merchantAccountId,
}: Harness): Promise<Readonly<Record<string, string>>> {
  const [candidate] = await findCandidates(server.app, merchantAccountId, {
    method: 'card',
    currency: 'USD',
    country: 'US',
  });
  if (!candidate) throw new Error('No service accepts the payment');
  return (await connectionOf(server.app, merchantAccountId, candidate)).credentials;
}

async function updated(service: Service, input: Input): Promise<Service> {
  const { paymentService, userErrors } = await harness.update(service.id, input);
  if (!paymentService) throw new Error(JSON.stringify(userErrors));
  return paymentService;
}

describe('updatePaymentService', () => {
  test('changes the given fields only', async () => {
    const service = await harness.made({ ...threeDSecure, merchantProfile: [PROFILE] });
    const changes: Input[] = [
      { displayName: 'Other' },
      { acceptedCurrencies: ['EUR', 'GBP', 'EUR'] },
      { acceptedCountries: ['DE'] },
      { position: 12 },
      { active: false },
      { threeDSecureEnabled: true },
      { settlementReportingEnabled: true },
      { paymentMethodTokenizationEnabled: false },
      { reportingFields: [{ key: 'report_account', value: 'r' }] },
    ];

    let before = service;
    for (const change of changes) {
      const after = await updated(service, change);
      const expected = 'acceptedCurrencies' in change ? { acceptedCurrencies: ['EUR', 'GBP'] } : change;
      expect(after).toEqual({ ...before, ...expected, updatedAt: after['updatedAt'] });
      expect(after['updatedAt']).not.toBe(before['updatedAt']);
      before = after;
    }
    expect(await harness.get(service.id)).toEqual(before);
  });

  test('treats null as omitted', async () => {
    const service = await harness.made({ active: false, openLoop: false, reportingFields: [] });

    const after = await updated(service, {
      displayName: null,
      fields: null,
      acceptedCurrencies: null,
      acceptedCountries: null,
      reportingFields: null,
      position: null,
      active: null,
      threeDSecureEnabled: null,
      paymentMethodTokenizationEnabled: null,
      networkTokensEnabled: null,
      openLoop: null,
      settlementReportingEnabled: null,
    });

    expect(after).toEqual({ ...service, updatedAt: after['updatedAt'] });
  });

  test('advances its moment with every change', async () => {
    const service = await harness.made();

    const after = await updated(service, { position: 1 });

    expect(Date.parse(String(after['updatedAt']))).toBeGreaterThan(Date.parse(String(service['updatedAt'])));
    expect(after['createdAt']).toBe(service['createdAt']);
  });

  test('answers an unknown id, and an invalid one, as not found', async () => {
    for (const id of ['018f0000-0000-7000-8000-000000000000', 'nothing', '']) {
      const payload = await harness.update(id, { displayName: 'Other' });

      expect(payload).toMatchObject({
        paymentService: null,
        userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
      });
    }
  });

  test('answers a deleted service as not found, and leaves it', async () => {
    const service = await harness.made();
    const { paymentService: deleted } = await harness.delete(service.id);

    const payload = await harness.update(service.id, { displayName: 'Other' });

    expect(payload).toMatchObject({
      paymentService: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
    });
    expect(await harness.get(service.id)).toEqual(deleted);
  });

  test("answers another merchant account's service as an unknown one, and leaves it", async () => {
    const service = await harness.made();
    const rival = await harness.rival();

    const foreign = await rival.update(service.id, { displayName: 'Taken' });

    expect(foreign).toEqual(
      await rival.update('018f0000-0000-7000-8000-000000000000', { displayName: 'Taken' }),
    );
    expect(await harness.get(service.id)).toEqual(service);
  });
});

describe('credential fields of an update', () => {
  test('are merged by key, and an empty value clears one', async () => {
    const alone = await harness.rival();
    const { id } = await alone.made({
      fields: [
        { key: 'merchant_id', value: 'm-1' },
        { key: 'api_key', value: 'sk_1' },
      ],
    });
    const update = async (fields: readonly { key: string; value: string }[]) => {
      const { paymentService } = await alone.update(id, { fields });
      return { shown: paymentService?.['fields'], used: await credentialsOf(alone) };
    };

    expect(await update([{ key: 'api_url', value: 'https://one.example' }])).toEqual({
      shown: [
        { key: 'merchant_id', value: 'm-1' },
        { key: 'api_url', value: 'https://one.example' },
      ],
      used: { merchant_id: 'm-1', api_key: 'sk_1', api_url: 'https://one.example' },
    });
    expect(await update([{ key: 'api_key', value: 'sk_2' }])).toMatchObject({
      used: { merchant_id: 'm-1', api_key: 'sk_2', api_url: 'https://one.example' },
    });
    expect(
      await update([
        { key: 'merchant_id', value: 'm-2' },
        { key: 'api_key', value: '' },
        { key: 'api_url', value: '' },
      ]),
    ).toEqual({ shown: [{ key: 'merchant_id', value: 'm-2' }], used: { merchant_id: 'm-2' } });
    expect(await update([])).toMatchObject({ used: { merchant_id: 'm-2' } });
  });

  test('leave no sealed text behind when the last secret is cleared', async () => {
    const { id } = await harness.made({
      fields: [
        { key: 'merchant_id', value: 'm-1' },
        { key: 'api_key', value: 'sk_1' },
      ],
    });

    await harness.update(id, { fields: [{ key: 'api_key', value: '' }] });

    const row = await harness.server.app.db.prisma.paymentService.findFirstOrThrow({ where: { id } });
    expect(row.sealedFields).toBeNull();
  });

  test('clear an optional reporting field', async () => {
    const service = await harness.made({
      ...threeDSecure,
      reportingFields: [{ key: 'report_account', value: 'r' }],
    });

    const after = await updated(service, { reportingFields: [{ key: 'report_account', value: '' }] });

    expect(after['reportingFields']).toEqual([]);
  });
});

describe('a merchant profile', () => {
  test('is replaced as a whole, and unchanged entries keep their moment', async () => {
    const service = await harness.made({ merchantProfile: [PROFILE, { ...PROFILE, scheme: 'AMEX' }] });

    const after = await updated(service, {
      merchantProfile: [
        { ...PROFILE, scheme: 'JCB' },
        { ...PROFILE, merchantName: 'Other' },
        { ...PROFILE, scheme: 'AMEX' },
      ],
    });

    expect(after['merchantProfile']).toEqual([
      { ...PROFILE, scheme: 'JCB', createdAt: after['updatedAt'] },
      { ...PROFILE, merchantName: 'Other', createdAt: after['updatedAt'] },
      { ...PROFILE, scheme: 'AMEX', createdAt: service['createdAt'] },
    ]);
  });

  test.each([[null], [[]]])('is cleared by %j', async (merchantProfile) => {
    const service = await harness.made({ merchantProfile: [PROFILE] });

    expect((await updated(service, { merchantProfile }))['merchantProfile']).toBeNull();
  });
});

describe('updatePaymentService refuses', () => {
  const clear = { key: 'merchant_id', value: '' };
  const openLoop = { networkTokensEnabled: true };

  test.each<[string, Input, Input, string[]]>([
    ['an empty name', {}, { displayName: '' }, ['input.displayName']],
    ['a name of 201 characters', {}, { displayName: 'x'.repeat(201) }, ['input.displayName']],
    ['no currency', {}, { acceptedCurrencies: [] }, ['input.acceptedCurrencies']],
    ['a bad currency', {}, { acceptedCurrencies: ['USD', 'US'] }, ['input.acceptedCurrencies.1']],
    ['no country', {}, { acceptedCountries: [] }, ['input.acceptedCountries']],
    ['a bad country', {}, { acceptedCountries: ['usa'] }, ['input.acceptedCountries.0']],
    ['clearing a required field', {}, { fields: [clear] }, ['input.fields.0.value']],
    ['an unknown field', {}, { fields: [{ key: 'nope', value: 'x' }] }, ['input.fields.0.key']],
    [
      'a field twice',
      {},
      {
        fields: [
          { key: 'api_url', value: 'x' },
          { key: 'api_url', value: 'y' },
        ],
      },
      ['input.fields.1.key'],
    ],
    ['an unknown reporting field', {}, { reportingFields: [clear] }, ['input.reportingFields.0.key']],
    [
      'a bad profile',
      {},
      { merchantProfile: [{ ...PROFILE, merchantCountryCode: '1' }] },
      ['input.merchantProfile.0.merchantCountryCode'],
    ],
    ['a scheme twice', {}, { merchantProfile: [PROFILE, PROFILE] }, ['input.merchantProfile.1.scheme']],
    ['open loop where it is fixed', threeDSecure, { openLoop: true }, ['input.openLoop']],
    [
      'network tokens without open loop',
      { openLoop: false },
      { networkTokensEnabled: true },
      ['input.networkTokensEnabled'],
    ],
    ['taking open loop from under network tokens', openLoop, { openLoop: false }, ['input.openLoop']],
    [
      'network tokens that cannot be switched',
      threeDSecure,
      { networkTokensEnabled: true },
      ['input.networkTokensEnabled'],
    ],
    [
      'tokenization with open loop',
      {},
      { paymentMethodTokenizationEnabled: true },
      ['input.paymentMethodTokenizationEnabled'],
    ],
    ['settlement reports', {}, { settlementReportingEnabled: true }, ['input.settlementReportingEnabled']],
    ['3DS', {}, { threeDSecureEnabled: true }, ['input.threeDSecureEnabled']],
    [
      'everything at once',
      {},
      { displayName: '', acceptedCountries: [], fields: [clear], threeDSecureEnabled: true },
      ['input.displayName', 'input.acceptedCountries', 'input.fields.0.value', 'input.threeDSecureEnabled'],
    ],
  ])('%s, and changes nothing', async (_name, given, change, paths) => {
    const service = await harness.made(given);

    const payload = await harness.update(service.id, change);

    expect(pathsOf(payload)).toEqual(paths);
    expect(payload.paymentService).toBeNull();
    expect(await harness.get(service.id)).toEqual(service);
  });

  test('nothing that the merged state allows', async () => {
    const service = await harness.made(openLoop);

    const closed = await updated(service, { openLoop: false, networkTokensEnabled: false });
    const open = await updated(service, { openLoop: true, networkTokensEnabled: true });

    expect(closed).toMatchObject({ openLoop: false, networkTokensEnabled: false });
    expect(open).toMatchObject({ openLoop: true, networkTokensEnabled: true });
  });
});

describe('concurrent updates', () => {
  test('lose nothing: each of ten fields has its value afterwards', async () => {
    const alone = await harness.rival();
    const { id } = await alone.made(threeDSecure);
    const changes: Input[] = [
      { displayName: 'Both' },
      { fields: [{ key: 'api_key', value: 'sk_new' }] },
      { fields: [{ key: 'merchant_id', value: 'm-new' }] },
      { fields: [{ key: 'api_url', value: 'https://new.example' }] },
      { acceptedCurrencies: ['USD', 'JPY'] },
      { acceptedCountries: ['US', 'JP'] },
      { position: 77 },
      { threeDSecureEnabled: true },
      { merchantProfile: [PROFILE] },
      { reportingFields: [{ key: 'report_account', value: 'r-new' }] },
    ];

    const payloads = await Promise.all(changes.map((change) => alone.update(id, change)));

    expect(payloads.flatMap(({ userErrors }) => userErrors)).toEqual([]);
    const after = await alone.get(id);
    expect(after).toMatchObject({
      displayName: 'Both',
      acceptedCurrencies: ['USD', 'JPY'],
      acceptedCountries: ['US', 'JP'],
      position: 77,
      threeDSecureEnabled: true,
      merchantProfile: [PROFILE],
      reportingFields: [{ key: 'report_account', value: 'r-new' }],
    });
    expect(await credentialsOf(alone)).toEqual({
      merchant_id: 'm-new',
      api_key: 'sk_new',
      api_url: 'https://new.example',
    });
  });

  test('lose nothing when the clock stands still', async () => {
    const { id, createdAt } = await harness.made();
    const { app, merchantAccountId } = harness.server;
    const now = new Date(String(createdAt));
    const stopped = { ...app, clock: { ...app.clock, now: () => now } };
    const changes = [
      { displayName: 'Both' },
      { position: 5 },
      { acceptedCurrencies: ['EUR'] },
      { active: false },
    ];

    await Promise.all(
      changes.map((change) => updatePaymentService(stopped, viewerOf(merchantAccountId), id, change)),
    );

    const after = await harness.get(id);
    expect(after).toMatchObject(Object.assign({}, ...changes) as Input);
    expect(after?.['updatedAt']).toBe(new Date(now.getTime() + 4).toISOString());
  });

  test('keep the rules of the flags, whichever comes first', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await harness.made();

      const [tokens, closed] = await Promise.all([
        harness.update(id, { networkTokensEnabled: true }),
        harness.update(id, { openLoop: false }),
      ]);

      expect([tokens, closed].filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1);
      const after = await harness.get(id);
      expect(after?.['networkTokensEnabled']).toBe(after?.['openLoop']);
    }
  });

  test('never restore a deleted service', async () => {
    const { id } = await harness.made();

    const [deleted, ...changed] = await Promise.all([
      harness.delete(id),
      ...Array.from({ length: 5 }, (_, position) => harness.update(id, { position })),
    ]);

    expect(deleted.userErrors).toEqual([]);
    for (const { userErrors } of changed) expect(['NOT_FOUND', undefined]).toContain(userErrors[0]?.code);
    expect((await harness.get(id))?.['isDeleted']).toBe(true);
  });
});
