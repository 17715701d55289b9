import { describe, expect, it } from '@jest/globals';
import { CARD, KEY, paymentOf } from './samples.ts';
import { openScripted, type Scripted } from './scripted-server.ts';

const MONEY = { amount: 1299, currency: 'EUR' };
const PAGE = { redirectResult: 'X6XtfGC3!Y' };
const CLIENT = { threeDSResult: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ==' };
const ACTION = { type: 'threeDS2', subtype: 'challenge', token: 'eyJhIjoxfQ==', authorisationToken: 'Ab02' };
const CHALLENGE = { body: { resultCode: 'ChallengeShopper', action: ACTION } };
const REDIRECT = {
  body: {
    resultCode: 'RedirectShopper',
    action: { type: 'redirect', method: 'GET', url: 'https://a.example/3ds' },
  },
};
const AUTHORISED = { body: { resultCode: 'Authorised', pspReference: 'A1', merchantReference: KEY } };
const RECEIVED = { status: 201, body: { status: 'received', pspReference: 'C1' } };
const REFUSED = {
  status: 422,
  body: { status: 422, errorCode: '702', message: 'Invalid payload provided', errorType: 'validation' },
};
const WAITS = { kind: 'accepted', reference: KEY, approvalUrl: expect.stringMatching(/^http/) };

const server = await openScripted();

async function resume(returned: Readonly<Record<string, string>>, ...answers: readonly Scripted[]) {
  server.answer(...answers);
  const request = { key: KEY, reference: KEY, money: MONEY, capture: false, returned };
  return server.connector.resume?.(server.context(), request);
}

const pathsOf = () => server.received.map(({ path }) => path.replace('/v71', ''));

describe('a result of the buyer', () => {
  it.each([
    ['a page', PAGE],
    ['a client', CLIENT],
  ])('of %s that Adyen refuses leaves the payment waiting', async (_, returned) => {
    expect(await resume(returned, REFUSED)).toMatchObject(WAITS);
    expect(pathsOf()).toEqual(['/payments/details']);
  });

  it.each(['Authorised', 'Refused', 'ChallengeShopper'])(
    'of another payment (%s) decides nothing',
    async (resultCode) => {
      const other = { resultCode, pspReference: 'B1', merchantReference: 'B2', action: ACTION };
      expect(await resume(PAGE, { body: other })).toMatchObject(WAITS);
      expect(await resume(CLIENT, { body: other })).toMatchObject(WAITS);
      expect(server.received).toHaveLength(1);
    },
  );

  it('without the name of its payment decides nothing either', async () => {
    const unnamed = { resultCode: 'Authorised', pspReference: 'A1' };
    expect(await resume(PAGE, { body: unnamed })).toEqual({ kind: 'unknown', cause: 'unreadable' });
    const upper = { ...unnamed, merchantReference: KEY.toUpperCase() };
    expect(await resume(PAGE, { body: upper })).toMatchObject({ kind: 'succeeded' });
  });

  it('of a client goes to Adyen with the data of the payment only where Adyen needs them', async () => {
    const sentFor = async (returned: Readonly<Record<string, string>>) => {
      await resume(returned, AUTHORISED);
      return server.received[0]?.body;
    };
    expect(await sentFor({ ...CLIENT, paymentData: 'Ab02', other: 'x' })).toEqual({ details: CLIENT });
    const older = { 'threeds2.fingerprint': 'eyJ9' };
    expect(await sentFor({ ...older, paymentData: 'Ab02' })).toEqual({ details: older, paymentData: 'Ab02' });
    expect(await sentFor({ ...older })).toEqual({ details: older });
  });

  it('of a client has one key for each result, within the limit of Adyen', async () => {
    const keyOf = async (threeDSResult: string) => {
      await resume({ threeDSResult }, AUTHORISED);
      return server.received[0]?.key ?? '';
    };
    const [first, again, second] = [await keyOf('a'), await keyOf('a'), await keyOf('b')];
    expect(first.length).toBeLessThanOrEqual(64);
    expect([again === first, second === first]).toEqual([true, false]);
  });

  it('of a client may be followed by the next step, with the action unchanged', async () => {
    const outcome = await resume(CLIENT, CHALLENGE);
    expect(outcome).toMatchObject({ kind: 'accepted', reference: KEY, session: true });
    expect(JSON.parse((outcome as { readonly clientAction: string }).clientAction)).toEqual(ACTION);
  });

  it.each([
    ['a client at a page', CLIENT, REDIRECT, 'RedirectShopper'],
    ['a page in a client', PAGE, CHALLENGE, 'ChallengeShopper'],
    ['a client without an action', CLIENT, { body: { resultCode: 'ChallengeShopper' } }, 'ChallengeShopper'],
  ])('cannot be followed from %s, so the payment ends', async (_, returned, answer, rawResponseCode) => {
    expect(await resume(returned, answer, RECEIVED)).toMatchObject({
      ...{ kind: 'failed', errorCode: 'requires_buyer_authentication', rawResponseCode },
    });
    expect(server.received.at(-1)).toMatchObject({
      ...{ path: '/v71/cancels', key: `${KEY}:leave` },
      body: { paymentReference: KEY, reference: `${KEY}_leave` },
    });
  });
});

describe('a step that the client cannot take', () => {
  const authorize = (...answers: readonly Scripted[]) => {
    server.answer(...answers);
    return server.connector.authorize(server.context(), paymentOf({ card: CARD }));
  };

  it.each([
    ['is received', RECEIVED],
    ['is refused', REFUSED],
  ])('ends the payment, whether its cancel %s', async (_, cancelled) => {
    expect(await authorize(CHALLENGE, cancelled)).toMatchObject({
      ...{ kind: 'failed', errorCode: 'requires_buyer_authentication' },
      rawResponseDescription: expect.stringContaining('nativeThreeDSecure'),
    });
    expect(pathsOf()).toEqual(['/payments', '/cancels']);
  });

  it.each([
    ['no answer', null, 'connection'],
    ['an error', { status: 500, body: {} }, 'server_error'],
    ['a refused key', { status: 401, body: { status: 401 } }, 'server_error'],
  ] as const)('is unknown while its cancel gets %s', async (_, answer, cause) => {
    expect(await authorize(CHALLENGE, answer)).toEqual({ kind: 'unknown', cause });
  });
});
