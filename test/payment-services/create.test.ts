import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CARDS, pathsOf, PROFILE, startHarness, type Harness, type Input } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(() => harness.stop());

const rows = () => harness.server.app.db.prisma.paymentService.count();

describe('createPaymentService', () => {
  test('returns the service and all defaults', async () => {
    const alone = await harness.rival();

    const payload = await alone.create();

    expect(payload).toEqual({
      paymentService: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        type: 'payment-service',
        merchantAccountId: alone.merchantAccountId,
        paymentServiceDefinitionId: 'mock-card',
        method: 'card',
        displayName: 'Cards',
        position: 1,
        acceptedCurrencies: ['USD'],
        acceptedCountries: ['US'],
        paymentMethodTokenizationEnabled: false,
        networkTokensEnabled: false,
        openLoop: true,
        settlementReportingEnabled: false,
        threeDSecureEnabled: false,
        merchantProfile: null,
        webhookUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/webhooks\/[\w-]{32}$/),
        fields: [{ key: 'merchant_id', value: 'm-1' }],
        reportingFields: [],
        active: true,
        status: 'CREATED',
        statusReason: null,
        statusCheckedAt: null,
        isDeleted: false,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: payload.paymentService?.['createdAt'],
      },
      userErrors: [],
      replayed: false,
    });
    expect(await alone.get(payload.paymentService?.id ?? '')).toEqual(payload.paymentService);
  });

  test('keeps all given fields', async () => {
    const given = {
      displayName: '🎉'.repeat(200),
      paymentServiceDefinitionId: 'mockds-card',
      fields: [
        { key: 'api_key', value: 'sk_1' },
        { key: 'api_url', value: 'https://simulator.example' },
        { key: 'merchant_id', value: 'x'.repeat(10_000) },
      ],
      acceptedCurrencies: ['USD', 'EUR', 'XTS'],
      acceptedCountries: ['US', 'DE'],
      reportingFields: [{ key: 'report_account', value: 'r-1' }],
      position: -7,
      active: false,
      threeDSecureEnabled: true,
      settlementReportingEnabled: true,
      paymentMethodTokenizationEnabled: false,
      merchantProfile: [PROFILE, { ...PROFILE, scheme: 'CARTE_BANCAIRE', merchantCountryCode: '056' }],
    };

    const service = await harness.made(given);

    expect(service).toMatchObject({
      ...given,
      fields: [given.fields[1], given.fields[2]],
      merchantProfile: given.merchantProfile.map((entry) => ({ ...entry, createdAt: service['createdAt'] })),
    });
    expect(await harness.get(service.id)).toEqual(service);
  });

  test('treats null as omitted', async () => {
    const service = await harness.made({
      active: null,
      position: null,
      openLoop: null,
      networkTokensEnabled: null,
      paymentMethodTokenizationEnabled: null,
      reportingFields: null,
      merchantProfile: null,
    });

    expect(service).toMatchObject({
      active: true,
      openLoop: true,
      reportingFields: [],
      merchantProfile: null,
    });
  });

  test('counts a repeated currency or country once', async () => {
    const service = await harness.made({
      acceptedCurrencies: ['USD', 'EUR', 'USD'],
      acceptedCountries: ['US', 'US'],
    });

    expect(service).toMatchObject({ acceptedCurrencies: ['USD', 'EUR'], acceptedCountries: ['US'] });
  });

  test('puts each service after the last, however many are created at once', async () => {
    const alone = await harness.rival();
    await alone.made({ position: 40 });
    const gone = await alone.made({ position: 90 });
    await alone.delete(gone.id);

    const services = await Promise.all(Array.from({ length: 8 }, () => alone.made()));

    const positions = services.map(({ position }) => Number(position)).toSorted((a, b) => a - b);
    expect(positions).toEqual([41, 42, 43, 44, 45, 46, 47, 48]);
  });

  test('has no position after the largest', async () => {
    const alone = await harness.rival();
    await alone.made({ position: 2_147_483_647 });

    expect((await alone.made())['position']).toBe(2_147_483_647);
  });

  test('gives every service a unique webhook address', async () => {
    const services = await Promise.all([harness.made(), harness.made(), harness.made()]);

    expect(new Set(services.map(({ webhookUrl }) => webhookUrl)).size).toBe(3);
  });
});

const long = (length: number): string => 'x'.repeat(length);
const field = { key: 'merchant_id', value: 'm' };
const profile = (change: Input) => ({ merchantProfile: [{ ...PROFILE, ...change }] });

describe('createPaymentService refuses', () => {
  test.each<[string, Input, string[]]>([
    ['an empty name', { displayName: '' }, ['input.displayName']],
    ['a name of 201 characters', { displayName: long(201) }, ['input.displayName']],
    ['a name with a control character', { displayName: 'a\u0000b' }, ['input.displayName']],
    ['a name with half a surrogate pair', { displayName: 'a\ud800' }, ['input.displayName']],
    ['an empty definition', { paymentServiceDefinitionId: '' }, ['input.paymentServiceDefinitionId']],
    [
      'a definition of 51 characters',
      { paymentServiceDefinitionId: long(51) },
      ['input.paymentServiceDefinitionId'],
    ],
    [
      'an unknown definition',
      { paymentServiceDefinitionId: 'mock-cards' },
      ['input.paymentServiceDefinitionId'],
    ],
    ['no currency', { acceptedCurrencies: [] }, ['input.acceptedCurrencies']],
    ['a currency in lower case', { acceptedCurrencies: ['USD', 'eur'] }, ['input.acceptedCurrencies.1']],
    ['a currency of two letters', { acceptedCurrencies: ['US'] }, ['input.acceptedCurrencies.0']],
    ['a currency of four letters', { acceptedCurrencies: ['USDD'] }, ['input.acceptedCurrencies.0']],
    ['a currency with a line break', { acceptedCurrencies: ['USD\n'] }, ['input.acceptedCurrencies.0']],
    ['no country', { acceptedCountries: [] }, ['input.acceptedCountries']],
    ['a country of three letters', { acceptedCountries: ['USA'] }, ['input.acceptedCountries.0']],
    ['a country in lower case', { acceptedCountries: ['us', 'DE'] }, ['input.acceptedCountries.0']],
    ['no field', { fields: [] }, ['input.fields']],
    ['an unknown field', { fields: [field, { key: 'nope', value: 'x' }] }, ['input.fields.1.key']],
    [
      'a field key of 51 characters',
      { fields: [field, { key: long(51), value: 'x' }] },
      ['input.fields.1.key'],
    ],
    ['an empty field key', { fields: [field, { key: '', value: 'x' }] }, ['input.fields.1.key']],
    ['a field given twice', { fields: [field, field] }, ['input.fields.1.key']],
    ['an empty field value', { fields: [{ ...field, value: '' }] }, ['input.fields.0.value']],
    [
      'a field value of 10 001 characters',
      { fields: [{ ...field, value: long(10_001) }] },
      ['input.fields.0.value'],
    ],
    ['a reporting field of none', { reportingFields: [field] }, ['input.reportingFields.0.key']],
    [
      'open loop where it is fixed',
      { paymentServiceDefinitionId: 'mockds-card', openLoop: false },
      ['input.openLoop'],
    ],
    [
      'network tokens without open loop',
      { openLoop: false, networkTokensEnabled: true },
      ['input.networkTokensEnabled'],
    ],
    [
      'network tokens where they cannot be switched',
      { paymentServiceDefinitionId: 'mockds-card', networkTokensEnabled: true },
      ['input.networkTokensEnabled'],
    ],
    [
      'tokenization with open loop',
      { paymentMethodTokenizationEnabled: true },
      ['input.paymentMethodTokenizationEnabled'],
    ],
    [
      'settlement reports that there are not',
      { settlementReportingEnabled: true },
      ['input.settlementReportingEnabled'],
    ],
    ['3DS that there is not', { threeDSecureEnabled: true }, ['input.threeDSecureEnabled']],
    [
      'a stop without 3DS that there is not',
      { threeDSecureFallback: 'STOP' },
      ['input.threeDSecureFallback'],
    ],
    [
      'a profile for a scheme twice',
      { merchantProfile: [PROFILE, PROFILE] },
      ['input.merchantProfile.1.scheme'],
    ],
    [
      'an acquirer BIN of 12',
      profile({ merchantAcquirerBin: long(12) }),
      ['input.merchantProfile.0.merchantAcquirerBin'],
    ],
    [
      'an empty acquirer BIN',
      profile({ merchantAcquirerBin: '' }),
      ['input.merchantProfile.0.merchantAcquirerBin'],
    ],
    [
      'an acquirer id of 36',
      profile({ merchantAcquirerId: long(36) }),
      ['input.merchantProfile.0.merchantAcquirerId'],
    ],
    ['a merchant name of 41', profile({ merchantName: long(41) }), ['input.merchantProfile.0.merchantName']],
    [
      'a country of letters',
      profile({ merchantCountryCode: 'USA' }),
      ['input.merchantProfile.0.merchantCountryCode'],
    ],
    [
      'a country of 2 digits',
      profile({ merchantCountryCode: '84' }),
      ['input.merchantProfile.0.merchantCountryCode'],
    ],
    [
      'a category of 3',
      profile({ merchantCategoryCode: '541' }),
      ['input.merchantProfile.0.merchantCategoryCode'],
    ],
    [
      'a category of 5',
      profile({ merchantCategoryCode: '54111' }),
      ['input.merchantProfile.0.merchantCategoryCode'],
    ],
    [
      'a category of letters',
      profile({ merchantCategoryCode: '54a1' }),
      ['input.merchantProfile.0.merchantCategoryCode'],
    ],
    [
      'a URL of another kind',
      profile({ merchantUrl: 'ftp://shop.example' }),
      ['input.merchantProfile.0.merchantUrl'],
    ],
    ['a script', profile({ merchantUrl: 'javascript:alert(1)' }), ['input.merchantProfile.0.merchantUrl']],
    ['no URL', profile({ merchantUrl: 'shop' }), ['input.merchantProfile.0.merchantUrl']],
  ])('%s, and stores nothing', async (_name, change, paths) => {
    const before = await rows();

    const payload = await harness.create(change);

    expect(pathsOf(payload)).toEqual(paths);
    expect(payload).toMatchObject({ paymentService: null, replayed: false });
    for (const { code } of payload.userErrors) expect(code).toBe('INVALID_INPUT');
    expect(await rows()).toBe(before);
  });

  test('all faults in one answer', async () => {
    const payload = await harness.create(
      {
        displayName: '',
        fields: [{ key: 'nope', value: '' }],
        acceptedCurrencies: ['usd', 'EUR', ''],
        acceptedCountries: [],
        reportingFields: [{ key: 'nope', value: 'x' }],
        openLoop: false,
        networkTokensEnabled: true,
        paymentMethodTokenizationEnabled: true,
        settlementReportingEnabled: true,
        threeDSecureEnabled: true,
        merchantProfile: [{ ...PROFILE, merchantUrl: 'x' }, PROFILE],
      },
      long(256),
    );

    expect(pathsOf(payload).toSorted()).toEqual(
      [
        'idempotencyKey',
        'input.acceptedCountries',
        'input.acceptedCurrencies.0',
        'input.acceptedCurrencies.2',
        'input.displayName',
        'input.fields',
        'input.fields.0.key',
        'input.merchantProfile.0.merchantUrl',
        'input.merchantProfile.1.scheme',
        'input.networkTokensEnabled',
        'input.paymentMethodTokenizationEnabled',
        'input.reportingFields.0.key',
        'input.settlementReportingEnabled',
        'input.threeDSecureEnabled',
      ].toSorted(),
    );
  });

  test('without repeating any value', async () => {
    const canary = 'canary-7f3a';

    const payload = await harness.create({
      displayName: canary.repeat(30),
      paymentServiceDefinitionId: canary,
      fields: [{ key: canary, value: `${canary}\u0000` }],
      acceptedCurrencies: [canary],
      acceptedCountries: [canary],
      merchantProfile: [
        { ...PROFILE, merchantUrl: canary, merchantCountryCode: canary, merchantName: canary.repeat(9) },
      ],
    });

    expect(payload.userErrors.length).toBeGreaterThan(6);
    expect(JSON.stringify(payload)).not.toContain(canary);
  });
});

describe('an idempotency key', () => {
  const given = { ...CARDS, fields: [...CARDS.fields, { key: 'api_key', value: 'sk_1' }] };

  test('answers a repeat from the record', async () => {
    const first = await harness.create(given, 'repeat');
    const before = await rows();
    const changed = await harness.update(first.paymentService?.id ?? '', { displayName: 'Other' });

    const second = await harness.create(given, 'repeat');

    expect(changed.userErrors).toEqual([]);
    expect(second).toEqual({ ...first, replayed: true });
    expect(await rows()).toBe(before);
  });

  test.each<[string, Input, string[]]>([
    ['name', { displayName: 'Other' }, ['input.displayName']],
    ['secret', { fields: [...CARDS.fields, { key: 'api_key', value: 'sk_2' }] }, ['input.fields.1.value']],
    ['currencies', { acceptedCurrencies: ['USD', 'EUR'] }, ['input.acceptedCurrencies.1']],
    ['open loop', { openLoop: true, active: false }, ['input.active', 'input.openLoop']],
  ])('refuses a request with another %s', async (name, change, differingPaths) => {
    await harness.create(given, `other ${name}`);
    const before = await rows();

    const payload = await harness.create({ ...given, ...change }, `other ${name}`);

    expect(payload).toMatchObject({
      paymentService: null,
      userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED', differingPaths }],
      replayed: false,
    });
    expect(await rows()).toBe(before);
  });

  test('treats written defaults as the same request', async () => {
    await harness.create(given, 'defaults');

    const payload = await harness.create(
      {
        ...given,
        active: true,
        threeDSecureEnabled: false,
        openLoop: null,
        position: null,
        reportingFields: [],
      },
      'defaults',
    );

    expect(payload.replayed).toBe(true);
  });

  test('creates one service from many requests at once', async () => {
    const before = await rows();

    const payloads = await Promise.all(Array.from({ length: 10 }, () => harness.create(given, 'at once')));

    expect(new Set(payloads.map(({ paymentService }) => paymentService?.id)).size).toBe(1);
    expect(payloads.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await rows()).toBe(before + 1);
  });

  test('is not used up by a request that is refused', async () => {
    const refused = await harness.create({ ...given, displayName: '' }, 'refused first');

    const payload = await harness.create(given, 'refused first');

    expect(refused.paymentService).toBeNull();
    expect(payload).toMatchObject({ userErrors: [], replayed: false });
  });

  test('belongs to one merchant account', async () => {
    const rival = await harness.rival();
    const mine = await harness.create(given, 'shared');

    const theirs = await rival.create({ ...given, displayName: 'Theirs' }, 'shared');

    expect(theirs).toMatchObject({
      replayed: false,
      userErrors: [],
      paymentService: { displayName: 'Theirs' },
    });
    expect(theirs.paymentService?.id).not.toBe(mine.paymentService?.id);
  });

  test.each([
    ['empty', ''],
    ['longer than 255 characters', long(256)],
    ['with a character that cannot be stored', 'a\u0000'],
  ])('is refused when it is %s', async (_name, key) => {
    const before = await rows();

    expect(pathsOf(await harness.create({}, key))).toEqual(['idempotencyKey']);
    expect(await rows()).toBe(before);
  });
});
