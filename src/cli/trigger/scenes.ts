/** One act of a scene on its payment. */
export type Step =
  | { readonly act: 'capture' | 'refund'; readonly amount?: number }
  | { readonly act: 'void' };

/** A payment in the sandbox that ends in a known way. */
export type Scene = PaymentScene | FaultScene;

type AnyScene = {
  /** The sentence of the list. */
  readonly what: string;
  /** Minor units. The sandbox decides by the amount. */
  readonly amount: number;
  /** The sentence about that which follows by itself. */
  readonly later?: string;
};

/** A payment at a service that has no fault. */
export type PaymentScene = AnyScene & {
  /** The definition of the payment service. The default is `mock-card`. */
  readonly definition?: 'mock-acquirer' | 'mock-paypal' | 'mockds-card';
  readonly capture?: true;
  readonly threeDS?: true;
  readonly steps?: readonly Step[];
};

/** A payment whose first service has a fault. A second service works. */
export type FaultScene = AnyScene & {
  /** The API key that plays the fault. The page about the sandbox lists the keys. */
  readonly fault: 'failing' | 'declining' | 'slow' | 'silent';
  /** True if the fault ends, and the provider is asked again. */
  readonly recovers?: true;
};

const LATER = 'The provider reports it within 5 to 15 seconds.';
const OPEN = 'Open the address as the buyer, and approve or refuse.';

/** The scenes by name, in the order of the list. The amounts are those of the page about the sandbox. */
export const SCENES: Readonly<Record<string, Scene>> = {
  authorized: { what: 'a payment that waits for its capture', amount: 1299 },
  captured: { what: 'a payment and its capture', amount: 1299, steps: [{ act: 'capture' }] },
  'partly-captured': {
    what: 'a capture of a part',
    amount: 5000,
    steps: [{ act: 'capture', amount: 2000 }],
  },
  voided: { what: 'a payment that is voided before its capture', amount: 1299, steps: [{ act: 'void' }] },
  refunded: {
    what: 'a captured payment and its whole refund',
    amount: 1299,
    steps: [{ act: 'capture' }, { act: 'refund' }],
  },
  'partly-refunded': {
    what: 'a captured payment and the refund of a part',
    amount: 5000,
    steps: [{ act: 'capture' }, { act: 'refund', amount: 1500 }],
  },
  declined: { what: 'a card with too little money', amount: 200_011 },
  expired: { what: 'an expired card', amount: 200_005 },
  failed: { what: 'a provider that fails', amount: 300_013 },
  challenged: {
    what: 'a card whose buyer must pass 3-D Secure',
    amount: 1299,
    definition: 'mockds-card',
    threeDS: true,
    later: OPEN,
  },
  redirected: {
    what: "a buyer who approves at the provider's page",
    amount: 1299,
    definition: 'mock-paypal',
    later: OPEN,
  },
  pending: {
    what: 'a provider that decides later',
    amount: 600_001,
    definition: 'mock-acquirer',
    later: 'Reconciliation asks for the decision. To ask now: syncTransaction.',
  },
  'capture-declined': {
    what: 'a capture that the provider declines',
    amount: 500_002,
    steps: [{ act: 'capture' }],
  },
  'refund-declined': {
    what: 'a refund that the provider declines',
    amount: 520_002,
    steps: [{ act: 'capture' }, { act: 'refund' }],
  },
  'capture-reversed': {
    what: 'a capture that the provider takes back',
    amount: 660_001,
    steps: [{ act: 'capture' }],
    later: LATER,
  },
  disputed: { what: 'a chargeback that waits for a response', amount: 690_003, capture: true, later: LATER },
  'dispute-won': { what: 'a chargeback that is won', amount: 690_004, capture: true, later: LATER },
  'dispute-lost': { what: 'a chargeback that is lost', amount: 690_005, capture: true, later: LATER },
  'failing-service': { what: 'a service that fails, and the next one', amount: 1299, fault: 'failing' },
  'soft-decline': {
    what: 'a decline that another service may approve',
    amount: 1299,
    fault: 'declining',
  },
  'slow-service': { what: 'a service that answers late', amount: 1299, fault: 'slow' },
  outage: {
    what: 'a service without an answer, and its recovery',
    amount: 1299,
    fault: 'silent',
    recovers: true,
  },
};
