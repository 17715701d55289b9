import type { App } from '../../app.ts';
import type { InputSchemas } from '../../platform/input/input-limits.ts';
import { paymentLinkFilter } from './filter.ts';
import { createPaymentLinkInput } from './input.ts';

/** The schemas that check this module's inputs, by the names of their types in the contract. */
export const linkInputSchemas = (app: App): InputSchemas => ({
  CreatePaymentLinkInput: createPaymentLinkInput(app),
  PaymentLinkFilter: paymentLinkFilter,
});
