import { adyen } from '../../../src/connectors/adyen/index.ts';
import type { HttpClient } from '../../../src/platform/http/http-client.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import type { Fault } from '../contract-provider.ts';
import { describeDisputeContract } from '../dispute-contract.ts';
import { sentTo } from '../double-server.ts';
import { describeSettlementContract } from '../settlement-contract.ts';
import { describeWebhookContract } from '../webhook-contract.ts';
import { payAt } from './contract-double.ts';
import { createAdyenDouble, CREDENTIALS } from './double.ts';
import { bodyOf, CREDENTIALS as SAMPLE_CREDENTIALS, itemOf } from './samples.ts';

const startDouble = async () => {
  const double = createAdyenDouble();
  const server = await double.listen();
  return {
    double,
    credentials: CREDENTIALS,
    via: (http: HttpClient) => sentTo(http, server.url),
    failNext: (...faults: readonly Fault[]) => double.failNext(...doubleFaults(faults)),
    release: () => double.release(),
    close: () => server.close(),
  };
};

/** The answers about disputes and the reports have neither an amount nor a word of the payment. */
const FAULTS = DOUBLE_FAULTS.filter((fault) => !/^(other_|unknown_word)/.test(fault));

describeDisputeContract({
  connector: adyen,
  faults: FAULTS,
  start: async () => {
    const started = await startDouble();
    const { double } = started;
    return {
      ...started,
      dispute: (state) => {
        const respondBy = new Date(Date.now() + 86_400_000 * (state === 'open' ? 20 : -1));
        const disputed = double.dispute(payAt(double), { stage: 'CHARGEBACK', respondBy });
        return Promise.resolve(disputed);
      },
    };
  },
});

describeSettlementContract({
  connector: adyen,
  // A page has 500 rows of a report at most.
  captures: 1_001,
  overlaps: false,
  faults: FAULTS,
  start: async () => {
    const started = await startDouble();
    const { double } = started;
    return {
      ...started,
      settle: (captures) => {
        for (let count = 0; count < captures; count += 1) payAt(double);
        double.webhooks();
        double.closeBatch();
        return Promise.resolve();
      },
      refuseNext: () => double.failNext('forbidden'),
    };
  },
});

type Body = { readonly notificationItems?: readonly { readonly NotificationRequestItem: Item }[] };
type Item = Parameters<typeof bodyOf>[0][number];

/** Signs each item of a body. Other bytes have no place for a signature. */
function signInside(rawBody: Buffer): Buffer {
  try {
    const { notificationItems } = JSON.parse(rawBody.toString()) as Body;
    return bodyOf((notificationItems ?? []).map((each) => each.NotificationRequestItem));
  } catch {
    return rawBody;
  }
}

const unsigned = (item: Item): string =>
  JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] });

describeWebhookContract({
  connector: adyen,
  credentials: SAMPLE_CREDENTIALS,
  signsInside: true,
  body: (reason) => unsigned(itemOf({ eventCode: 'REFUND', success: 'false', reason })),
  dispute: (chargebackReasonCode) =>
    unsigned(
      itemOf({
        ...{ eventCode: 'CHARGEBACK', originalReference: '9913140798220028' },
        additionalData: { chargebackReasonCode, disputeStatus: 'Undefended' },
      }),
    ),
  // The signature covers eight fields, such as the name of the event.
  tamper: (rawBody) => Buffer.from(rawBody.toString().replace(/"pspReference":"\w/, '"pspReference":"')),
  sign: (rawBody) => ({ headers: {}, rawBody: signInside(rawBody) }),
});
