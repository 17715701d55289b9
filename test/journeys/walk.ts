import { randomBytes, randomInt } from 'node:crypto';
import { debitKeyOf, send as submit, visit } from '../payment-links/form.ts';
import { untilFound } from '../support/until.ts';
import type { Secrets } from './secrets.ts';

/** The answer of a mutation: its records and refusals, by name. */
export type Answer = Readonly<Record<string, unknown>>;

export type Walk = {
  readonly secrets: Secrets;
  /** Sends a mutation with these arguments and selects every field. Throws when the mutation is refused. */
  readonly send: (mutation: string, given: Readonly<Record<string, unknown>>) => Promise<Answer>;
  /** Runs a query and returns its field `answer`. */
  readonly ask: <Answer>(query: string, given: Readonly<Record<string, unknown>>) => Promise<Answer>;
  /** Signs in at the dashboard, which a sandbox allows without proof. */
  readonly openSession: () => Promise<unknown>;
  /** The address of the webhook receiver. */
  readonly receiverUrl: string;
  /** A provider of card payments. */
  readonly providerUrl: string;
  /** Makes the provider's next answer get lost. */
  readonly loseAnswer: () => void;
};

/**
 * Runs every mutation at least once, with secrets in all places for secrets. No request is refused, so everything
 * that the service stores gets stored.
 */
export async function walkThrough(walk: Walk): Promise<void> {
  await accounts(walk);
  await people(walk);
  const endpoint = await endpoints(walk);
  const buyer = idOf(await walk.send('createBuyer', { input: { displayName: 'Canary' } }), 'buyer');
  const services = await configure(walk);
  await antiFraud(walk, services);
  await pay(walk, services);
  await rules(walk);
  await session(walk);
  await disputes(walk, services);
  await link(walk);
  await keep(walk, services, buyer);
  await scenarios(walk);
  await replays(walk, endpoint);
  await files(walk);
  await forget(walk, services);
}

async function accounts({ send }: Walk): Promise<void> {
  await send('createMerchantAccount', { input: { id: 'canary-account', displayName: 'Canary' } });
  await send('updateMerchantAccount', { id: 'canary-account', input: { displayName: 'Canaries' } });
  const made = await send('createApiKeyPair', { input: { displayName: 'Canary', scopes: ['*.read'] } });
  await send('updateApiKeyPair', { id: idOf(made, 'apiKeyPair'), input: { active: false } });
}

/** Invites, changes and suspends a person. A session needs a browser, so the caller opens one. */
async function people({ send, ask, openSession }: Walk): Promise<void> {
  const input = { email: 'canary@example.com', role: 'ANALYST' };
  const id = idOf(await send('inviteDashboardPerson', { input }), 'person');
  await send('updateDashboardPerson', { id, input: { role: 'SUPPORT' } });
  await send('renewDashboardInvitation', { id });
  await openSession();
  const { nodes } = await ask<{ nodes: { id: string }[] }>(
    '{ answer: dashboardSessions(first: 1) { nodes { id } } }',
    {},
  );
  await send('endDashboardSession', { id: nodes[0]?.id });
}

async function endpoints({ send, secrets, receiverUrl }: Walk): Promise<string> {
  const credentials = () => ({
    headers: [{ name: 'x-canary', value: secrets.text() }],
    basicAuthentication: { username: 'canary', password: secrets.text() },
  });
  const id = idOf(
    await send('createWebhookEndpoint', { input: { url: receiverUrl, ...credentials() } }),
    'webhookEndpoint',
  );
  await send('updateWebhookEndpoint', { id, input: credentials() });
  await send('rotateWebhookSecret', { id });
  await send('sendTestEvent', { id });
  return id;
}

type Services = {
  readonly cards: string;
  readonly acquirer: string;
  readonly giftCards: string;
  readonly bank: string;
  readonly debits: string;
};

async function configure({ send, secrets, providerUrl }: Walk): Promise<Services> {
  const make = async (paymentServiceDefinitionId: string, fields: object[] = []): Promise<string> => {
    const input = {
      ...{ displayName: 'Canary', paymentServiceDefinitionId },
      fields: [{ key: 'merchant_id', value: 'canary' }, { key: 'api_key', value: secrets.text() }, ...fields],
      ...{ acceptedCurrencies: ['USD', 'GBP', 'EUR'], acceptedCountries: ['US', 'GB'] },
    };
    return idOf(await send('createPaymentService', { input }), 'paymentService');
  };
  const provider = { key: 'api_url', value: providerUrl };
  const cards = await make('mock-card', [provider, { key: 'webhook_secret', value: secrets.text() }]);
  const fields = [{ key: 'api_key', value: secrets.text() }];
  await send('updatePaymentService', { id: cards, input: { fields } });
  await send('verifyPaymentService', { id: cards });
  const unstored = { paymentServiceDefinitionId: 'mock-card', paymentServiceId: cards };
  await send('verifyCredentials', {
    input: { ...unstored, fields: [{ key: 'api_key', value: secrets.text() }] },
  });
  return {
    cards,
    acquirer: await make('mock-acquirer'),
    giftCards: await make('mock-gift-card'),
    bank: await make('mock-instant-bank'),
    debits: await make('mock-bank'),
  };
}

async function antiFraud({ send, secrets }: Walk, { cards }: Services): Promise<void> {
  const secret = () => ({ key: 'api_key', value: secrets.text() });
  const input = {
    ...{ displayName: 'Canary', antiFraudServiceDefinitionId: 'mock-anti-fraud' },
    fields: [{ key: 'merchant_id', value: 'canary' }, secret()],
  };
  const id = idOf(await send('createAntiFraudService', { input }), 'antiFraudService');
  await send('updateAntiFraudService', { id, input: { fields: [secret()] } });
  const card = { number: secrets.card(), expirationDate: '12/40', securityCode: secrets.securityCode() };
  const buyer = { billingDetails: { emailAddress: 'review@shop.example' } };
  const payment = { ...{ amount: 1299, currency: 'USD', intent: 'CAPTURE' }, paymentMethod: { card }, buyer };
  const held = await send('createTransaction', { input: { ...payment, paymentServiceId: cards } });
  const resolution = { decision: 'ACCEPT', comment: 'Canary' };
  await send('resolveReview', { id: idOf(held, 'transaction'), input: resolution });
  await send('deleteAntiFraudService', { id });
}

async function pay({ send, secrets, loseAnswer }: Walk, { cards, acquirer }: Services): Promise<void> {
  const authorize = async (more: object = {}): Promise<Answer> => {
    const card = { number: secrets.card(), expirationDate: '12/40', securityCode: secrets.securityCode() };
    return await send('createTransaction', {
      input: { amount: 1299, currency: 'USD', paymentMethod: { card }, paymentServiceId: cards, ...more },
    });
  };
  const id = idOf(await authorize(), 'transaction');
  await send('increaseAuthorization', { id, input: { amount: 1, externalIdentifier: 'canary' } });
  await send('reauthorizeTransaction', { id });
  await send('captureTransaction', { id, input: { amount: 1000 } });
  await send('refundTransaction', { id, input: { amount: 100 } });
  await send('updateTransaction', {
    id,
    input: { externalIdentifier: 'canary', metadata: { cart: 'canary' } },
  });
  await send('voidTransaction', { id: idOf(await authorize(), 'transaction') });
  const later = idOf(await authorize({ amount: 600_001, paymentServiceId: acquirer }), 'transaction');
  await send('cancelTransaction', { id: later });
  await send('syncTransaction', { id: later });
  await payByTokens({ send, secrets, loseAnswer }, cards);
  // The outcome is unknown, so the sealed card is kept until a person resolves the operation.
  loseAnswer();
  await authorize();
}

/** Pays with the means that only a provider can read, and with a network token. The last outcomes stay unknown. */
async function payByTokens(
  { send, secrets, loseAnswer }: Pick<Walk, 'send' | 'secrets' | 'loseAnswer'>,
  paymentServiceId: string,
): Promise<void> {
  await send('updatePaymentService', { id: paymentServiceId, input: { networkTokensEnabled: true } });
  const wallet = () => ({ token: JSON.stringify({ data: secrets.text() }) });
  const means = (): readonly object[] => [
    { applePay: wallet() },
    { googlePay: wallet() },
    { providerToken: { token: secrets.text() } },
    {
      networkToken: {
        ...{ number: secrets.card(), expirationDate: '12/40' },
        ...{ cryptogram: secrets.add(randomBytes(20).toString('base64')), eci: '05' },
      },
    },
  ];
  for (const paymentMethod of means())
    await send('createTransaction', {
      input: { amount: 1299, currency: 'USD', paymentMethod, paymentServiceId },
    });
  for (const paymentMethod of means()) {
    loseAnswer();
    await send('createTransaction', {
      input: { amount: 1299, currency: 'USD', paymentMethod, paymentServiceId },
    });
  }
}

/** Responds to two disputes, which the provider reports by webhooks. */
async function disputes({ send, ask, secrets }: Walk, { acquirer }: Services): Promise<void> {
  const { webhookUrl } = await ask<{ webhookUrl: string }>(
    'query ($id: ID!) { answer: paymentService(id: $id) { webhookUrl } }',
    { id: acquirer },
  );
  const open = async (): Promise<string> => {
    const card = { number: secrets.card(), expirationDate: '12/40', securityCode: secrets.securityCode() };
    const paid = await send('createTransaction', {
      input: {
        ...{ amount: 1299, currency: 'USD', intent: 'CAPTURE', paymentServiceId: acquirer },
        paymentMethod: { card },
      },
    });
    const transactionId = idOf(paid, 'transaction');
    const { paymentServiceTransactionId: payment } = paid['transaction'] as Readonly<Record<string, unknown>>;
    const reported = {
      ...{ event: 'dispute.created', payment_service_transaction_id: payment },
      ...{ dispute_reference: `dp_${transactionId}`, stage: 'chargeback', status: 'needs_response' },
      ...{ amount: 1299, currency: 'USD' },
    };
    await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(reported),
    });
    return untilFound(async () => {
      const { nodes } = await ask<{ nodes: readonly { readonly id: string }[] }>(
        'query ($filter: DisputeFilter) { answer: disputes(filter: $filter) { nodes { id } } }',
        { filter: { transactionId } },
      );
      return nodes[0]?.id ?? null;
    });
  };
  const texts = [{ kind: 'OTHER', text: secrets.text() }];
  await send('submitDisputeEvidence', { id: await open(), input: { texts } });
  await send('acceptDispute', { id: await open() });
}

/** Lets a version of routing rules decide about the payments that follow, and plays earlier ones through it. */
async function rules({ send }: Walk): Promise<void> {
  const tags = { name: 'Canaries', kind: 'TEXT', values: ['canary'] };
  const valueSetId = idOf(await send('createRoutingValueSet', { input: tags }), 'routingValueSet');
  await send('updateRoutingValueSet', { id: valueSetId, input: { values: ['canary', 'finch'] } });
  const ruleSetId = idOf(await send('createRoutingRuleSet', { input: { name: 'Canary' } }), 'routingRuleSet');
  const conditions = [{ fact: { metadataIn: { name: 'bird', valueSetId } } }];
  const rule = { name: 'Birds', conditions, action: { positions: true } };
  const made = await send('createRoutingRuleSetVersion', { ruleSetId, input: { rules: [rule] } });
  const versionId = idOf(made, 'routingRuleSetVersion');
  await send('activateRoutingRuleSet', { input: { versionId, note: 'Canary' } });
  const activeFrom = new Date(Date.now() + 86_400_000).toISOString();
  const planned = await send('activateRoutingRuleSet', { input: { versionId, activeFrom } });
  await send('cancelRoutingActivation', { id: idOf(planned, 'routingActivation') });
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const id = idOf(await send('simulateRouting', { input: { versionId, from } }), 'routingSimulation');
  await send('cancelRoutingSimulation', { id });
}

/** Runs both mutations of a session. The sender registers the secrets in their answers. */
async function session({ send, secrets }: Walk): Promise<void> {
  const service = {
    ...{ displayName: 'Canary', paymentServiceDefinitionId: 'mock-wallet' },
    fields: [
      { key: 'merchant_id', value: 'canary' },
      { key: 'api_key', value: secrets.text() },
    ],
    ...{ acceptedCurrencies: ['USD'], acceptedCountries: ['US'] },
  };
  const paymentServiceId = idOf(await send('createPaymentService', { input: service }), 'paymentService');
  const paymentMethod = { redirect: { method: 'venmo' } };
  const input = { ...{ amount: 1299, currency: 'USD', paymentServiceId }, paymentMethod };
  const client = { integrationClient: 'WEB', redirectUrl: 'https://shop.example/back' };
  const made = await send('createTransaction', { input: { ...input, ...client } });
  await send('createTransactionSession', {
    id: idOf(made, 'transaction'),
    token: String(made['sessionToken']),
  });
}

async function link({ send, secrets }: Walk): Promise<void> {
  const input = { amount: 1299, currency: 'USD', country: 'US' };
  await send('createPaymentLink', { input });
  const other = await send('createPaymentLink', { input });
  await send('expirePaymentLink', { id: idOf(other, 'paymentLink') });
  const debited = { amount: 1299, currency: 'EUR', country: 'GB', intent: 'CAPTURE' };
  const { paymentLink } = await send('createPaymentLink', { input: debited });
  await debit(paymentLink as { readonly url: string }, secrets);
}

/** Pays a link by a bank debit on its page. */
async function debit(link: { readonly url: string }, secrets: Secrets): Promise<void> {
  const page = await visit(link);
  const account = { method: 'bank', iban: iban(secrets), holder: 'Canary Bird', mandate: 'accepted' };
  const paid = await submit(link, { ...page, formKey: debitKeyOf(page.html) }, account);
  if (paid.status !== 303) throw new Error(`The page answered ${paid.status}`);
}

async function keep(
  { send, secrets }: Walk,
  { cards, giftCards, bank, debits }: Services,
  buyerId: string,
): Promise<void> {
  const shipping = await send('createShippingDetails', { buyerId, input: { firstName: 'Canary' } });
  const shippingId = idOf(shipping, 'shippingDetails');
  await send('updateShippingDetails', { id: shippingId, input: { lastName: 'Canary' } });
  await send('deleteShippingDetails', { id: shippingId });
  await send('updateBuyer', { id: buyerId, input: { displayName: 'Canaries' } });

  const giftCard = () => ({ number: giftCardNumber(secrets), pin: pin(secrets) });
  const giftCardKept = await send('storeGiftCard', {
    input: { ...giftCard(), buyerId, paymentServiceId: giftCards },
  });
  await send('storeGiftCard', { input: { ...giftCard(), buyerId, paymentServiceId: giftCards } });
  await send('checkGiftCardBalances', {
    input: { giftCards: [giftCard(), { id: idOf(giftCardKept, 'giftCard') }], paymentServiceId: giftCards },
  });
  await send('createTransaction', {
    input: { amount: 1299, currency: 'USD', giftCards: [giftCard()], paymentServiceId: giftCards },
  });
  await send('deleteGiftCard', { id: idOf(giftCardKept, 'giftCard') });

  const expirationDate = '12/40';
  const at = { country: 'GB', currency: 'GBP' };
  const instruments: object[] = [
    { card: { number: secrets.card(), expirationDate, securityCode: secrets.securityCode() } },
    { card: { number: secrets.card(), expirationDate, securityCode: secrets.securityCode() } },
    { networkToken: { token: secrets.card(), expirationDate } },
    {
      bankAccount: {
        ...{ scheme: 'SEPA', accountNumber: iban(secrets) },
        accountHolder: { companyName: 'Canary' },
      },
    },
    {
      instantBankMandate: {
        ...{ method: 'paybybank', paymentServiceId: bank, mandate: secrets.text() },
        ...at,
      },
    },
  ];
  const kept: string[] = [];
  for (const instrument of instruments)
    kept.push(idOf(await send('storePaymentMethod', { input: { instrument, buyerId } }), 'paymentMethod'));
  const [first = '', id] = kept;
  // The issuer declines this amount for lack of funds.
  const planned = {
    ...{ amount: 200_011, currency: 'USD', paymentMethod: { stored: { id } }, paymentServiceId: cards },
    ...{ paymentSource: 'RECURRING', merchantInitiated: true, isSubsequentPayment: true },
    retryPlan: { afterHours: [24] },
  };
  await send('stopRetryPlan', {
    id: idOf(await send('createTransaction', { input: planned }), 'transaction'),
  });
  const stored = { id, securityCode: secrets.securityCode() };
  await send('createTransaction', {
    input: { amount: 1299, currency: 'USD', paymentMethod: { stored }, paymentServiceId: cards },
  });
  const account = { scheme: 'SEPA', accountNumber: iban(secrets), accountHolder: { companyName: 'Canary' } };
  await send('createTransaction', {
    input: {
      ...{ amount: 1299, currency: 'EUR', country: 'GB', intent: 'CAPTURE', paymentServiceId: debits },
      paymentMethod: { bank: account },
    },
  });
  await send('updatePaymentMethod', { id: first, input: { expirationDate: '11/40' } });
  await send('deletePaymentMethod', { id: first });
}

async function scenarios({ send, secrets }: Walk): Promise<void> {
  const conditions = () => ({ cardNumber: secrets.card() });
  const outcome = { authentication: 'C', challengeResult: 'N' };
  const make = async (): Promise<string> =>
    idOf(
      await send('createThreeDSScenario', { input: { conditions: conditions(), outcome } }),
      'threeDSScenario',
    );
  const [first, second] = [await make(), await make()];
  await send('updateThreeDSScenario', { id: first, input: { conditions: conditions() } });
  await send('moveThreeDSScenario', { id: second, to: { before: first } });
  await send('deleteThreeDSScenario', { id: second });
}

async function replays({ send }: Walk, webhookEndpointId: string): Promise<void> {
  const input = { webhookEndpointId, scope: 'ALL', from: '2020-01-01T00:00:00Z' };
  const job = await send('replayEvents', { input });
  await send('cancelReplayJob', { id: idOf(job, 'replayJob') });
}

/** Has a file written of every kind of record. */
async function files({ send }: Walk): Promise<void> {
  for (const type of ['TRANSACTIONS', 'LEDGER', 'SETTLEMENTS', 'EVENTS', 'AUDIT_LOG'])
    await send('createExport', { input: { type, format: 'CSV' } });
}

/** Runs the mutations that remove data, last. Some data of each kind stays. */
async function forget({ send }: Walk, services: Services): Promise<void> {
  const other = await send('createWebhookEndpoint', { input: { url: 'http://127.0.0.1:9/' } });
  await send('deleteWebhookEndpoint', { id: idOf(other, 'webhookEndpoint') });
  await send('deletePaymentService', { id: services.acquirer });
  const buyer = await send('createBuyer', { input: { displayName: 'Canary' } });
  await send('deleteBuyer', { id: idOf(buyer, 'buyer') });
}

/** Creates a gift card's number. The sandbox takes a number that ends with 0 for an expired card. */
function giftCardNumber(secrets: Secrets): string {
  const number = secrets.card('9');
  return number.endsWith('0') ? giftCardNumber(secrets) : number;
}

/**
 * Creates the longest allowed PIN. The provider reads the PIN as the balance, which is no secret, so most digits are
 * zeros.
 */
const pin = (secrets: Secrets): string =>
  secrets.add(String(randomInt(10_000_000, 99_999_999)).padStart(20, '0'));

/** Creates a German IBAN with its check digits. */
function iban(secrets: Secrets): string {
  const account = Array.from({ length: 18 }, () => randomInt(10)).join('');
  // DE is 1314, with letters counted from A = 10. The check digits count as 00 in their own calculation.
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return secrets.add(`DE${String(check).padStart(2, '0')}${account}`);
}

function idOf(answer: Answer, name: string): string {
  const record = answer[name];
  if (typeof record !== 'object' || record === null || !('id' in record))
    throw new Error(`No ${name} in ${JSON.stringify(answer)}`);
  return String(record.id);
}
