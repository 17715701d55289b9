import { sendDueResponses } from '../../src/modules/disputes/index.ts';
import { historyOf } from '../transactions/unresolved.ts';
import type { Disputes, Sale } from './harness.ts';

export const PDF = Buffer.from('%PDF-1.7 a receipt of the test').toString('base64');
export const EVIDENCE = {
  texts: [{ kind: 'SHIPPING', text: 'Delivered to the door of the buyer.' }],
  files: [{ kind: 'RECEIPT', name: 'receipt.pdf', format: 'PDF', content: PDF }],
};

export type Answered = {
  readonly dispute: { readonly id: string; readonly status: string; readonly lostAmount: number } | null;
  readonly response: {
    readonly id: string;
    readonly status: string;
    readonly errorCode: string | null;
  } | null;
  readonly userErrors: readonly {
    readonly code: string;
    readonly path: readonly string[];
    readonly message: string;
  }[];
};

export const PAYLOAD = `{ dispute { id status lostAmount } response { id kind stage status errorCode acceptedAt settledAt }
  userErrors { code path message } }`;

type Opened = { readonly suffix?: string; readonly [field: string]: unknown };

/** The requests and looks of tests about responses to disputes. */
export function responsesTo(disputes: () => Disputes) {
  const harness = () => disputes().play.harness;
  return {
    submit: async (id: string, input: unknown = EVIDENCE): Promise<Answered> =>
      (
        await harness().ask<{ answer: Answered }>(
          `mutation ($id: ID!, $input: DisputeEvidenceInput!) {
            answer: submitDisputeEvidence(id: $id, input: $input) ${PAYLOAD} }`,
          { id, input },
        )
      ).answer,
    accept: async (id: string, key?: string): Promise<Answered> =>
      (
        await harness().ask<{ answer: Answered }>(
          `mutation ($id: ID!, $key: String) { answer: acceptDispute(id: $id, idempotencyKey: $key) ${PAYLOAD} }`,
          { id, key },
        )
      ).answer,
    /** Creates an open dispute of a sale. Its time to respond ends in a day by the clock of the test. */
    opened: async ({ suffix = '', ...reported }: Opened = {}): Promise<Sale & { open: string }> => {
      const sale = await disputes().sale();
      const named = { ...sale, dispute: `${sale.dispute}${suffix}` };
      const respondBy = new Date(harness().clock.now().getTime() + 24 * 3_600_000).toISOString();
      await disputes().report(named, { respond_by: respondBy, ...reported });
      return { ...named, open: (await disputes().of(named))[0]?.id ?? '' };
    },
    rows: (disputeId: string) =>
      harness().server.app.db.prisma.disputeResponse.findMany({ where: { disputeId } }),
    /** Passes time, and sends what is due. */
    later: async (ms: number): Promise<void> => {
      await harness().pass(ms);
      while (await sendDueResponses(harness().server.app));
    },
    /** Reads the outcomes of responses in the history of a payment, oldest first. */
    answersOf: async ({ id }: Sale) =>
      (await historyOf(harness(), id))
        .filter(({ name }) => name === 'payment-connector-dispute-responded')
        .map(({ context }) => context),
    callsFor: (dispute: string) => harness().provider.disputeCalls.filter((call) => call.dispute === dispute),
  };
}
