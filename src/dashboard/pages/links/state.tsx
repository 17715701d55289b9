import type { PaymentLinkStatus } from '../../../client/generated/schema.ts';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';

const TONES: Readonly<Record<PaymentLinkStatus, Tone>> = {
  ...{ ACTIVE: 'info', PROCESSING: 'wait', COMPLETED: 'good', EXPIRED: 'calm' },
};

/** The state of a payment link. */
export const LinkState = ({ status }: { readonly status: PaymentLinkStatus }) => (
  <Pill tone={TONES[status]}>{texts.links.status[status]}</Pill>
);
