import type { Endpoint } from '../webhooks/query.ts';

/** The props of each dialog of an endpoint. */
export type EndpointDialogProps = {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};
