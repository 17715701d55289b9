import type { PaymentServiceStatus } from '../../../client/generated/schema.ts';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';

const TONES: Readonly<Record<PaymentServiceStatus, Tone>> = {
  ...{ PENDING: 'wait', CREATED: 'info', ACTIVE: 'good', FAILED: 'bad' },
};

type StateOf = {
  readonly active: boolean;
  readonly isDeleted: boolean;
  readonly status: PaymentServiceStatus;
  /** Null for a service at its own place. */
  readonly circuit: object | null;
};

/** The state of a payment service. */
export function ServiceState({ active, isDeleted, status, circuit }: StateOf) {
  const { state } = texts.services;
  if (isDeleted) return <Pill tone="calm">{state.DELETED}</Pill>;
  if (!active) return <Pill tone="calm">{state.OFF}</Pill>;
  if (circuit && status !== 'FAILED') return <Pill tone="wait">{state.BEHIND}</Pill>;
  return <Pill tone={TONES[status]}>{state[status]}</Pill>;
}
