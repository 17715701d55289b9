import type { Connector } from '../../../connectors/interface/connector.ts';
import { isRedirectMethod } from '../../../connectors/codes/method-name.ts';

/** The methods of the specification that redirect the buyer to another site and can be stored. */
// oxfmt-ignore
const SPECIFIED = [
  'abitab', 'affirm', 'afterpay', 'alipay', 'alipayhk', 'arcuspaynetwork', 'bacs', 'bancontact', 'bcp',
  'becs', 'bitpay', 'blik', 'boleto', 'boost', 'breb', 'ach', 'capitec', 'cashapp', 'cashappafterpay',
  'clearpay', 'custom_push', 'custom_redirect', 'custom_tokenize', 'dana', 'dcb', 'dlocal', 'ebanx',
  'eckoh', 'efecty', 'eps', 'everydaypay', 'gcash', 'gem', 'gemds', 'giropay', 'givingblock', 'gocardless',
  'gopay', 'grabpay', 'ideal', 'interac', 'kakaopay', 'kcp', 'khipu', 'klarna', 'konbini', 'latitude',
  'latitudeds', 'laybuy', 'linepay', 'linkaja', 'maybankqrpay', 'mercadopago', 'multibanco', 'multipago',
  'netbanking', 'nupay', 'nequi', 'oney_10x', 'oney_12x', 'oney_3x', 'oney_4x', 'oney_6x',
  'onlinebankingcz', 'onelink', 'ovo', 'oxxo', 'p24', 'pagoefectivo', 'paybybank', 'payid', 'paymaya',
  'paysquad', 'paypal', 'paypalpaylater', 'paypay', 'payto', 'payvalida', 'picpay', 'pix', 'pse',
  'rabbitlinepay', 'rapipago', 'razorpay', 'redpagos', 'scalapay', 'sepa', 'servipag', 'seveneleven',
  'shopeepay', 'singteldash', 'smartpay', 'sofort', 'spei', 'stitch', 'swish', 'stripe', 'stripedd',
  'stripetoken', 'tapi', 'tapifintechs', 'thaiqr', 'touchngo', 'truemoney', 'trustly', 'trustlyeurope',
  'upi', 'venmo', 'vipps', 'waave', 'webpay', 'wechat', 'wero', 'yape', 'zippay',
] as const;

/** Lists the methods that can be stored and redirect the buyer: those of the specification, and those of installed connectors. */
export const redirectsToStore = (
  connectors: readonly Pick<Connector, 'definitions'>[],
): readonly string[] => [
  ...new Set<string>([
    ...SPECIFIED,
    ...connectors
      .flatMap(({ definitions }) => definitions.map(({ method }) => method))
      .filter(isRedirectMethod),
  ]),
];
