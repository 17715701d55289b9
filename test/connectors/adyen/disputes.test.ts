import { describe, expect, it } from '@jest/globals';
import { bodyOf, CREDENTIALS, itemOf, KEY } from './samples.ts';
import { openScripted } from './scripted-server.ts';
import { adyenDefinitions } from '../../../src/connectors/adyen/definitions.ts';
import { adyenWebhooks } from '../../../src/connectors/adyen/webhooks/webhook.ts';
import { readNotices } from '../read-notices.ts';
import type { DisputeAnswer, Evidence } from '../../../src/connectors/interface/dispute-responses.ts';

const DISPUTE = 'QFQTPCQ8HXSKGK82';
const PAYMENT = '9913140798220028';

const server = await openScripted();

function noticesOf(item: Parameters<typeof itemOf>[0]) {
  const [definition] = adyenDefinitions;
  if (!definition) throw new Error('No definition');
  const read = readNotices(adyenWebhooks, {
    ...{ headers: {}, rawBody: bodyOf([itemOf(item)]), credentials: CREDENTIALS, definition },
    ...{ environment: 'sandbox', now: new Date() },
  });
  if (!read.ok) throw new Error(read.refusals[0]);
  return read.value;
}

describe('an event of a dispute', () => {
  it('names the dispute, the payment, the capture and the time to respond', () => {
    const additionalData = {
      ...{ chargebackReasonCode: ' 4853', chargebackSchemeCode: 'mc' },
      capturePspReference: '8636172945333378',
      ...{ defendable: 'true', defensePeriodEndsAt: '2026-12-31T03:03:07+01:00' },
      disputeStatus: 'Undefended',
    };
    expect(
      noticesOf({ eventCode: 'NOTIFICATION_OF_CHARGEBACK', originalReference: PAYMENT, additionalData }),
    ).toEqual([
      {
        eventKey: `NOTIFICATION_OF_CHARGEBACK:${DISPUTE}:true:Undefended`,
        occurredAt: new Date('2026-11-21T11:00:00Z'),
        ...{ key: KEY, reference: '8636172945333378', paymentReference: PAYMENT },
        dispute: {
          ...{ disputeReference: DISPUTE, stage: 'chargeback', status: 'needs_response' },
          ...{ reason: 'product_unacceptable', reasonCode: '4853', money: { amount: 1299, currency: 'EUR' } },
          respondBy: new Date('2026-12-31T02:03:07Z'),
        },
      },
    ]);
  });

  it.each([
    ['NOTIFICATION_OF_FRAUD', {}, 'inquiry', 'closed'],
    ['REQUEST_FOR_INFORMATION', {}, 'inquiry', 'needs_response'],
    ['REQUEST_FOR_INFORMATION', { disputeStatus: 'Responded' }, 'inquiry', 'under_review'],
    ['REQUEST_FOR_INFORMATION', { disputeStatus: 'Expired' }, 'inquiry', 'expired'],
    ['NOTIFICATION_OF_CHARGEBACK', { defendable: 'false' }, 'chargeback', 'under_review'],
    ['CHARGEBACK', { defendable: 'true' }, 'chargeback', 'needs_response'],
    ['CHARGEBACK', { defendable: 'false' }, 'chargeback', 'lost'],
    ['CHARGEBACK', { defendable: 'false', autoDefended: 'true' }, 'chargeback', 'under_review'],
    ['CHARGEBACK', { disputeStatus: 'Lost' }, 'chargeback', 'lost'],
    ['CHARGEBACK', { disputeStatus: 'Accepted' }, 'chargeback', 'accepted'],
    ['CHARGEBACK', { disputeStatus: 'A new word' }, 'chargeback', 'needs_response'],
    [
      'INFORMATION_SUPPLIED',
      { chargebackReasonCode: '13.3', disputeStatus: 'Pending' },
      'chargeback',
      'under_review',
    ],
    ['INFORMATION_SUPPLIED', {}, 'inquiry', 'under_review'],
    [
      'DISPUTE_DEFENSE_PERIOD_ENDED',
      { chargebackReasonCode: '10.4', disputeStatus: 'Lost' },
      'chargeback',
      'lost',
    ],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', { chargebackReasonCode: '10.4' }, 'chargeback', 'expired'],
    ['CHARGEBACK_REVERSED', { disputeStatus: 'Pending' }, 'chargeback', 'won'],
    ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', { disputeStatus: 'Won' }, 'chargeback', 'won'],
    ['SECOND_CHARGEBACK', {}, 'pre_arbitration', 'lost'],
    ['PREARBITRATION_OPEN', {}, 'pre_arbitration', 'needs_response'],
    ['PREARBITRATION_ACCEPTED', {}, 'pre_arbitration', 'accepted'],
    ['PREARBITRATION_DECLINED', {}, 'pre_arbitration', 'under_review'],
    ['PREARBITRATION_ISSUER_WITHDRAWN', {}, 'pre_arbitration', 'won'],
    ['PREARBITRATION_WON', {}, 'pre_arbitration', 'won'],
    ['PREARBITRATION_LOST', {}, 'pre_arbitration', 'lost'],
    ['SCHEME_ARBITRATION', {}, 'pre_arbitration', 'under_review'],
    ['SCHEME_ARBITRATION_WON', {}, 'pre_arbitration', 'won'],
    ['SCHEME_ARBITRATION_LOST', {}, 'pre_arbitration', 'lost'],
  ])('%s with %j is %s, %s', (eventCode, additionalData, stage, status) => {
    expect(noticesOf({ eventCode, additionalData, originalReference: PAYMENT })).toMatchObject([
      { key: KEY, paymentReference: PAYMENT, dispute: { stage, status } },
    ]);
  });

  it.each([
    ['10.4', 'fraudulent'],
    ['4837', 'fraudulent'],
    ['13.1', 'product_not_received'],
    ['13.2', 'subscription_canceled'],
    ['12.6.1', 'duplicate'],
    ['4831', 'incorrect_amount'],
    ['C02', 'credit_not_processed'],
    ['502', 'general'],
  ])('with the reason %s is %s', (chargebackReasonCode, reason) => {
    expect(noticesOf({ eventCode: 'CHARGEBACK', additionalData: { chargebackReasonCode } })).toMatchObject([
      { dispute: { reason, reasonCode: chargebackReasonCode } },
    ]);
  });

  it('names the disputed payment by Adyen’s id, if another system made it', () => {
    expect(
      noticesOf({ eventCode: 'CHARGEBACK', merchantReference: 'order', originalReference: PAYMENT }),
    ).toMatchObject([{ key: null, paymentReference: PAYMENT }]);
    expect(noticesOf({ eventCode: 'CHARGEBACK', merchantReference: 'order' })).toEqual([]);
  });
});

describe('a response to a dispute', () => {
  const REQUEST = {
    key: KEY,
    disputeReference: DISPUTE,
    stage: 'chargeback',
    paymentReference: PAYMENT,
  } as const;
  const NAMED = { merchantAccountCode: 'PaygraphTest', disputePspReference: DISPUTE };
  const DONE = { body: { disputeServiceResult: { success: true } } };

  const submit = (evidence: Partial<Evidence>): Promise<DisputeAnswer> => {
    const submitEvidence = server.connector.disputes?.submitEvidence;
    if (!submitEvidence) throw new Error('No evidence');
    return submitEvidence(server.context(), { ...REQUEST, evidence: { texts: [], files: [], ...evidence } });
  };
  const accept = (): Promise<DisputeAnswer> => {
    const verb = server.connector.disputes?.accept;
    if (!verb) throw new Error('No acceptance');
    return verb(server.context(), REQUEST);
  };
  const reasonsOf = (...reasons: readonly (readonly [string, readonly (readonly [string, string])[]])[]) => ({
    body: {
      disputeServiceResult: { success: true },
      defenseReasons: reasons.map(([defenseReasonCode, types]) => ({
        ...{ defenseReasonCode, satisfied: false },
        defenseDocumentTypes: types.map(([defenseDocumentTypeCode, requirementLevel]) => ({
          ...{ defenseDocumentTypeCode, requirementLevel, available: false },
        })),
      })),
    },
  });
  const ANY = ['SupplyDefenseMaterial', [['DefenseMaterial', 'Required']]] as const;
  const GOODS = [
    'GoodsNotReturned',
    [
      ['Invoice', 'Optional'],
      ['GoodsNotReturned', 'Required'],
    ],
  ] as const;
  const PDF = { kind: 'receipt', name: 'r.pdf', format: 'pdf', content: 'JVBERi0=' } as const;
  const JPEG = { kind: 'shipping', name: 's.jpg', format: 'jpeg', content: '/9j/' } as const;

  it('accepts the dispute', async () => {
    server.answer(DONE);
    expect(await accept()).toEqual({ kind: 'done' });
    expect(server.received).toMatchObject([
      { path: '/disputes/acceptDispute', key: `${KEY}:accept`, body: NAMED },
    ]);
  });

  it('supplies a document, and defends with the reason that fits any', async () => {
    server.answer(reasonsOf(GOODS, ANY), DONE, DONE);
    expect(await submit({ files: [PDF] })).toEqual({ kind: 'done' });
    expect(server.received.map(({ path, key, body }) => [path, key, body])).toEqual([
      ['/disputes/retrieveApplicableDefenseReasons', `${KEY}:reasons`, NAMED],
      [
        ...['/disputes/supplyDefenseDocument', `${KEY}:documents`],
        {
          ...NAMED,
          defenseDocuments: [
            {
              content: PDF.content,
              contentType: 'application/pdf',
              defenseDocumentTypeCode: 'DefenseMaterial',
            },
          ],
        },
      ],
      ['/disputes/defendDispute', `${KEY}:defend`, { ...NAMED, defenseReasonCode: 'SupplyDefenseMaterial' }],
    ]);
  });

  it('gives the first document to the required type of a reason that takes all', async () => {
    server.answer(reasonsOf(ANY, GOODS), DONE, DONE);
    expect(await submit({ files: [PDF, JPEG] })).toEqual({ kind: 'done' });
    expect(server.received[1]?.body).toMatchObject({
      defenseDocuments: [
        { defenseDocumentTypeCode: 'GoodsNotReturned', contentType: 'application/pdf' },
        { defenseDocumentTypeCode: 'Invoice', contentType: 'image/jpeg' },
      ],
    });
    expect(server.received[2]?.body).toMatchObject({ defenseReasonCode: 'GoodsNotReturned' });
  });

  it('writes texts into one PDF, the same each time', async () => {
    const texts = [
      { kind: 'refund_policy', text: `No refunds (really) at “Café” \\ ${'long words '.repeat(400)}` },
      { kind: 'other', text: 'Second' },
    ] as const;
    server.answer(reasonsOf(ANY), DONE, DONE);
    expect(await submit({ texts })).toEqual({ kind: 'done' });
    const contentOf = () =>
      (server.received[1]?.body as { defenseDocuments: { content: string }[] }).defenseDocuments[0]
        ?.content ?? '';
    const pdf = Buffer.from(contentOf(), 'base64').toString('latin1');
    expect(pdf).toMatch(/^%PDF-1\.4\n/);
    expect(pdf).toContain('(REFUND POLICY) Tj');
    expect(pdf).toContain('No refunds \\(really\\) at \x93Caf\xe9\x94 \\\\ long');
    expect(pdf).toContain('/Count 2');
    const table = /startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1] ?? '';
    expect(pdf.slice(Number(table))).toMatch(/^xref\n/);
    const first = contentOf();
    server.answer(reasonsOf(ANY), DONE, DONE);
    await submit({ texts });
    expect(contentOf()).toBe(first);
  });

  it.each([
    ['no_evidence', {}],
    ['unsupported_file_format', { files: [{ ...PDF, format: 'png' }] }],
    ['unsupported_characters', { texts: [{ kind: 'other', text: '日本' }] }],
    [
      'file_too_large',
      { files: [{ ...PDF, content: Buffer.alloc(2 * 1024 * 1024 + 1).toString('base64') }] },
    ],
  ] as const)('is refused with %s, without a call', async (errorCode, evidence) => {
    server.answer(DONE);
    expect(await submit(evidence)).toEqual({ kind: 'refused', errorCode });
    expect(server.received).toEqual([]);
  });

  it('is refused when no reason takes the documents', async () => {
    server.answer(reasonsOf(ANY));
    expect(await submit({ files: [PDF, JPEG] })).toEqual({ kind: 'refused', errorCode: 'no_defense_reason' });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    [
      { body: { disputeServiceResult: { success: false, errorMessage: 'Period ended' } } },
      { kind: 'refused', errorCode: 'Period ended' },
    ],
    [
      { status: 422, body: { errorCode: '1', message: 'Unknown dispute' } },
      { kind: 'refused', errorCode: 'Unknown dispute' },
    ],
    [
      { status: 500, body: { message: 'x' } },
      { kind: 'unknown', cause: 'server_error' },
    ],
    [
      { status: 404, body: {} },
      { kind: 'unknown', cause: 'unreadable' },
    ],
    [{ body: 'nonsense' }, { kind: 'unknown', cause: 'unreadable' }],
    [null, { kind: 'unknown', cause: 'connection' }],
  ])('answered by %j is %j', async (scripted, answer) => {
    server.answer(scripted);
    expect(await accept()).toEqual(answer);
    server.answer(reasonsOf(ANY), scripted);
    expect(await submit({ files: [PDF] })).toEqual(answer);
  });
});
