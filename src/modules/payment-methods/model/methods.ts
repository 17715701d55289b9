/** Methods that redirect the buyer to another site and can be stored. */
// oxfmt-ignore
export const REDIRECT_METHODS = [
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
export type RedirectMethod = (typeof REDIRECT_METHODS)[number];
