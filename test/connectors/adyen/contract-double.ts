import { randomUUID } from 'node:crypto';
import { adyen } from '../../../src/connectors/adyen/index.ts';
import { rowOf, type AdyenMethod } from '../../../src/connectors/adyen/methods.ts';
import type { Definition } from '../../../src/connectors/interface/definition.ts';
import type { AuthorizeRequest, Verb } from '../../../src/connectors/interface/requests.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import type {
  ContractProvider,
  Decision,
  Instruction,
  Subject,
  ContractMeans,
  MeansFeature,
} from '../contract-provider.ts';
import { sentTo } from '../double-server.ts';
import { buyerIn } from '../kit/whole-buyer.ts';
import { createAdyenDouble, CREDENTIALS, TEST_ACCOUNT, type AdyenDouble } from './double.ts';
import { payment } from './double-client.ts';
import type { ModificationKind } from './model.ts';

/** Adyen, as the suites of the contract see it. */
export const adyenSubject: Subject = {
  name: 'its double',
  connector: adyen,
  faults: DOUBLE_FAULTS,
  manner: ({ id }) => ({
    receives: [
      ...(id === 'adyen-sepa' ? (['authorize'] as const) : []),
      ...(['increase', 'capture', 'refund', 'void', 'cancel'] as const),
    ],
    looksUp: false,
    keepsPayments: true,
    returns: id === 'adyen-card' || rowOf(id)?.flow === 'redirect',
    asksBuyer: !(id in WITHOUT_BUYER),
  }),
  start: startDouble,
};

async function startDouble(
  { id, supportedCurrencies, supportedCountries }: Definition,
  now = (): Date => new Date(),
): Promise<ContractProvider> {
  const double = createAdyenDouble({ now });
  const server = await double.listen();
  const closed = new Set<string>();
  const currency = supportedCurrencies.includes('EUR') ? 'EUR' : (supportedCurrencies[0] ?? 'EUR');
  const country = supportedCountries[0] ?? 'NL';
  return {
    recipients: { known: 'BA00000000000000000000001', unknown: 'BA_UNKNOWN' },
    credentials: {
      ...{ ...CREDENTIALS, raw_card_data: 'true' },
      ...{ incremental_authorization: 'true', multiple_captures: 'true' },
    },
    via: (http) => sentTo(http, server.url),
    money: (verb, decision) => {
      const amount = amountFor(id, verb, decision);
      return amount === undefined ? null : { amount, currency };
    },
    pays: () => WITHOUT_BUYER[id] ?? { card: null, capture: true, country, buyer: buyerIn(country) },
    leaves: () => (id === 'adyen-card' ? { card: ASKING_CARD } : {}),
    means: (feature) => MEANS[feature],
    arrange: (verb, decision) => {
      const kind = KINDS[verb];
      if (kind && decision !== 'approve') double.decideNext(kind, 'fails');
    },
    failNext: (...faults) => double.failNext(...doubleFaults(faults)),
    release: () => double.release(),
    keys: () => double.calls.map(({ headers }) => keyIn(headers['idempotency-key'] ?? '')),
    done: () =>
      double
        .books()
        .flatMap(({ reference, status, modifications }) => [
          ...(status === 'waiting' || closed.has(reference) ? [] : [reference]),
          ...modifications.map((each) => keyIn(each.reference)),
        ]),
    webhooks: () => double.webhooks(),
    takeBack: (verb, key) => {
      if (verb !== 'authorize') return double.takeBack(`${key}_${verb}`);
      // A debit comes back as a dispute.
      if (id === 'adyen-card') double.expire(key);
      return id === 'adyen-card';
    },
    returned: (decision, key): Readonly<Record<string, string>> =>
      decision === 'nothing' ? {} : double.comeBack(key, decision),
    decidesElsewhere: (decision, key) => double.decideElsewhere(key, decision),
    instructs: INSTRUCTIONS[rowOf(id)?.flow ?? 'redirect'],
    closes: (key) => {
      const waits = double.books().some(({ reference, status }) => reference === key && status === 'waiting');
      if (!waits) return;
      closed.add(key);
      double.closeOffer(key);
    },
    returnUrl: (key) => {
      const begun = double.calls.find(({ headers }) => keyIn(headers['idempotency-key'] ?? '') === key);
      return (JSON.parse(begun?.body ?? '{}') as { readonly returnUrl?: string }).returnUrl ?? '';
    },
    close: () => server.close(),
  };
}

/** The parts of an answer by which the buyer pays elsewhere. */
const INSTRUCTIONS: Readonly<Record<AdyenMethod['flow'], readonly Instruction[]>> = {
  ...{ redirect: ['approvalUrl'], qr: ['qrCode', 'expiresAt'] },
  ...{ push: [], voucher: ['paymentReference', 'expiresAt'] },
};

/** The key of the operation in a key of one of its steps, or in a reference of a change. */
const keyIn = (text: string): string => text.split(/[:_]/)[0] ?? '';

const KINDS: Readonly<Partial<Record<Verb, ModificationKind>>> = {
  ...{ increase: 'amount_update', capture: 'capture', refund: 'refund', void: 'cancel', cancel: 'reversal' },
};

/** Amounts by which Adyen decides a payment. A decision about a change is arranged. */
const AMOUNTS: Readonly<Partial<Record<Decision, number>>> = {
  ...{ approve: 1299, decline: 200_002, fail: 200_004, later_approve: 600_001, later_decline: 600_002 },
};

/** A debit is received, and its bank decides later. */
const DEBITS: typeof AMOUNTS = { approve: 1299, decline: 600_002 };

function amountFor(id: string, verb: Verb, decision: Decision): number | undefined {
  if (verb === 'authorize') return (id === 'adyen-sepa' ? DEBITS : AMOUNTS)[decision];
  if (verb === 'cancel') return decision === 'approve' ? 600_001 : undefined;
  return ['approve', 'decline'].includes(decision) ? 1299 : undefined;
}

const cardOf = (number: string) => ({ number, expirationDate: '03/30', securityCode: '737' });

/** A card whose issuer asks for 3-D Secure. */
export const ASKING_CARD = cardOf('4212345678901237');

/** The definitions that pay without the buyer, and what pays. */
const WITHOUT_BUYER: Readonly<Record<string, Partial<AuthorizeRequest>>> = {
  'adyen-card': {},
  'adyen-sepa': {
    ...{ card: null, capture: true },
    bank: {
      ...{ scheme: 'sepa', accountNumber: 'NL13TEST0123456789', routingNumber: null, accountType: null },
      accountHolder: { firstName: 'A.', lastName: 'Klaassen', companyName: null },
      ...{ mandate: null, requestedOn: '2026-11-24' },
    },
  },
};

const MEANS: Readonly<Record<MeansFeature, ContractMeans>> = {
  apple_pay: { wallet: { wallet: 'apple_pay', token: '{"version":"EC_v1","data":"YXBwbGUgcGF5"}' } },
  google_pay: { wallet: { wallet: 'google_pay', token: '{"signature":"Z29vZ2xlIHBheQ=="}' } },
  network_tokens: {
    networkToken: {
      ...{ number: '4895370012003478', expirationDate: '12/40' },
      ...{ cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', eci: '05' },
    },
  },
  provider_tokens: {
    token: JSON.stringify({
      ...{ type: 'scheme', encryptedCardNumber: 'test_4111111111111111' },
      ...{ encryptedExpiryMonth: 'test_03', encryptedExpiryYear: 'test_2030' },
    }),
  },
};

/** Makes a sale without the connector. Returns its reference. */
export function payAt(double: AdyenDouble): string {
  const reference = randomUUID();
  double.handle({
    ...{ method: 'POST', path: '/v71/payments', headers: { 'x-api-key': TEST_ACCOUNT.apiKey } },
    body: JSON.stringify(payment(reference, { captureDelayHours: 0, additionalData: {} })),
  });
  return reference;
}
