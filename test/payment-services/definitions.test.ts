import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectors } from '../../src/connectors/index.ts';
import { isMethod, isRedirectMethod } from '../../src/connectors/codes/method-name.ts';
import { METHOD_NAMES as DASHBOARD_NAMES } from '../../src/dashboard/design/method-names.ts';
import { METHOD_NAMES } from '../../src/http/checkout/look/method-names.ts';
import {
  createPaymentService,
  findDefinition,
  listDefinitions,
  updatePaymentService,
} from '../../src/modules/payment-services/index.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { CARDS, startHarness, type Harness } from './harness.ts';
import { viewerOf } from './viewer.ts';
import { masterKeyText } from '../support/master-key.ts';

const sandbox = { connectors, config: parseConfig({}) };
const production = {
  connectors,
  config: parseConfig({
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://db.example/paygraph',
    PAYGRAPH_MASTER_KEY: masterKeyText(0),
    PAYGRAPH_PUBLIC_URL: 'https://pay.example',
  }),
};

const idsOf = (connector: string, methods: string): readonly string[] =>
  methods
    .trim()
    .split(/\s+/)
    .map((method) => `${connector}-${method}`);

const adyenIds = idsOf(
  'adyen',
  `affirm afterpay alipay alipayhk bancontact bizum blik boleto boost card cashappafterpay clearpay dana gcash gopay
  grabpay ideal kakaopay klarna klarnapaynow klarnapayovertime mbway mobilepay multibanco ovo oxxo paybybank paymaya paynow
  paypal paypay pix rabbitlinepay scalapay sepa seveneleven swish thaiqr touchngo truemoney trustly twint vipps wechat wero
  zippay`,
);
const mollieIds = idsOf('mollie', 'bancontact blik card eps ideal p24 paybybank paypal swish trustly vipps');
const checkoutIds = ['checkout-card'];
const paypalIds = ['paypal-paypal'];
const stripeIds = idsOf(
  'stripe',
  `ach affirm afterpay alipay alma amazonpay bacs bancontact boleto card cashapp cashappafterpay clearpay eps grabpay ideal
  kakaopay klarna konbini mobilepay multibanco oxxo p24 paybybank paynow paypal paypay pix revolutpay satispay sepa swish
  thaiqr twint wechat zippay`,
);

describe('the catalogue', () => {
  test('has all definitions in the sandbox, by id', () => {
    expect(listDefinitions(sandbox).map(({ id }) => id)).toEqual([
      ...adyenIds,
      'braintree-card',
      ...checkoutIds,
      'mock-acquirer',
      'mock-bank',
      'mock-card',
      'mock-gift-card',
      'mock-instant-bank',
      'mock-paypal',
      'mock-push',
      'mock-redirect',
      'mock-wallet',
      'mockds-card',
      ...mollieIds,
      ...paypalIds,
      ...stripeIds,
    ]);
    expect(findDefinition(sandbox, 'mock-card')?.method).toBe('card');
    expect(findDefinition(sandbox, 'mock-cards')).toBeNull();
  });

  test('has nothing in production that works in the sandbox only', () => {
    expect(listDefinitions(production).map(({ id }) => id)).toEqual([
      ...adyenIds,
      'braintree-card',
      ...checkoutIds,
      ...mollieIds,
      ...paypalIds,
      ...stripeIds,
    ]);
    expect(listDefinitions(production).filter(({ sandboxOnly }) => sandboxOnly)).toEqual([]);
    expect(findDefinition(production, 'mock-card')).toBeNull();
  });

  test('has the sandbox definitions in production when the operator allows them', () => {
    const config = { ...production.config, PAYGRAPH_ALLOW_SANDBOX_PROVIDERS: true };
    expect(listDefinitions({ ...production, config })).toEqual(listDefinitions(sandbox));
  });
});

describe('every definition', () => {
  const definitions = connectors.flatMap((connector) => connector.definitions);

  test('has a method that a package may have, too', () => {
    expect(definitions.filter(({ method }) => !isMethod(method))).toEqual([]);
  });

  test('has a name on the payment page and in the dashboard, if the buyer pays elsewhere', () => {
    const methods = [...new Set(definitions.map(({ method }) => method))].filter(isRedirectMethod);
    expect(methods.filter((method) => !(method in METHOD_NAMES))).toEqual([]);
    expect(methods.filter((method) => !(method in DASHBOARD_NAMES))).toEqual([]);
  });

  test('has an id of its own, of 1 to 50 characters', () => {
    const ids = definitions.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,50}$/);
  });

  test.each(definitions.map((definition) => [definition.id, definition] as const))(
    '%s has valid, distinct field keys, and no secret among the reporting fields',
    (_id, { fields, reportingFields }) => {
      for (const list of [fields, reportingFields]) {
        const keys = list.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        for (const key of keys) expect(key).toMatch(/^[a-z0-9_]{1,50}$/);
      }
      expect(reportingFields.filter(({ secret }) => secret)).toEqual([]);
    },
  );
});

test('every connector has settlements exactly if a definition of it reports them', () => {
  for (const { id, definitions, settlements } of connectors)
    expect([id, settlements !== undefined]).toEqual([
      ...[id, definitions.some(({ supportedFeatures }) => supportedFeatures.settlement_reporting)],
    ]);
});

describe('in production', () => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await startHarness();
  });

  afterAll(() => harness.stop());

  test('no service of a sandbox definition is created, and an existing one is not changed', async () => {
    const service = await harness.made();
    const app = { ...harness.server.app, config: production.config };
    const viewer = viewerOf(harness.merchantAccountId);

    const created = await createPaymentService(app, viewer, CARDS, null);
    const updated = await updatePaymentService(app, viewer, service.id, { displayName: 'Other' });

    expect(created).toMatchObject({
      ok: false,
      refusals: [{ path: ['input', 'paymentServiceDefinitionId'] }],
    });
    expect(updated).toMatchObject({ ok: false, refusals: [{ kind: 'InvalidInput', path: ['id'] }] });
    expect((await harness.list()).nodes).toEqual([service]);
  });
});
