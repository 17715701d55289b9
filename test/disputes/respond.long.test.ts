import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { providerKeysOf } from '../../src/modules/idempotency/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { at, startDisputes, type Disputes } from './harness.ts';
import { payloadFaults } from '../events/payload-faults.ts';
import { createService, type Since } from '../transactions/harness.ts';
import { inboxOf, until } from '../transactions/inbox.ts';
import { SECRET } from '../transactions/take-backs.ts';
import { EVIDENCE, PAYLOAD, PDF, responsesTo, type Answered } from './responses.ts';

let disputes: Disputes;
let since: Since;
/** A payment service for Swiss francs that cannot respond to disputes. */
let unable: string;

beforeAll(async () => {
  disputes = await startDisputes();
  const { server, provider } = disputes.play.harness;
  unable = await createService(server, provider.url, {
    ...{ definitionId: 'mockds-card', currencies: ['CHF'], webhookSecret: SECRET },
  });
});
afterAll(() => disputes.play.harness.stop());
beforeEach(async () => {
  disputes.play.harness.provider.behave();
  since = await disputes.play.harness.since();
});

const { submit, accept, opened, rows, later, answersOf, callsFor } = responsesTo(() => disputes);

const latestEvent = () =>
  disputes.play.harness.server.app.db.prisma.event.findFirstOrThrow({
    where: { name: { startsWith: 'dispute.' } },
    orderBy: { position: 'desc' },
  });

describe('submitDisputeEvidence', () => {
  it('gives the evidence to the provider, which reviews it, and keeps nothing of it', async () => {
    const { open, dispute, payment } = await opened();

    const { response, ...answer } = await submit(open);

    expect(answer).toEqual({ dispute: { id: open, status: 'UNDER_REVIEW', lostAmount: 0 }, userErrors: [] });
    expect(response).toEqual({
      ...{ id: expect.any(String), kind: 'EVIDENCE', stage: 'CHARGEBACK', status: 'SUCCEEDED' },
      ...{ errorCode: null, acceptedAt: null, settledAt: expect.any(String) },
    });
    expect(callsFor(dispute)).toEqual([
      {
        ...{ operation: 'submit_evidence', idempotency_key: response?.id, dispute, payment_id: payment },
        stage: 'chargeback',
        texts: [{ kind: 'shipping', text: 'Delivered to the door of the buyer.' }],
        files: [{ kind: 'receipt', name: 'receipt.pdf', format: 'pdf', content: PDF }],
      },
    ]);
    expect(await rows(open)).toMatchObject([{ status: 'succeeded', sealedEvidence: null }]);
    expect(await since.eventNames()).toContain('dispute.updated');
  });

  it('leaves the end to the provider, whose later reports count', async () => {
    const sale = await opened();
    await submit(sale.open);

    await disputes.report(sale, { status: 'won', occurred_at: at(1) });

    expect(await disputes.of(sale)).toMatchObject([{ status: 'WON' }]);
  });

  it('is asked again under the same key when the outcome is unknown', async () => {
    const { open, dispute } = await opened();
    disputes.play.harness.provider.failNext('lose_answer', 'nonsense');

    const first = await submit(open);
    expect(first).toMatchObject({ dispute: { status: 'NEEDS_RESPONSE' }, response: { status: 'PENDING' } });
    const [row] = await rows(open);
    expect(row?.sealedEvidence).toMatch(/^v1\./);
    expect(row?.sealedEvidence).not.toContain('door');
    expect((await submit(open)).userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED', path: ['id'] }]);

    await later(60_000);
    expect(await rows(open)).toMatchObject([{ status: 'pending', attempts: 2 }]);
    await later(60_000);

    expect(await rows(open)).toMatchObject([{ status: 'succeeded', attempts: 3, sealedEvidence: null }]);
    const keys = callsFor(dispute).map(({ idempotency_key }) => idempotency_key);
    expect(keys).toEqual([first.response?.id, first.response?.id, first.response?.id]);
    expect(callsFor(dispute)[2]).toEqual(callsFor(dispute)[0]);
  });

  it('fails by the no of the provider, and may be tried again', async () => {
    const sale = await opened({ suffix: '_refused' });
    const { open } = sale;

    expect(await submit(open)).toMatchObject({
      dispute: { status: 'NEEDS_RESPONSE' },
      response: { status: 'FAILED', errorCode: 'dispute_closed' },
      userErrors: [],
    });
    expect(await answersOf(sale)).toMatchObject([
      { kind: 'evidence', stage: 'chargeback', status: 'failed', code: 'dispute_closed' },
    ]);
    const { payload } = await latestEvent();
    expect(payloadFaults(payload)).toEqual([]);
    expect(JSON.parse(payload)).toMatchObject({
      target: {
        ...{ type: 'dispute', id: open, status: 'needs_response' },
        response: { kind: 'evidence', stage: 'chargeback', status: 'failed', error_code: 'dispute_closed' },
      },
    });
    expect((await submit(open)).response).toMatchObject({ status: 'FAILED' });
    expect(await rows(open)).toHaveLength(2);
  });

  it('fails after seven days without an answer', async () => {
    const { open } = await opened({ respond_by: null });
    disputes.play.harness.provider.failNext(...Array.from({ length: 400 }, () => 'nonsense' as const));
    await submit(open);

    await later(7 * 24 * 3_600_000);

    expect(await rows(open)).toMatchObject([
      { status: 'failed', errorCode: 'unknown_outcome', sealedEvidence: null },
    ]);
  });

  it.each([
    ['nothing', {}, ['input', 'texts']],
    ['an empty text', { texts: [{ kind: 'OTHER', text: '' }] }, ['input', 'texts', '0', 'text']],
    ['a long text', { texts: [{ kind: 'OTHER', text: 'x'.repeat(5_001) }] }, ['input', 'texts', '0', 'text']],
    [
      'two texts of a kind',
      {
        texts: [
          { kind: 'OTHER', text: 'a' },
          { kind: 'OTHER', text: 'b' },
        ],
      },
      ['input', 'texts'],
    ],
    ['no base64', { files: [{ ...EVIDENCE.files[0], content: '%PDF' }] }, ['input', 'files', '0', 'content']],
    [
      'another format',
      { files: [{ ...EVIDENCE.files[0], format: 'PNG' }] },
      ['input', 'files', '0', 'content'],
    ],
    [
      'too many bytes',
      {
        files: [
          {
            ...EVIDENCE.files[0],
            content: Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(128 * 1024)]).toString('base64'),
          },
        ],
      },
      ['input', 'files'],
    ],
    [
      'a card number',
      { texts: [{ kind: 'OTHER', text: 'Paid with 4111 1111 1111 1111.' }] },
      ['input', 'texts', '0', 'text'],
    ],
  ])('refuses %s, and nothing happens', async (_, input, path) => {
    const { open, dispute } = await opened();

    const { userErrors } = await submit(open, input);

    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path }]);
    expect([callsFor(dispute), await rows(open)]).toEqual([[], []]);
  });
});

describe('acceptDispute', () => {
  it('gives the money up, and books the loss once', async () => {
    const sale = await opened({ amount: 400 });

    expect(await accept(sale.open)).toMatchObject({
      dispute: { status: 'ACCEPTED', lostAmount: 400 },
      response: { kind: 'ACCEPTANCE', status: 'SUCCEEDED' },
    });
    await disputes.report(sale, { status: 'lost', amount: 400, occurred_at: at(5) });

    expect(await disputes.play.ledger(sale.id)).toEqual([
      ...['authorize 1000', 'capture 1000', 'dispute_loss 400'],
    ]);
    expect((await since.eventNames()).slice(-1)).toEqual(['dispute.lost']);
    expect(JSON.parse((await latestEvent()).payload)).toMatchObject({
      target: { lost_amount: 400, response: { kind: 'acceptance', status: 'succeeded', error_code: null } },
    });
    expect((await disputes.play.harness.refund(sale.id, {})).operation).toMatchObject({ amount: 600 });
    expect(callsFor(sale.dispute)).toMatchObject([{ operation: 'accept_dispute' }]);
  });

  it('books the loss of a payment that was decided after the first report', async () => {
    const sale = await disputes.sale(600_001);
    const respondBy = new Date(disputes.play.harness.clock.now().getTime() + 24 * 3_600_000).toISOString();
    await disputes.report(sale, { amount: 600_001, respond_by: respondBy });
    await disputes.play.harness.sync(sale.id);
    expect(await disputes.payment(sale)).toMatchObject({ capturedAmount: 600_001 });

    const [open] = await disputes.of(sale);
    expect(await accept(open?.id ?? '')).toMatchObject({
      dispute: { status: 'ACCEPTED', lostAmount: 600_001 },
    });

    expect((await disputes.play.ledger(sale.id)).slice(-1)).toEqual(['dispute_loss 600001']);
    expect(await disputes.payment(sale)).toMatchObject({ refundable: { amount: 0 } });
  });

  it('waits for the outcome of the payment, and is not sent again', async () => {
    const sale = await disputes.sale(600_001);
    const respondBy = new Date(disputes.play.harness.clock.now().getTime() + 24 * 3_600_000).toISOString();
    await disputes.report(sale, { amount: 600_001, respond_by: respondBy });
    const [open] = await disputes.of(sale);

    expect(await accept(open?.id ?? '')).toMatchObject({
      dispute: { status: 'NEEDS_RESPONSE', lostAmount: 0 },
      response: { status: 'PENDING', acceptedAt: expect.any(String), settledAt: null },
    });
    expect((await accept(open?.id ?? '')).userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
    await disputes.play.harness.sync(sale.id);
    await later(60_000);

    expect(await disputes.of(sale)).toMatchObject([{ status: 'ACCEPTED', lostAmount: 600_001 }]);
    expect(await rows(open?.id ?? '')).toMatchObject([{ status: 'succeeded' }]);
    expect(callsFor(sale.dispute)).toHaveLength(1);
    expect(await answersOf(sale)).toMatchObject([
      { kind: 'acceptance', status: 'succeeded', lost_amount: 600_001, finding: null },
    ]);
  });

  it('books nothing for a payment that has no outcome for seven days, and says so', async () => {
    const sale = await disputes.sale(600_001);
    await disputes.report(sale, { amount: 600_001, respond_by: null });
    const [open] = await disputes.of(sale);
    await accept(open?.id ?? '');

    await later(7 * 24 * 3_600_000);

    expect(await disputes.of(sale)).toMatchObject([{ status: 'ACCEPTED', lostAmount: 0 }]);
    expect(await answersOf(sale)).toMatchObject([{ status: 'succeeded', finding: 'exceeds_captured' }]);
    expect(callsFor(sale.dispute)).toHaveLength(1);
  });

  it('books nothing before the provider answers', async () => {
    const sale = await opened();
    disputes.play.harness.provider.failNext('error_after_work');

    expect(await accept(sale.open)).toMatchObject({ dispute: { status: 'NEEDS_RESPONSE', lostAmount: 0 } });
    expect(await disputes.play.ledger(sale.id)).toEqual(['authorize 1000', 'capture 1000']);
    await later(60_000);

    expect(await disputes.of(sale)).toMatchObject([{ status: 'ACCEPTED', lostAmount: 1000 }]);
  });
});

describe('a response', () => {
  it.each([
    ['a dispute that is decided', { status: 'won' }],
    ['a dispute under review', { status: 'under_review' }],
    ['a dispute whose time is over', { respond_by: at(-1) }],
  ])('to %s is refused, and nothing happens', async (_, reported) => {
    const { open, dispute } = await opened(reported);

    for (const { userErrors } of [await submit(open), await accept(open)])
      expect(userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED', path: ['id'] }]);

    expect([callsFor(dispute), await rows(open)]).toEqual([[], []]);
  });

  it('to an unknown dispute, or to one of another merchant account, is not found', async () => {
    const { open } = await opened();
    const { server } = disputes.play.harness;
    const { token } = await server.createMerchantAccount();

    const { body } = await server.graphql<{ answer: Answered }>(
      `mutation ($id: ID!) { answer: acceptDispute(id: $id) ${PAYLOAD} }`,
      { id: open },
      { token },
    );

    expect(body.data?.answer.userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect((await accept(randomUUID())).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect(await rows(open)).toEqual([]);
  });

  it('needs the scope disputes.write', async () => {
    const { open } = await opened();
    const { server } = disputes.play.harness;
    const token = await server.mint({ scopes: ['disputes.read'] });

    const { body } = await server.graphql(
      `mutation { acceptDispute(id: "${open}") ${PAYLOAD} }`,
      {},
      { token },
    );

    expect(body.errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
    expect(await rows(open)).toEqual([]);
  });

  it('needs a payment service with the feature', async () => {
    const { harness } = disputes.play;
    const id = await disputes.play.pay({ currency: 'CHF', intent: 'CAPTURE' });
    const { providerReference } = await disputes.play.operation(id, 'authorize');
    await (
      await inboxOf(harness, unable)
    ).tell(
      {
        ...{ event: 'dispute.created', payment_service_transaction_id: providerReference },
        ...{ dispute_reference: `dp_${id}`, stage: 'chargeback', status: 'needs_response' },
        ...{ amount: 1000, currency: 'CHF' },
      },
      SECRET,
    );
    const dispute = `dp_${id}`;
    const open = await until(async () => (await disputes.of({ id, payment: '', dispute }))[0]?.id ?? null);

    for (const { userErrors } of [await submit(open), await accept(open)])
      expect(userErrors).toMatchObject([{ code: 'OPERATION_NOT_SUPPORTED', path: ['id'] }]);
    expect([callsFor(dispute), await rows(open)]).toEqual([[], []]);
  });

  it('is one of two at once', async () => {
    const { open, dispute } = await opened();

    const answers = await Promise.all([submit(open), submit(open), accept(open)]);

    expect(answers.filter(({ response }) => response?.status === 'SUCCEEDED')).toHaveLength(1);
    expect(callsFor(dispute)).toHaveLength(1);
    expect(await rows(open)).toHaveLength(1);
  });

  it('never goes into another stage, which takes a response of its own', async () => {
    const { clock, provider } = disputes.play.harness;
    const sale = await opened({ stage: 'inquiry' });
    provider.failNext('lose_request');
    expect((await accept(sale.open)).response).toMatchObject({ status: 'PENDING' });
    const sent = callsFor(sale.dispute).length;
    const respondBy = new Date(clock.now().getTime() + 24 * 3_600_000).toISOString();
    await disputes.report(sale, { stage: 'chargeback', occurred_at: at(1), respond_by: respondBy });

    await later(3_600_000);

    expect(callsFor(sale.dispute)).toHaveLength(sent);
    expect(await rows(sale.open)).toMatchObject([{ status: 'pending', stage: 'inquiry' }]);
    expect(await submit(sale.open)).toMatchObject({
      dispute: { status: 'UNDER_REVIEW', lostAmount: 0 },
      response: { stage: 'CHARGEBACK', status: 'SUCCEEDED' },
    });
    await later(7 * 24 * 3_600_000);
    expect((await rows(sale.open)).find(({ stage }) => stage === 'inquiry')).toMatchObject({
      ...{ status: 'failed', errorCode: 'unknown_outcome' },
    });
    expect(callsFor(sale.dispute).slice(sent)).toMatchObject([{ stage: 'chargeback' }]);
    expect(await disputes.play.ledger(sale.id)).toEqual(['authorize 1000', 'capture 1000']);
  });

  it('names the same payment in every request under its key', async () => {
    const sale = await opened();
    const { harness } = disputes.play;
    harness.provider.failNext('lose_answer');
    await accept(sale.open);
    await harness.server.app.db.prisma.transaction.updateMany({
      where: { id: sale.id },
      data: { paymentServiceTransactionId: `other_${sale.payment}` },
    });

    await later(60_000);

    expect(callsFor(sale.dispute).map(({ payment_id }) => payment_id)).toEqual([sale.payment, sale.payment]);
  });

  it('that cannot be sent stays pending, and ends after seven days', async () => {
    const sale = await opened({ respond_by: null });
    disputes.play.harness.provider.failNext('lose_answer');
    await submit(sale.open);
    await disputes.play.harness.server.app.db.prisma.disputeResponse.updateMany({
      where: { disputeId: sale.open },
      data: { sealedEvidence: 'v1.unreadable' },
    });

    await later(60_000);
    expect(await rows(sale.open)).toMatchObject([{ status: 'pending', attempts: 2 }]);
    await later(7 * 24 * 3_600_000);

    expect(await rows(sale.open)).toMatchObject([{ status: 'failed', errorCode: 'unknown_outcome' }]);
  });

  it('with a key answers as of that time, whatever the provider reports later', async () => {
    const sale = await opened({ amount: 400 });
    const key = randomUUID();
    const first = await accept(sale.open, key);
    await disputes.report(sale, { stage: 'pre_arbitration', status: 'won', amount: 400, occurred_at: at(9) });

    expect(await accept(sale.open, key)).toEqual(first);
    expect(await disputes.of(sale)).toMatchObject([{ status: 'WON', lostAmount: 0 }]);
    expect(callsFor(sale.dispute)).toHaveLength(1);
  });

  it('with a key has the same key at its provider on another machine', async () => {
    const sale = await opened();
    const key = randomUUID();
    await accept(sale.open, key);
    const { vault, db } = disputes.play.harness.server.app;
    const [row] = await rows(sale.open);
    const use = { merchantAccountId: row?.merchantAccountId ?? '', mutation: 'acceptDispute', key, part: '' };
    const [derived] = await providerKeysOf({ vault }, use);

    expect(callsFor(sale.dispute)).toMatchObject([{ idempotency_key: derived }]);
    expect(row).toMatchObject({ providerKey: derived, idempotencyKey: key });
    expect(await db.prisma.idempotencyKey.findFirst({ where: { key } })).toMatchObject({
      resourceId: row?.id,
    });
  });

  it('without a clear answer is shown to a repeat as pending, and then as settled', async () => {
    const sale = await opened();
    const key = randomUUID();
    disputes.play.harness.provider.failNext('lose_answer');
    await accept(sale.open, key);

    expect(await accept(sale.open, key)).toMatchObject({ response: { status: 'PENDING' }, userErrors: [] });
    await later(60_000);
    expect(await accept(sale.open, key)).toMatchObject({
      ...{ dispute: { status: 'ACCEPTED' }, response: { status: 'SUCCEEDED' } },
    });
  });

  it('is shown with its dispute', async () => {
    const { open } = await opened();
    const { response } = await submit(open);

    const shown = await disputes.play.harness.ask<{ dispute: unknown }>(
      `query ($id: ID!) { dispute(id: $id) { responses { id status } } }`,
      { id: open },
    );

    expect(shown.dispute).toEqual({ responses: [{ id: response?.id, status: 'SUCCEEDED' }] });
  });
});

describe('a process that dies', () => {
  it.each(['disputes.claimed', 'disputes.answered'])(
    'at %s leaves the response to the responder',
    async (point) => {
      const sale = await opened();
      const restore = setFailpoint(point, () => Promise.reject(new Error('The process dies')));
      try {
        await expect(accept(sale.open)).rejects.toThrow();
      } finally {
        restore();
      }
      expect(await rows(sale.open)).toMatchObject([{ status: 'pending' }]);

      await later(1_000);
      expect(await rows(sale.open)).toMatchObject([{ status: 'pending', attempts: 1 }]);
      await later(60_000);

      expect(await rows(sale.open)).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
      expect(new Set(callsFor(sale.dispute).map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
      expect(await disputes.of(sale)).toMatchObject([{ status: 'ACCEPTED', lostAmount: 1000 }]);
      expect((await disputes.play.ledger(sale.id)).slice(-1)).toEqual(['dispute_loss 1000']);
      expect(
        (await disputes.play.ledger(sale.id)).filter((entry) => entry.startsWith('dispute')),
      ).toHaveLength(1);
    },
  );
});
