import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { ReviewRequest } from '../../../src/connectors/anti-fraud/connector.ts';
import { forterAntiFraud } from '../../../src/connectors/forter/definition.ts';
import { forter } from '../../../src/connectors/forter/index.ts';
import { BARE_CHECK } from '../../support/check-request.ts';
import type { DoubleWebhook } from '../double-server.ts';
import { API_KEY, SITE_ID, startForter } from './double.ts';

const double = await startForter();
afterAll(() => double.close());

const { key: orderId } = BARE_CHECK;

const read = ({ headers, body }: DoubleWebhook, credentials: ReviewRequest['credentials'] = {}) =>
  forter.readWebhook({
    ...{ headers, rawBody: Buffer.from(body), definition: forterAntiFraud, environment: 'production' },
    credentials: { site_id: SITE_ID, api_key: API_KEY, ...credentials },
    now: new Date('2026-11-22T09:00:00Z'),
  });

/** A body that PHP writes in another way: slashes, an umlaut, and a letter outside of the basic plane. */
const WRITTEN = { orderId, action: 'approve', reasonCode: 'https://forter.com/Prüfung/😀' };

describe('a callback of Forter', () => {
  it.each(['raw', 'php'] as const)('is genuine with a signature over the %s body', (form) => {
    expect(read(double.callback(WRITTEN, form))).toEqual({
      ok: true,
      value: [
        {
          ...{ key: orderId, reference: null, decision: 'accept', interfaceVersion: 'callback' },
          ...{ comment: WRITTEN.reasonCode, occurredAt: null },
          eventKey: expect.stringMatching(/^sha256:[\w-]{43}$/),
        },
      ],
    });
  });

  it.each<[string, DoubleWebhook, ReviewRequest['credentials']]>([
    ['another site', double.callback(WRITTEN), { site_id: 'another-site' }],
    ['another key', double.callback(WRITTEN), { api_key: 'another key' }],
    ['no key', double.callback(WRITTEN), { api_key: '' }],
    ['a token that was not signed', withHeader('x-forter-token', 'another token'), {}],
    ['no token', withHeader('x-forter-token', ''), {}],
    ['a signature of another length', withHeader('x-forter-signature', 'abcd'), {}],
    ['a changed signature', withHeader('x-forter-signature', '0'.repeat(64)), {}],
  ])('is refused with %s', (_, webhook, credentials) => {
    expect(read(webhook, credentials)).toEqual({ ok: false, refusals: ['bad_signature'] });
  });

  it.each<[string, object]>([
    ['an order that is not ours', { orderId: 'shop-4711', action: 'approve' }],
    ['a review that goes on', { orderId, action: 'pending' }],
    ['no opinion', { orderId, action: 'not reviewed' }],
    ['another word', { orderId, action: 'ponder' }],
  ])('has no decision with %s', (_, body) => {
    expect(read(double.callback(body))).toEqual({ ok: true, value: [] });
  });

  it.each([
    [12, '12'],
    [{ code: 12 }, null],
    ['', null],
  ])('with the reason %j still declines', (reasonCode, comment) => {
    expect(read(double.callback({ orderId, action: 'decline', reasonCode }))).toMatchObject({
      ok: true,
      value: [{ key: orderId, decision: 'reject', comment }],
    });
  });

  it('is genuine with a signature over the text that PHP has written', () => {
    const php = String.raw`{"orderId":"${orderId}","action":"approve","reasonCode":"https:\/\/forter.com\/Pr\u00fcfung\/\ud83d\ude00"}`;
    const token = 'a token of the callback';
    const signature = createHash('sha256').update(`${API_KEY}${token}${SITE_ID}${php}`).digest('hex');
    const headers = { 'x-forter-siteid': SITE_ID, 'x-forter-token': token, 'x-forter-signature': signature };

    expect(read({ headers, body: JSON.stringify(WRITTEN) })).toMatchObject({
      ok: true,
      value: [{ decision: 'accept', comment: WRITTEN.reasonCode }],
    });
  });

  it('is unreadable in another form', () => {
    expect(read(double.callback({ order: orderId }))).toEqual({ ok: false, refusals: ['unreadable'] });
  });
});

function withHeader(name: string, value: string): DoubleWebhook {
  const { headers, body } = double.callback(WRITTEN);
  return { headers: { ...headers, [name]: value }, body };
}
