const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** The texts about the route of a payment in English. */
export const routing = {
  title: 'Routing',
  asked: 'Services in the order of the requests',
  passed: 'Passed over',
  present:
    'The reasons follow the present settings of the services. They may have changed since the payment.',
  open: 'Explain routing',
  dialogTitle: 'Which service gets a payment?',
  text: 'Describe a payment. Nothing is created or sent. The amount makes no difference to routing.',
  submit: 'Find the route',
  nobody: 'No service accepts the payment.',
  next: 'Asked if the service before fails, or declines with a code that allows a retry.',
  never: 'Accepts the payment, but an earlier service ends the retries.',
  spared: 'Accepts the payment, but no retry reached it.',
  otherMethods: (names: readonly string[]) => `Of another method: ${LIST.format(names)}.`,
  rest: (count: number) => `${count} more services are not shown.`,
  /** The outcome of a request to a service. */
  state: { PENDING: 'Undecided', SUCCEEDED: 'Chosen', DECLINED: 'Declined', FAILED: 'Failed' },
  why: {
    REQUESTED: 'The payment names this service.',
    FIRST: 'The first service in order that accepts the payment.',
    AFTER_FAILURE: 'Asked because the service before failed without effect.',
    AFTER_DECLINE: 'Asked because the service before declined with a code that allows a retry.',
  },
  candidate: { first: 'Asked first', next: 'Asked next', never: 'Never asked' },
  /** The reasons against a service, by their codes in the API. */
  reason: {
    INACTIVE: 'The service is off.',
    NOT_READY: 'The provider refused the credentials.',
    METHOD: 'The service has another method.',
    CURRENCY: 'The service does not take the currency.',
    COUNTRY: 'The service does not take the country.',
    NOT_REQUESTED: 'The payment names another service.',
    UNAVAILABLE: 'This installation cannot use the provider.',
    INTENT: 'The service can only capture at once.',
    THREE_D_SECURE: 'The service does not authenticate buyers.',
    THREE_D_SECURE_PASS_THROUGH: 'The service takes no 3-D Secure done elsewhere.',
    INSTALLMENTS: 'The service takes no instalments.',
    CARD_NETWORK_CHOICE: 'The service does not take the choice of this card network.',
    RAW_CARD_DATA: 'The service takes no card numbers in clear.',
    APPLE_PAY: 'The service does not take Apple Pay.',
    GOOGLE_PAY: 'The service does not take Google Pay.',
    PROVIDER_TOKENS: "The service takes no tokens of the provider's software.",
    NETWORK_TOKENS: 'The service takes no network tokens.',
    PAYMENT_METHOD_TOKENIZATION: 'The service stores no payment methods at the provider.',
    PAYMENT_METHOD: 'The service does not know the stored payment method.',
  },
} as const;
