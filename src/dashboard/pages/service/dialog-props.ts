import type { Service } from '../services/query.ts';

/** The props of each dialog about a payment service. */
export type ServiceDialogProps = {
  readonly service: Service;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};
