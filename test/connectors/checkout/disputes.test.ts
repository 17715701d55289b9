import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { respondToDispute, type DisputeCall } from '../../../src/connectors/calls/call-dispute.ts';
import { noticeWith } from '../kit/notices.ts';
import { LOG, startDesk } from './double-desk.ts';

const desk = await startDesk();
const { double, paid, told, connector, contextOf } = desk;
afterAll(() => desk.close());

async function disputed(facts = {}) {
  const { reference: payment } = await paid({ capture: true });
  told();
  return { payment, id: double.hands.dispute(payment, facts) };
}

const about = (id: string, dispute: object) => noticeWith({ dispute: { disputeReference: id, ...dispute } });

describe('a dispute', () => {
  it('is told with its payment, its capture and the time to respond', async () => {
    const { payment, id } = await disputed({ category: 'product_service_not_received', amount: 500 });
    const capture = double
      .books()
      .find((book) => book.id === payment)
      ?.actions.find(({ type }) => type === 'Capture');
    expect(told()).toEqual([
      noticeWith({
        ...{ key: null, reference: capture?.id, paymentReference: payment },
        dispute: {
          ...{ disputeReference: id, stage: 'chargeback', status: 'needs_response', reasonCode: '10.4' },
          ...{ reason: 'product_not_received', money: { amount: 500, currency: 'EUR' } },
          respondBy: new Date('2026-12-08T12:00:00Z'),
        },
      }),
    ]);
  });

  it.each([
    ['won', null, { stage: 'chargeback', status: 'won' }],
    ['canceled', null, { stage: 'chargeback', status: 'won' }],
    ['lost', null, { stage: 'chargeback', status: 'lost' }],
    ['expired', null, { stage: 'chargeback', status: 'lost' }],
    ['resolved', 'rapid_dispute_resolution', { stage: 'chargeback', status: 'lost' }],
    ['resolved', 'already_refunded', { stage: 'chargeback', status: 'closed' }],
    ['evidence_acknowledged_by_scheme', null, { stage: 'chargeback', status: 'under_review' }],
    ['arbitration_sent_to_scheme', null, { stage: 'pre_arbitration', status: 'under_review' }],
    ['arbitration_lost', null, { stage: 'pre_arbitration', status: 'lost' }],
    ['arbitration_won', null, { stage: 'pre_arbitration', status: 'won' }],
  ])('that is %s by %s is %j', async (status, reason, state) => {
    const { id } = await disputed();
    told();
    double.hands.decideDispute(id, status, reason);
    expect(told()).toEqual([about(id, { ...state, respondBy: null })]);
  });
});

const LONG = 'x'.repeat(501);
const file = (kind: 'shipping' | 'service' | 'other') =>
  ({ kind, name: `${kind}.pdf`, format: 'pdf', content: 'JVBERi0xLjcK' }) as const;

describe('a response', () => {
  const respond = (id: string, evidence: DisputeCall['evidence'], key = randomUUID()) =>
    respondToDispute(connector, contextOf(), LOG, {
      ...{ key, disputeReference: id, stage: 'chargeback', paymentReference: null, evidence },
    });

  it('with evidence is placed by its kinds, and under review then', async () => {
    const { id } = await disputed();
    told();
    const key = randomUUID();
    const texts = [
      { kind: 'shipping', text: 'Delivered.' },
      { kind: 'service', text: 'Used.' },
    ] as const;

    expect(await respond(id, { texts, files: [file('shipping'), file('service')] }, key)).toEqual({
      kind: 'done',
    });

    const stored = double.requests.find(({ method, path }) => method === 'PUT' && path.includes(id));
    expect(JSON.parse(stored?.body ?? '')).toEqual({
      proof_of_delivery_or_service_text: 'Delivered.\n\nUsed.',
      additional_evidence_text: `Response ${key}`,
      proof_of_delivery_or_service_file: expect.stringMatching(/^file_/),
      additional_evidence_file: expect.stringMatching(/^file_/),
    });
    expect(told()).toEqual([about(id, { status: 'under_review' })]);
    // A repeat finds the response, and another one is late.
    expect(await respond(id, { texts, files: [] }, key)).toEqual({ kind: 'done' });
    expect(await respond(id, { texts, files: [] })).toEqual({
      ...{ kind: 'refused', errorCode: 'dispute_is_evidence_under_review' },
    });
  });

  it('whose answer was lost is unknown if the read of the evidence has no text', async () => {
    const other = await startDesk({ showsEvidenceText: false });
    const { reference } = await other.paid({ capture: true });
    const call = {
      ...{ key: randomUUID(), disputeReference: other.double.hands.dispute(reference) },
      stage: 'chargeback',
      paymentReference: null,
      evidence: { texts: [{ kind: 'receipt', text: 'Paid.' }], files: [] },
    } as const;
    const once = () => respondToDispute(other.connector, other.contextOf(), LOG, call);
    other.double.failNext(['lose_answer'], /^POST .disputes.+evidence$/);
    expect(await once()).toMatchObject({ kind: 'unknown' });
    expect(await once()).toEqual({ kind: 'unknown', cause: 'unreadable' });
    await other.close();
  });

  it.each([
    ['text_too_long', { texts: [{ kind: 'receipt', text: LONG }], files: [] }],
    ['text_too_long', { texts: [{ kind: 'other', text: LONG.slice(40) }], files: [] }],
    ['too_many_files', { texts: [], files: [file('shipping'), file('service'), file('other')] }],
  ] as const)('that does not fit is refused with %s before any call', async (errorCode, evidence) => {
    const { id } = await disputed();
    const before = double.requests.length;
    expect(await respond(id, evidence)).toEqual({ kind: 'refused', errorCode });
    expect(double.requests.length).toBe(before);
  });

  it('that accepts gives the money up, once', async () => {
    const { id } = await disputed();
    told();
    expect([await respond(id, null), await respond(id, null)]).toEqual([{ kind: 'done' }, { kind: 'done' }]);
    expect(told()).toEqual([about(id, { status: 'accepted' })]);
  });

  it('about another stage is refused', async () => {
    const { id } = await disputed();
    double.hands.decideDispute(id, 'arbitration_under_review');
    expect(await respond(id, null)).toEqual({
      ...{ kind: 'refused', errorCode: 'dispute_is_arbitration_under_review' },
    });
  });
});
