import { describe, expect, it } from '@jest/globals';
import { CARD, openDouble, payment } from './double-client.ts';
import { resultOf, type Action } from './native-steps.ts';

const BOTH = { ...CARD, number: '4212345678901237' };
const FINGERPRINT_ALONE = { ...CARD, number: '5201281505129736' };
const CHALLENGE_ALONE = { ...CARD, number: '4917610000000000' };

const BROWSER = {
  ...{ userAgent: 'Test', acceptHeader: '*/*', language: 'en-US', javaEnabled: false },
  ...{ colorDepth: 24, screenHeight: 800, screenWidth: 1200, timeZoneOffset: 0 },
};
const IN_PAGE = { origin: 'https://shop.example', channel: 'Web', browserInfo: BROWSER };

function begin(paymentMethod: object, changes: object = IN_PAGE) {
  const opened = openDouble();
  const authenticationData = { threeDSRequestData: { nativeThreeDS: 'preferred' } };
  const pay = () =>
    opened.post('/payments', payment('order-1', { paymentMethod, authenticationData, ...changes }));
  const bring = (body: object, key?: string) => opened.post('/payments/details', body, key);
  const status = () => {
    const { status: at, authorised } = opened.double.book('order-1');
    return [at, authorised];
  };
  return { ...opened, pay, bring, status };
}

const actionOf = ({ body }: { readonly body: object }): Action =>
  (body as { readonly action: Action }).action;

describe('a native authentication', () => {
  it('asks for the fingerprint and for the challenge, and authorises after both', () => {
    const { pay, bring, status, events, double } = begin(BOTH);
    const first = pay();
    expect(first.body).toMatchObject({
      resultCode: 'IdentifyShopper',
      action: { type: 'threeDS2', subtype: 'fingerprint' },
    });
    const second = bring(resultOf(actionOf(first)));
    expect(second.body).toMatchObject({
      ...{ resultCode: 'ChallengeShopper', merchantReference: 'order-1' },
      action: { subtype: 'challenge' },
    });
    expect(status()).toEqual(['waiting', 0]);
    expect(bring(resultOf(actionOf(second))).body).toMatchObject({ resultCode: 'Authorised' });
    expect(status()).toEqual(['authorised', 1299]);
    expect(events(double.webhooks())).toEqual([['AUTHORISATION', 'true', 'order-1']]);
  });

  it('needs one step alone for some cards', () => {
    const frictionless = begin(FINGERPRINT_ALONE);
    expect(frictionless.bring(resultOf(actionOf(frictionless.pay()), false)).body).toMatchObject({
      resultCode: 'Authorised',
    });
    const challenged = begin(CHALLENGE_ALONE);
    const asked = challenged.pay();
    expect(asked.body).toMatchObject({ resultCode: 'ChallengeShopper' });
    expect(challenged.bring(resultOf(actionOf(asked), false)).body).toMatchObject({
      ...{ resultCode: 'Refused', refusalReasonCode: '11' },
    });
    expect(challenged.status()).toEqual(['refused', 0]);
  });

  it('takes each result once, and the same again under the same key', () => {
    const { pay, bring } = begin(BOTH);
    const result = resultOf(actionOf(pay()));
    const [one, same] = [bring(result, 'key-1'), bring(result, 'key-1')];
    expect(same.body).toEqual(one.body);
    expect(bring(result, 'key-2')).toMatchObject({ status: 422, body: { errorCode: '702' } });
  });

  it('refuses wrong results, and goes on waiting', () => {
    const { pay, bring, status } = begin(BOTH);
    const action = actionOf(pay());
    const wrong = [
      { details: { threeDSResult: 'nonsense' } },
      resultOf({ ...action, subtype: 'challenge' }),
      resultOf({ ...action, authorisationToken: 'Ab02b4c0!OTHER' }),
      { details: { 'threeds2.fingerprint': 'eyJ0aHJlZURTQ29tcEluZCI6IlkifQ==' } },
      { details: {} },
    ];
    expect(wrong.map((each) => bring(each).status)).toEqual([422, 422, 422, 422, 422]);
    expect(status()).toEqual(['waiting', 0]);
    const older = { 'threeds2.fingerprint': 'eyJ0aHJlZURTQ29tcEluZCI6IlkifQ==' };
    expect(bring({ details: older, paymentData: action.paymentData }).body).toMatchObject({
      resultCode: 'ChallengeShopper',
    });
  });

  it('in a page needs the browser and the origin, and in an app neither', () => {
    const { origin, channel } = IN_PAGE;
    expect(begin(BOTH, { channel, browserInfo: BROWSER }).pay().status).toBe(422);
    expect(begin(BOTH, { origin, channel }).pay().status).toBe(422);
    expect(begin(BOTH, { channel: 'iOS' }).pay().body).toMatchObject({ resultCode: 'IdentifyShopper' });
  });

  it('is asked for anyway when a test says so, and ends by a cancel', () => {
    const { double, post, bring, status, events } = begin(BOTH);
    double.askAnyway();
    const asked = post('/payments', payment('order-1', { paymentMethod: BOTH }));
    expect(asked.body).toMatchObject({ resultCode: 'IdentifyShopper' });
    post('/cancels', { merchantAccount: 'TestMerchant', paymentReference: 'order-1' });
    expect(events(double.webhooks())).toEqual([['TECHNICAL_CANCEL', 'true', 'order-1']]);
    expect(bring(resultOf(actionOf(asked))).body).toMatchObject({ resultCode: 'Cancelled' });
    expect(status()).toEqual(['cancelled', 0]);
  });
});
