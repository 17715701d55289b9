import { lookUpDue } from '../../src/modules/transactions/index.ts';
import { openShop } from '../connectors/kit/shop.ts';
import { startMollie } from '../connectors/mollie/start.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { until } from '../support/until.ts';
import { applyAfter } from './inbox.ts';

const PUBLIC_URL = 'https://pay.example';

/** The input of a payment on the provider's page. */
export const PAGE = {
  paymentMethod: { redirect: { method: 'card' } },
  redirectUrl: 'https://shop.example/back',
};

type Knock = {
  readonly body: string;
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Starts a running service at Mollie's double, whose webhooks only name a payment. No payment is compared by its age. */
export async function openLookUpShop(settings: Readonly<Record<string, string>> = {}) {
  const shop = await openShop((now) => startMollie({ now }, 'mollie-card'), {
    // The budgets follow the clock, and a busy machine takes seconds for the knocks.
    clock: createSteppedClock(),
    settings: { PAYGRAPH_PUBLIC_URL: PUBLIC_URL, PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '0', ...settings },
  });
  const { double, harness, prisma, service } = shop;
  let seen = 0;
  /** The address of this process, in place of the public one that the double cannot reach. */
  const addressOf = (webhookUrl: string): string => webhookUrl.replace(PUBLIC_URL, harness.server.url);
  /** Posts the webhook of a payment, or another body. Returns the status at once. */
  const post = async (
    id: string,
    { body = `id=${id}`, to = service.webhookUrl, headers = {} }: Partial<Knock> = {},
  ): Promise<number> => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(addressOf(to), { method: 'POST', headers: { ...form, ...headers }, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  /** Does the same. Returns the status once the look-up has ended. */
  const knock = async (id: string, given: Partial<Knock> = {}): Promise<number> => {
    const status = await post(id, given);
    await harness.server.http.webhooksApplied();
    return status;
  };
  /** The calls of the provider since the last question. */
  const calls = (): readonly string[] => {
    const made = double.requests
      .slice(seen)
      .map(({ method, path }) => `${method} ${path.split('?')[0] ?? ''}`);
    seen += made.length;
    return made;
  };
  /** Begins a payment on Mollie's page. */
  const begun = async (input: object = {}) => {
    const { id, payment } = await shop.paid({ intent: 'CAPTURE', ...PAGE, ...input });
    return { id, payment };
  };
  /** Pays on Mollie's page. The webhook has told Paygraph. */
  const paid = async (input: object = {}) => {
    const { id, payment } = await begun(input);
    double.hands.decide(payment, 'approve');
    await knock(payment);
    double.webhooks();
    calls();
    // The budget of the payment is whole again.
    await harness.pass(60_000);
    return { id, payment };
  };
  /** Knocks until the budget of a payment is used up. */
  const useUp = async (payment: string): Promise<void> => {
    for (calls(); ;) {
      await knock(payment);
      if (calls().length === 0) return;
    }
  };
  /** Lets the loop ask about the payments that are due after a while, and applies what the provider tells. */
  const lookUp = async (afterMs = 61_000): Promise<void> => {
    await harness.pass(afterMs);
    while (await lookUpDue(harness.server.app));
    await applyAfter(harness, 10_000);
  };
  return {
    ...{ ...shop, post, knock, calls, begun, paid, useUp, lookUp },
    moneyOf: async (id: string) =>
      (await shop.money(id)) as { status: string; capturedAmount: number; refundedAmount: number },
    /** The notes about a payment. */
    noted: (reference: string) => prisma.reportedPayment.findMany({ where: { reference } }),
    /** Waits for a number of calls. */
    called: (count: number) => until(() => double.requests.length - seen >= count, `${count} calls`),
  };
}
