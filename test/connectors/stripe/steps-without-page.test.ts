import { describe, expect, it } from '@jest/globals';
import { paymentIntent } from '../../../src/connectors/stripe/api/answers.ts';
import { authorizationOutcome, isTrap } from '../../../src/connectors/stripe/payments/intent-outcome.ts';

const waitingFor = (type: string, details: object) =>
  paymentIntent.parse({
    ...{ object: 'payment_intent', id: 'pi_1', status: 'requires_action', amount: 1099, currency: 'brl' },
    next_action: { type, [type]: details },
  });

const IMAGES = { image_url_png: 'https://qr.stripe.com/1.png', image_url_svg: 'https://qr.stripe.com/1.svg' };

describe('a step without a page of Stripe', () => {
  it.each([
    ['pix_display_qr_code', { data: '000201', ...IMAGES }, { qrCode: '000201' }],
    ['paynow_display_qr_code', { data: '000202', hosted_instructions_url: null }, { qrCode: '000202' }],
    ['wechat_pay_display_qr_code', { data: 'weixin://pay/1' }, { qrCode: 'weixin://pay/1' }],
    ['boleto_display_details', { number: '2379', hosted_voucher_url: null }, { paymentReference: '2379' }],
    [
      'multibanco_display_details',
      { entity: '12345', reference: '999999999', hosted_voucher_url: null },
      { paymentReference: '12345 999999999' },
    ],
    ['oxxo_display_details', { number: '1234', hosted_voucher_url: null }, { paymentReference: '1234' }],
  ])('is shown to the buyer, and not ended: %s', (type, details, step) => {
    const intent = waitingFor(type, details);

    expect(isTrap(intent)).toBe(false);
    const { kind, ...outcome } = authorizationOutcome(intent);
    expect([kind, outcome]).toEqual(['accepted', expect.objectContaining(step)]);
    expect(outcome).not.toHaveProperty('approvalUrl');
  });

  it.each([
    ['pix_display_qr_code', IMAGES],
    ['pix_display_qr_code', { data: '' }],
    ['konbini_display_details', { stores: {}, hosted_voucher_url: null }],
    ['display_bank_transfer_instructions', { reference: 'AB12', type: 'mx_bank_transfer' }],
    ['use_stripe_sdk', { data: '000201' }],
  ])('is ended if no buyer can take the step: %s', (type, details) => {
    const intent = waitingFor(type, details);

    expect(isTrap(intent)).toBe(true);
    expect(authorizationOutcome(intent)).toMatchObject({ kind: 'unknown' });
  });
});

describe('the end of a step', () => {
  it.each([
    ['pix_display_qr_code', { data: '000201', expires_at: 1_796_000_000 }, '2026-11-30T00:53:20.000Z'],
    ['oxxo_display_details', { number: '1234', expires_at: 1_796_000_000 }, '2026-11-30T00:53:20.000Z'],
    ['boleto_display_details', { number: '1234', expires_at: null }, undefined],
    ['paynow_display_qr_code', { data: '000202' }, undefined],
  ])('is the moment that Stripe names: %s', (type, details, moment) => {
    for (const page of [{}, { hosted_voucher_url: 'https://payments.stripe.com/1' }]) {
      const outcome = authorizationOutcome(waitingFor(type, { ...details, ...page }));
      const { expiresAt } = { expiresAt: undefined, ...outcome } as { readonly expiresAt?: Date };
      expect(expiresAt?.toISOString()).toBe(moment);
    }
  });
});
