import { mockAntiFraud } from '../../../src/connectors/sandbox/anti-fraud/definition.ts';
import { simulate21 } from '../../../src/connectors/sandbox/anti-fraud/simulator.ts';
import { fromWire21, toWire21 } from '../../../src/connectors/sandbox/anti-fraud/wire-2-1.ts';
import { CO_BADGED } from '../../../src/connectors/sandbox/simulator/card-networks.ts';
import { sandboxDefinitions } from '../../../src/connectors/sandbox/definitions.ts';
import {
  decidedLater,
  refusalsByAmount,
  responseCodes,
} from '../../../src/connectors/sandbox/simulator/error-codes.ts';
import { openGiftCardBook } from '../../../src/connectors/sandbox/simulator/gift-card-simulator.ts';
import { REPORT_AFTER_MS } from '../../../src/connectors/sandbox/later-reports.ts';
import { simulateRevocation } from '../../../src/connectors/sandbox/mandates.ts';
import {
  simulate,
  REDIRECT_BY_POST_AMOUNT,
  TOKEN_LATER_AMOUNT,
} from '../../../src/connectors/sandbox/simulator/simulator.ts';
import { settledOtherwise } from '../../../src/connectors/sandbox/simulator/settlement-simulator.ts';
import { disputedLater } from '../../../src/connectors/sandbox/simulator/disputes.ts';
import { sandboxBankAccounts } from '../../../src/connectors/sandbox/simulator/bank-debits.ts';
import { simulateTakeBack, takenBackLater } from '../../../src/connectors/sandbox/simulator/take-backs.ts';
import { tokenCards } from '../../../src/connectors/sandbox/simulator/token-cards.ts';
import { TEST_CARDS } from '../../../src/modules/three-ds/test-cards.ts';
import { FAULTS, type Fault } from '../../../src/connectors/sandbox/faults.ts';
import { simulateVerification } from '../../../src/connectors/sandbox/verification.ts';
import { code, table, WRITTEN } from './table.ts';
import { BARE_CHECK, strangerAt } from '../../support/check-request.ts';

const OPERATIONS = {
  authorize: 'authorisation',
  increase: 'increase',
  reauthorize: 're-authorisation',
  capture: 'capture',
  void: 'void',
  refund: 'refund',
  cancel: 'cancel',
} as const;

const amountRows = (): string[][] =>
  Object.entries(refusalsByAmount).flatMap(([verb, refusals]) =>
    [...refusals].map(([amount, { errorCode, kind }]) => [
      code(amount),
      OPERATIONS[verb as keyof typeof OPERATIONS],
      kind,
      code(errorCode),
      responseCodes[errorCode] === undefined ? '' : code(responseCodes[errorCode]),
    ]),
  );

const laterRows = (): string[][] =>
  Object.entries(decidedLater).map(([verb, { approved, refused }]) => [
    OPERATIONS[verb as keyof typeof OPERATIONS],
    code(approved),
    code(refused),
  ]);

const CARD_OUTCOMES = {
  frictionless: 'authenticated at once',
  challenge: 'a challenge, which the buyer passes or fails',
  always_challenged: 'a challenge, which the buyer passes or fails',
  not_enrolled: 'not enrolled: unavailable (U)',
} as const;

const card = { number: '4111111111111111', expiry: '03/30' };

/** Asks the simulator for an authorisation of 12.99. */
const checksFor = (postalCode: string | null, cvv: string | null) =>
  simulate({
    operation: 'authorize',
    idempotency_key: 'docs',
    amount: 1299,
    currency: 'USD',
    postal_code: postalCode,
    card: { ...card, cvv },
  });

const checkRows = (): string[][] => [
  ...['10115', '10077', '10088', '10099'].map((postalCode) => [
    `postal code ${code(postalCode)}${postalCode === '10115' ? '' : ` (contains ${code(postalCode.slice(-2))})`}`,
    `${code('avsResponseCode')} ${code((checksFor(postalCode, '100').avs ?? '').toUpperCase())}`,
  ]),
  ...['100', '222', '333', null].map((cvv) => [
    cvv === null ? 'no security code' : `security code ${code(cvv)}`,
    `${code('cvvResponseCode')} ${code((checksFor(null, cvv).cvv ?? '').toUpperCase())}`,
  ]),
];

/** Asks the simulator for the balance of a gift card with a PIN. */
function balanceOf(pin: string): string {
  const reply = openGiftCardBook().answer({
    operation: 'balance',
    merchant_id: 'docs',
    card_currency: 'USD',
    card: { number: '4123456789012345', pin },
  });
  return reply.result === 'approved' ? `balance ${reply.balance}` : code(reply.code);
}

const PINS = ['01234', ...Array.from({ length: 12 }, (_, index) => `1${String(index).padStart(4, '0')}`)];

const NAMES = ['accept', 'reject', 'review', 'error', 'timeout', 'unavailable', 'anybody'];

/** Asks the third party about a buyer. Null stands for a buyer without an address. */
function judgementOf(email: string | null): string {
  const buyer = email === null ? null : strangerAt(email);
  const { status, body } = simulate21(toWire21({}, { ...BARE_CHECK, buyer }));
  const answer = status === 200 ? fromWire21(body, BARE_CHECK.key) : null;
  // A payment without a readable answer has the decision ERROR.
  return code((answer?.kind === 'decided' ? answer.decision : 'error').toUpperCase());
}

const definitionRows = (): string[][] =>
  sandboxDefinitions.map(({ id, method, displayName, supportedFeatures }) => [
    code(id),
    displayName,
    code(method),
    Object.entries(supportedFeatures)
      .filter(([, has]) => has)
      .map(([feature]) => code(feature))
      .join(', '),
  ]);

const keyRows = (): string[][] => [
  ['begins with `invalid`', '`FAILED`', 'no payment is routed to the service'],
  ...FAULTS.map((fault) => [
    `begins with ${code(fault)}`,
    code(simulateVerification(fault) === null ? 'PENDING' : 'ACTIVE'),
    FAULT_MEANINGS[fault],
  ]),
  ['any other', '`ACTIVE`', 'the amount decides'],
];

const FAULT_MEANINGS: Readonly<Record<Fault, string>> = {
  silent: 'no answer to anything, as in an outage',
  slow: 'each answer takes a quarter of the time limit',
  failing: 'each authorisation fails with `service_error`',
  declining: 'each authorisation is declined with `issuer_decline`, response code `05`',
};

const mandateRows = (): string[][] =>
  ['mandate_1', 'mandate_refused', 'mandate_unknown'].map((mandate) => [
    code(mandate),
    simulateRevocation({ operation: 'revoke_mandate', idempotency_key: 'docs', mandate }).result.replace(
      '_',
      ' ',
    ),
  ]);

const countryRows = (): string[][] =>
  ['2', '3', '4', '5', '6'].map((first) => [
    `a card number that begins with ${code(first)}`,
    `${code('card.country')} ${code(
      simulate({
        ...{ operation: 'authorize', idempotency_key: 'docs', amount: 1299, currency: 'USD' },
        card: { ...card, number: first + card.number.slice(1), cvv: '100' },
      }).card_country ?? '',
    )}`,
  ]);

/** The amounts with a later webhook, asked of the simulator. */
const takenBackRows = (): readonly (readonly string[])[] =>
  (['capture', 'refund', 'authorize'] as const).flatMap((operation) => {
    const { code: _, ...amounts } = takenBackLater[operation];
    return Object.values(amounts).map((amount) => {
      const captures = [{ idempotency_key: 'docs', capture_id: 'docs', amount }];
      const request = { operation, idempotency_key: 'docs', amount, currency: 'USD', captures } as const;
      const webhook = simulateTakeBack(request, simulate(request));
      const part = webhook?.amount === undefined ? '' : `, \`amount\` ${webhook.amount}`;
      return [
        operation === 'authorize' ? 'authorisation' : operation,
        code(amount),
        `${code(webhook?.event ?? '')}${part}`,
        code(webhook?.code ?? ''),
      ];
    });
  });

/** The amounts with reports of a dispute, in their order. */
const disputedRows = (): string[][] =>
  disputedLater.map(({ amount, steps }) => [
    code(amount),
    steps
      .map(([stage, status]) => `${code(stage.toUpperCase())} ${code(status.toUpperCase())}`)
      .join(', then '),
  ]);

/** The amounts that settle otherwise, with the difference. */
const settledRows = (): string[][] => [
  [code(settledOtherwise.other_amount), 'the amount less 1', code('OTHER_AMOUNT')],
  [code(settledOtherwise.other_currency), 'another currency, without the original', code('OTHER_CURRENCY')],
  [code(settledOtherwise.unknown), 'under an unknown reference', code('NO_SUCH_OPERATION')],
  [code(settledOtherwise.twice), 'twice, in two entries', code('ALREADY_SETTLED')],
  [code(settledOtherwise.converted), 'another currency, with the original and the rate', 'none'],
];

const bankRows = (): string[][] =>
  sandboxBankAccounts.map(({ scheme, accountNumber, end, code: given, meaning }) => [
    scheme.toUpperCase(),
    code(accountNumber),
    end,
    code(given),
    meaning,
  ]);

/** The tokens that stand for cards, with the answer to a payment of 12.99. */
const tokenRows = (): string[][] =>
  Object.entries(tokenCards).map(
    ([
      name,
      {
        card: { scheme, last_four: lastFour },
        country,
      },
    ]) => {
      const { code: given, result } = simulate({
        ...{ operation: 'authorize', idempotency_key: 'docs', amount: 1299, currency: 'USD' },
        client_token: `tok_${name}`,
      });
      return [
        code(`{"sandbox": "${name}"}`),
        code(`tok_${name}`),
        `${code(scheme)}, ends with ${code(lastFour)}, ${code(country)}`,
        result === 'approved' ? 'approved' : `declined with ${code(given)}`,
      ];
    },
  );

/** Writes the page of the sandbox: each input with its answer, asked of the simulators themselves. */
export const sandboxPage = (): string => `${WRITTEN}

# The sandbox

The sandbox simulates providers. The same input always gets the same answer, and no money moves. Every other amount is
approved.

## Definitions

${table(['definition', 'name', 'method', 'features'], definitionRows())}

\`${mockAntiFraud.id}\` is the definition of the anti-fraud service. An \`api_url\` among the fields of a payment service replaces
the built-in simulator by your own.

## Credentials

The sandbox checks the field \`api_key\`, or else \`client_secret\`, at a creation, at a change, and by
\`verifyPaymentService\`. A service without both stays \`CREATED\`.

${table(['`api_key` or `client_secret`', 'status', 'payments'], keyRows())}

Under a silent key, each payment gets no answer, and its outcome is unknown. Another key ends the outage: the next inquiry then finds
the outcome. So an operator can rehearse the [runbooks](operate/runbooks.md). Gift cards, disputes and settlements answer under any key.

A failing or declining key lets routing ask the [next service](concepts/routing.md#when-the-next-service-is-asked). Captures, refunds and voids
answer as ever. \`paygraph trigger\` plays each fault beside a second service that works.

## Amounts that are refused

${table(['amount', 'operation', 'result', 'error code', 'response code'], amountRows())}

The connection options of a payment choose other [codes of the scheme](concepts/routing.md#when-the-next-service-is-asked), such as
\`{"mock-card": {"network_response_code": {"result": "R1"}, "merchant_advice_code": {"result": "03"}}}\`.

## Amounts that are decided later

Definitions with the feature \`sync\` accept these amounts and decide later. \`syncTransaction\` or reconciliation asks for the
decision.

${table(['operation', 'amount that succeeds', 'amount that is declined'], laterRows())}

At \`mockds-card\`, a payment of ${code(TOKEN_LATER_AMOUNT)} that stores its card gets the token by a [later webhook](#later-webhooks).

## Amounts that are taken back

These amounts succeed. A [later webhook](#later-webhooks) of the provider
[takes the success back](concepts/payments.md#a-success-that-is-taken-back).

${table(['operation', 'amount', 'webhook', 'code'], takenBackRows())}

## Amounts that are disputed

A capture or a sale of these amounts succeeds. [Later webhooks](#later-webhooks) of the provider report a
[dispute](guides/disputes.md). Its reason code is \`13.1\`, and the merchant has seven days to respond.

${table(['captured amount', 'reports'], disputedRows())}

## Amounts that settle otherwise

\`mock-acquirer\` and \`mockds-card\` settle each day on the next day: see [settlements](guides/settlements.md). A capture or a sale
of these amounts succeeds, and settles so:

${table(['captured amount', 'settled', 'difference'], settledRows())}

## Bank accounts

At \`mock-bank\`, the account number decides. \`syncTransaction\` asks for the decision, or reconciliation after a minute.
An account that returns settles first, and a [later webhook](#later-webhooks) takes the payment back. Every other account
settles.

${table(['scheme', 'account number', 'end', 'code', 'meaning'], bankRows())}

The routing number \`110000000\` belongs to the accounts of ACH, and the sort code \`108800\` to those of Bacs.

## Address, security code and country

${table(['input', 'answer'], [...checkRows(), ...countryRows()])}

## Co-badged test cards

${table(
  ['card number', 'networks'],
  [...CO_BADGED].map(([number, networks]) => [code(number), networks.map(code).join(', ')]),
)}

With \`card: { network }\` the sandbox refuses a network to which the card does not belong, with \`unsupported_scheme\`. Any
other number belongs to one network.

## Wallets and tokens of a client

The sandbox reads no token of a real wallet. A token names a card instead, and the amount decides as for a card.

${table(["a wallet's token", '`providerToken`', 'card', 'payment'], tokenRows())}

Any other token is declined with \`unknown_payment_method\`. The sandbox accepts every network token and every cryptogram.

## 3-D Secure test cards

${table(
  ['card number', 'outcome without a matching rule'],
  [...TEST_CARDS].map(([number, group]) => [code(number), CARD_OUTCOMES[group]]),
)}

Another card pays without authentication. With \`threeDSecure: { request: ALWAYS }\` another card gets a challenge. The
mutation \`createThreeDSScenario\` makes rules for any card: see [3-D Secure](guides/3ds.md).

## Gift cards

${table(
  ['PIN', 'answer'],
  PINS.map((pin) => [code(pin), balanceOf(pin)]),
)}

- A PIN that begins with 0 is the first balance in minor units.
- A PIN that begins with 1 is an invalid request.
- A PIN that begins with 2 is a fault of the server, and with 3 a fault of the client.
- The last four digits choose the code, as in the table.
- A number that ends with 0 has expired.
- A refund to a gift card fails when its amount ends with 1, 2 or 3.

## Anti-fraud

${table(
  ['e-mail address', '`antiFraudDecision`'],
  [
    ...NAMES.map((name) => [code(`${name}@example.com`), judgementOf(`${name}@example.com`)]),
    ['no address', judgementOf(null)],
  ],
)}

## Buyers

${table(
  ['definition', 'buyer', 'answer'],
  [
    [code('mock-paypal'), 'approves or refuses at `approvalUrl`', 'authorised, or failed'],
    [code('mock-redirect'), 'approves or refuses, and comes back', 'authorised, or failed, after the return'],
    [
      code('mock-wallet'),
      'approves at `sessionData.approvalUrl`',
      'completed by a GET of `defaultCompletionUrl`',
    ],
    [code('mock-push'), 'pays elsewhere', 'captured by the webhook `authorization.succeeded`'],
  ],
)}

The page of \`mock-redirect\` stands for a page of the provider. Only the buyer's return decides the payment:

- The buyer comes back by a GET or by a POST, with \`redirect_result=approved\` or \`redirect_result=refused\`.
- Without that parameter the payment still waits, and the buyer may open the page again.
- A buyer who never comes back has paid nothing. The payment fails at \`approvalExpiresAt\`.
- A webhook before or after the return plays a provider that decides without the buyer.
- For the amount ${code(REDIRECT_BY_POST_AMOUNT)} the buyer's browser posts a form to the page.

## Mandates

A mandate is revoked by \`deletePaymentMethod\`:

${table(['name of the mandate', 'answer of the provider'], mandateRows())}

## Later webhooks

The built-in simulator makes the later webhooks by itself. The first one arrives ${REPORT_AFTER_MS / 1_000} seconds after the success, and each
further one ${REPORT_AFTER_MS / 1_000} seconds after the one before. They need no address and no signature.

Your own simulator at \`api_url\` sends its webhooks to the \`webhookUrl\`. In production the built-in simulator makes none, even
with \`PAYGRAPH_ALLOW_SANDBOX_PROVIDERS=true\`.

[Webhooks from providers](guides/provider-webhooks.md) shows how to send a webhook in the place of a provider.
`;
