import type Stripe from 'stripe';
import { METHOD_KINDS } from './method-kinds.ts';

type Away = { readonly url: string; readonly returnUrl: string | null; readonly expiresAt: number };

/** The details of the step of a voucher. Konbini has references for each shop. */
const VOUCHERS: Readonly<Record<string, object>> = {
  boleto: { number: '23790000000000000', pdf: null },
  konbini: { stores: { lawson: { confirmation_number: '400008', payment_code: '123456' } } },
  multibanco: { entity: '12345', reference: '999999999' },
  oxxo: { number: '12345678901234' },
};

/** Wallets whose page shows a code to a buyer at another device. */
const BY_APP = new Set(['cashapp', 'swish']);

/** Returns the step of a method whose buyer does not go to the page of a bank. Null for every other method. */
export function stepOf(
  type: string,
  { url, returnUrl, expiresAt }: Away,
): Stripe.PaymentIntent.NextAction | null {
  if (type === 'alipay')
    return {
      type: 'alipay_handle_redirect',
      alipay_handle_redirect: { native_data: null, native_url: null, return_url: returnUrl, url },
    };
  if (BY_APP.has(type)) {
    const code = { data: `${url}#code`, image_url_png: `${url}.png`, image_url_svg: `${url}.svg` };
    const details = { hosted_instructions_url: url, mobile_auth_url: `${url}#app`, qr_code: code };
    return named(`${type}_handle_redirect_or_display_qr_code`, details);
  }
  switch (METHOD_KINDS[type]?.flow) {
    case 'qr': {
      const images = { image_url_png: `${url}.png`, image_url_svg: `${url}.svg` };
      return named(`${type}_display_qr_code`, { data: '00020126', hosted_instructions_url: url, ...images });
    }
    case 'voucher':
      return named(`${type}_display_details`, {
        ...{ expires_at: expiresAt, hosted_voucher_url: url },
        ...VOUCHERS[type],
      });
    default:
      return null;
  }
}

const named = (name: string, details: object): Stripe.PaymentIntent.NextAction => ({
  type: name,
  [name]: details,
});
