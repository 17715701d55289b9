import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { PaygraphError, verifyWebhook, type WebhookRequest } from '../../src/client/index.ts';
import { secretText, signatureHeader, signingKey } from '../../src/modules/events/endpoints/sign.ts';

const NOW = new Date();
const [OLD, LIVE, STRANGE] = [1, 2, 3].map((fill) => secretText(Buffer.alloc(32, fill))) as [
  string,
  string,
  string,
];
const EVENT = { sequence: 7, type: 'event', id: '0199-a', name: 'transaction.captured', text: 'ünï 😀' };
const BODY = JSON.stringify(EVENT);
const secondsFromNow = (seconds: number): number => Math.floor(NOW.getTime() / 1_000) + seconds;

function signed(
  secrets: readonly string[],
  timestamp = secondsFromNow(0),
  body = BODY,
): Record<string, string> {
  return {
    'webhook-id': EVENT.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader({ id: EVENT.id, timestamp, body }, secrets.map(signingKey)),
  };
}

const verdictOf = (request: Partial<WebhookRequest>): unknown => {
  try {
    return verifyWebhook({ headers: signed([LIVE]), body: BODY, secrets: [LIVE], now: NOW, ...request });
  } catch (error) {
    return error instanceof PaygraphError ? error.code : error;
  }
};

describe('verifyWebhook', () => {
  it('returns the event, from text and bytes, in any spelling of the headers', () => {
    const headers = signed([LIVE]);
    const capitals = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

    for (const each of [headers, capitals, lists, new Headers(headers)]) {
      expect(verdictOf({ headers: each })).toEqual(EVENT);
    }
    expect(verdictOf({ body: Buffer.from(BODY) })).toEqual(EVENT);
    expect(verdictOf({ body: new TextEncoder().encode(BODY) })).toEqual(EVENT);
  });

  it('accepts any of several secrets and any of several signatures', () => {
    expect(verdictOf({ headers: signed([OLD, LIVE]) })).toEqual(EVENT);
    expect(verdictOf({ headers: signed([OLD]), secrets: [LIVE, OLD] })).toEqual(EVENT);
    expect(verdictOf({ headers: signed([STRANGE, OLD]), secrets: [LIVE, OLD] })).toEqual(EVENT);
    expect(verdictOf({ secrets: [LIVE.slice('whsec_'.length)] })).toEqual(EVENT);
  });

  it('accepts 300 seconds either way, or the given tolerance', () => {
    for (const seconds of [-300, 300]) {
      expect(verdictOf({ headers: signed([LIVE], secondsFromNow(seconds)) })).toEqual(EVENT);
    }
    for (const seconds of [-301, 301]) {
      const headers = signed([LIVE], secondsFromNow(seconds));
      expect(verdictOf({ headers })).toBe('WEBHOOK_TIMESTAMP');
      expect(verdictOf({ headers, toleranceSeconds: 301 })).toEqual(EVENT);
    }
  });

  it.each<[string, Partial<WebhookRequest>, string]>([
    ['another secret', { secrets: [STRANGE] }, 'WEBHOOK_SIGNATURE'],
    ['another body', { body: `${BODY} ` }, 'WEBHOOK_SIGNATURE'],
    ['another id', { headers: { ...signed([LIVE]), 'webhook-id': 'other' } }, 'WEBHOOK_SIGNATURE'],
    [
      'another time',
      { headers: { ...signed([LIVE]), 'webhook-timestamp': String(secondsFromNow(1)) } },
      'WEBHOOK_SIGNATURE',
    ],
    [
      'a signature of another version',
      {
        headers: {
          ...signed([LIVE]),
          'webhook-signature': signed([LIVE])['webhook-signature']?.replace('v1', 'v1a'),
        },
      },
      'WEBHOOK_SIGNATURE',
    ],
    ['no signature', { headers: { ...signed([LIVE]), 'webhook-signature': 'v1,' } }, 'WEBHOOK_SIGNATURE'],
    [
      'a cut signature',
      {
        headers: {
          ...signed([LIVE]),
          'webhook-signature': signed([LIVE])['webhook-signature']?.slice(0, -1),
        },
      },
      'WEBHOOK_SIGNATURE',
    ],
    ['no header', { headers: {} }, 'WEBHOOK_HEADERS'],
    ['a missing header', { headers: { ...signed([LIVE]), 'webhook-id': undefined } }, 'WEBHOOK_HEADERS'],
    ['a header twice', { headers: { ...signed([LIVE]), 'webhook-id': ['a', 'b'] } }, 'WEBHOOK_HEADERS'],
    [
      'a time that is none',
      { headers: { ...signed([LIVE]), 'webhook-timestamp': '12 ' } },
      'WEBHOOK_TIMESTAMP',
    ],
    ['no secret', { secrets: [] }, 'WEBHOOK_SECRET'],
    ['an empty secret', { secrets: ['whsec_'] }, 'WEBHOOK_SECRET'],
    ['a secret that is no base64', { secrets: ['whsec_nonsense!'] }, 'WEBHOOK_SECRET'],
    ['a parsed body', { body: EVENT as unknown as string }, 'WEBHOOK_BODY'],
    ['a signed body that is no JSON', { headers: signed([LIVE], undefined, 'x'), body: 'x' }, 'WEBHOOK_BODY'],
  ])('refuses %s', (_, request, code) => {
    expect(verdictOf(request)).toBe(code);
  });

  it('agrees with standardwebhooks and svix', () => {
    const signature = signed([LIVE])['webhook-signature'] ?? '';
    const requests = [
      { body: BODY, headers: signed([LIVE]) },
      { body: BODY, headers: signed([OLD, LIVE]) },
      { body: BODY, headers: signed([OLD]) },
      { body: `${BODY}\n`, headers: signed([LIVE]) },
      { body: BODY, headers: signed([LIVE], secondsFromNow(-299)) },
      { body: BODY, headers: signed([LIVE], secondsFromNow(-320)) },
      { body: BODY, headers: signed([LIVE], secondsFromNow(320)) },
      { body: BODY, headers: { ...signed([LIVE]), 'webhook-signature': `v0,x ${signature} v1a,y` } },
      { body: BODY, headers: { ...signed([LIVE]), 'webhook-signature': signature.replace(',', '') } },
      { body: BODY, headers: { ...signed([LIVE]), 'webhook-signature': `${signature}=` } },
      { body: BODY, headers: { ...signed([LIVE]), 'webhook-id': '' } },
      { body: BODY, headers: { ...signed([LIVE]), 'webhook-timestamp': 'soon' } },
    ];
    const passes = (verify: () => unknown): boolean => {
      try {
        verify();
        return true;
      } catch {
        return false;
      }
    };

    const verdicts = requests.map(({ body, headers }) => ({
      ours: passes(() => verifyWebhook({ headers, body, secrets: [LIVE] })),
      standard: passes(() => new Standard(LIVE).verify(body, headers)),
      svix: passes(() => new Svix(LIVE).verify(body, headers)),
    }));

    const right = [true, true, false, false, true, false, false, true, false, false, false, false];
    expect(verdicts).toEqual(right.map((each) => ({ ours: each, standard: each, svix: each })));
  });

  it('verifies their signatures', () => {
    const timestamp = secondsFromNow(0);
    const by = (signature: string) => ({ ...signed([LIVE]), 'webhook-signature': signature });

    for (const Oracle of [Standard, Svix]) {
      expect(
        verdictOf({ headers: by(new Oracle(LIVE).sign(EVENT.id, new Date(timestamp * 1_000), BODY)) }),
      ).toEqual(EVENT);
    }
    const bare = createHmac('sha256', Buffer.alloc(32, 2))
      .update(`${EVENT.id}.${timestamp}.${BODY}`)
      .digest('base64');
    expect(verdictOf({ headers: by(`v1,${bare}`) })).toEqual(EVENT);
  });
});
