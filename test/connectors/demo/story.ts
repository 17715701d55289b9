import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { callConnector, lookUp, type ConnectorCall } from '../../../src/connectors/calls/call.ts';
import type { CallContext } from '../../../src/connectors/interface/call-context.ts';
import { resumePayment } from '../../../src/connectors/calls/call-resume.ts';
import { verifyCredentials } from '../../../src/connectors/calls/call-verification.ts';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import { isDisputeNotice } from '../../../src/connectors/notices/disputes.ts';
import { isOperationNotice, type WebhookNotice } from '../../../src/connectors/notices/webhook.ts';
import type { Outcome } from '../../../src/connectors/interface/outcome.ts';
import { readWebhook } from '../../../src/connectors/reading/read-webhook.ts';
import type { AuthorizeRequest, LookupRequest } from '../../../src/connectors/interface/requests.ts';
import type { DemoProvider, DoubleSide } from './demo-provider.ts';
import type { Step } from './record.ts';

/** The parties of a story. `double` is null at the provider's own test environment. */
export type Stage = {
  readonly provider: DemoProvider;
  readonly connector: Connector;
  readonly context: CallContext;
  readonly double: DoubleSide | null;
  /** Prints one line. */
  readonly tell: (line: string) => void;
};

const LOG = pino({ level: 'silent' });

/** The time for which the demo waits for a buyer at the provider's own page. */
const APPROVAL_MS = 300_000;
const ASK_AGAIN_MS = 5_000;

/**
 * Tells the story of one connector: check, authorise, repeat, capture, refund, void and decline. After each step the webhooks
 * of a double are read. A step that fails is told, and the story goes on where it can.
 */
export async function tellProviderStory(stage: Stage): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const play = createPlay(stage, steps);
  await play('Check the credentials', null, () => verify(stage));
  // Refused credentials would fail in every step.
  if (steps.some(({ ok }) => !ok)) return steps;

  const key = randomUUID();
  const paid = await play('Authorise 12.99', key, () => authorise(stage, key, 1299));
  if (paid?.kind === 'succeeded') {
    await play('Repeat the authorisation under its key', key, () => repeat(stage, key, paid.reference));
    await captureAndRefund(stage, play, paid.reference);
  }

  const other = randomUUID();
  const held = await play('Authorise 5.00', other, () => authorise(stage, other, 500));
  if (held?.kind === 'succeeded') {
    const { reference } = held;
    const voiding = randomUUID();
    await play('Void the second payment', voiding, () =>
      call(stage, { verb: 'void', key: voiding, reference, money: money(stage, 500) }),
    );
  }
  const { declined } = stage.provider;
  if (declined) {
    const refused = randomUUID();
    await play('Be declined', refused, () =>
      call(stage, { verb: 'authorize', ...paymentOf(stage, refused, 1299), ...declined }, ['declined']),
    );
  }
  return steps;
}

/** The result of a step: a sentence, and the outcome of a call. Null if the step failed. */
type Told = { readonly line: string; readonly outcome: Outcome | null };
type Play = (title: string, key: string | null, act: () => Promise<Told>) => Promise<Outcome | null>;

/** Makes the function that performs a step, prints its result and reads the webhooks that follow. */
const createPlay =
  (stage: Stage, steps: Step[]): Play =>
  async (title, key, act) => {
    stage.tell(`\n${steps.length + 1}  ${title}`);
    const startedAt = performance.now();
    const end = (result: string, ok: boolean): void => {
      steps.push({ title, key, result, ok, durationMs: performance.now() - startedAt });
      stage.tell(`   ${ok ? '' : 'FAILED: '}${result}`);
    };
    try {
      const { line, outcome } = await act();
      end(line, true);
      tellWebhooks(stage);
      return outcome;
    } catch (error) {
      end(error instanceof Error ? error.message : String(error), false);
      return null;
    }
  };

async function captureAndRefund(stage: Stage, play: Play, reference: string): Promise<void> {
  const [capturing, refunding] = [randomUUID(), randomUUID()];
  const captured = await play('Capture 10.00 of 12.99', capturing, () =>
    call(stage, { verb: 'capture', key: capturing, reference, money: money(stage, 1000), final: true }),
  );
  if (captured?.kind !== 'succeeded' && captured?.kind !== 'accepted') return;
  await untilDecided(stage, { key: capturing, reference, money: money(stage, 1000) });
  await settle(stage, reference);
  const captures = [{ key: capturing, reference: captured.reference, amount: 400 }];
  await play('Refund 4.00', refunding, () =>
    call(stage, { verb: 'refund', key: refunding, reference, money: money(stage, 400), captures }),
  );
}

/** Waits at the provider itself until a capture is decided. Some providers only receive a capture, and can be asked for the decision. */
async function untilDecided(
  { connector, context, double }: Stage,
  capture: Pick<LookupRequest, 'key' | 'reference' | 'money'>,
): Promise<void> {
  if (double || !context.definition.supportedFeatures.sync) return;
  const about = { verb: 'capture', createdAt: new Date(), approval: null, resuming: false } as const;
  const giveUpAt = performance.now() + APPROVAL_MS;
  while (performance.now() < giveUpAt) {
    const found = await lookUp(connector, context, LOG, { ...capture, ...about, accountEnding: null });
    if (found !== null && found.kind !== 'accepted') return;
    await delay(ASK_AGAIN_MS);
  }
}

/** Settles the capture of a payment, where the provider refunds nothing before. */
async function settle({ provider, context, double }: Stage, reference: string): Promise<void> {
  if (double) double.settle?.(reference);
  else await provider.settle?.(context, reference);
}

async function verify({ connector, context }: Stage): Promise<Told> {
  const verification = await verifyCredentials(connector, context, LOG);
  if (verification === null) return { line: 'nothing to check', outcome: null };
  if (verification.kind === 'accepted') return { line: 'accepted', outcome: null };
  throw new Error(verification.kind === 'refused' ? verification.reason : `unknown: ${verification.cause}`);
}

/** Authorises. A buyer with a page approves there first. */
async function authorise(stage: Stage, key: string, amount: number): Promise<Told> {
  const { provider } = stage;
  const request = { verb: 'authorize', ...paymentOf(stage, key, amount), ...provider.paying } as const;
  const first = await callConnector(stage.connector, stage.context, LOG, request);
  if (first.kind !== 'accepted' || first.approvalUrl === undefined) return told(first, ['succeeded']);
  stage.tell(`   the buyer approves at ${first.approvalUrl}`);
  const resumed = await resume(stage, { key, reference: first.reference, amount });
  return told(resumed, ['succeeded']);
}

async function resume(
  stage: Stage,
  { key, reference, amount }: { readonly key: string; readonly reference: string; readonly amount: number },
): Promise<Outcome> {
  const request = (returned: Readonly<Record<string, string>>) =>
    resumePayment(stage.connector, stage.context, LOG, {
      ...{ key, reference, money: money(stage, amount), capture: false, returned },
    });
  if (stage.double) return await request(stage.double.approve(key));
  const giveUpAt = performance.now() + APPROVAL_MS;
  let outcome = await request({});
  while (outcome.kind === 'accepted' && performance.now() < giveUpAt) {
    await delay(ASK_AGAIN_MS);
    outcome = await request({});
  }
  return outcome;
}

/** Repeats a payment, and insists on the same reference. */
async function repeat(stage: Stage, key: string, reference: string): Promise<Told> {
  const request = { verb: 'authorize', ...paymentOf(stage, key, 1299), ...stage.provider.paying } as const;
  const again = await callConnector(stage.connector, stage.context, LOG, request);
  if ('reference' in again && again.reference !== null && again.reference !== reference)
    throw new Error(`The repeat has another reference: ${again.reference}`);
  return told(again, ['succeeded', 'accepted']);
}

async function call(
  { connector, context }: Stage,
  request: ConnectorCall,
  expected: readonly Outcome['kind'][] = ['succeeded', 'accepted'],
): Promise<Told> {
  return told(await callConnector(connector, context, LOG, request), expected);
}

/** Describes an outcome in a line. Throws the line if the outcome is of another kind. */
function told(outcome: Outcome, expected: readonly Outcome['kind'][]): Told {
  const line = lineOf(outcome);
  if (!expected.includes(outcome.kind)) throw new Error(line);
  return { line, outcome };
}

function lineOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'succeeded':
      return `succeeded: ${outcome.money.amount} ${outcome.money.currency}, reference ${outcome.reference}`;
    case 'accepted':
      return `accepted, reference ${outcome.reference}: a webhook brings the decision`;
    case 'declined':
    case 'failed':
      return `${outcome.kind}: ${outcome.errorCode} (${outcome.rawResponseCode ?? 'no code'})`;
    case 'unknown':
      return `unknown: ${outcome.cause}`;
  }
}

/** Reads the webhooks of a double. The test environment of a provider cannot reach the demo. */
function tellWebhooks({ connector, context, double, tell }: Stage): void {
  const { credentials, definition, environment } = context;
  for (const { headers, body, material } of double?.webhooks() ?? []) {
    const webhook = {
      headers,
      rawBody: Buffer.from(body),
      credentials,
      definition,
      environment,
      now: new Date(),
      ...(material !== undefined && { material }),
    };
    const read = readWebhook(connector, webhook, LOG);
    if (!read.ok) throw new Error(`A webhook is refused: ${read.refusals.join(', ')}`);
    for (const notice of read.value.notices) tell(`   webhook: ${subjectOf(notice)}`);
    for (const reference of read.value.lookUps) tell(`   webhook: look up, reference ${reference}`);
  }
}

function subjectOf(notice: WebhookNotice): string {
  if (isOperationNotice(notice)) return `${notice.verb} ${notice.outcome.kind}`;
  return isDisputeNotice(notice) ? 'dispute' : 'stored payment method';
}

const money = ({ provider: { currency } }: Stage, amount: number) => ({ amount, currency });

/** A payment without details. */
const paymentOf = (stage: Stage, key: string, amount: number): AuthorizeRequest => ({
  ...{ key, money: money(stage, amount), capture: false },
  ...{ card: null, token: null, wallet: null, networkToken: null, bank: null },
  series: {
    ...{ store: false, tokenizes: false, source: 'ecommerce', merchantInitiated: false },
    ...{ isSubsequentPayment: false, schemeTransactionId: null },
  },
  ...{ approvalPage: null, returnUrl: 'https://shop.example/return', notifyUrl: null },
  merchantReference: `demo-${key}`,
  ...{ integrationClient: null, installmentCount: null, cardNetwork: null, statementDescriptor: null },
  order: null,
  country: null,
  buyer: {
    ...{ reference: null, firstName: null, lastName: null, email: null, phone: null },
    ...{ billingAddress: null, taxId: null, shipping: null },
  },
  ...{ ipAddress: null, browserInfo: null, merchantProfile: null, threeDSecure: null },
  ...{ authentication: 'automatic', options: null, isRepeat: false },
});
