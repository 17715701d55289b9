import type { App } from '../../app.ts';
import type { InputSchemas } from '../../platform/input/input-limits.ts';
import { createBuyerInput, shippingDetailsInput, updateBuyerInput } from './input/buyer.ts';
import { balancesInput, storeGiftCardInput } from './input/gift-card.ts';
import { storePaymentMethodInput, updatePaymentMethodInput } from './input/stored.ts';
import { paymentMethodFilter } from './model/filter.ts';

/** The schemas that check this module's inputs, by the names of their types in the contract. */
export const methodInputSchemas = (app: Pick<App, 'config' | 'connectors'>): InputSchemas => ({
  CreateBuyerInput: createBuyerInput,
  UpdateBuyerInput: updateBuyerInput,
  ShippingDetailsInput: shippingDetailsInput,
  StoreGiftCardInput: storeGiftCardInput,
  CheckGiftCardBalancesInput: balancesInput,
  StorePaymentMethodInput: storePaymentMethodInput(app, () => true),
  UpdatePaymentMethodInput: updatePaymentMethodInput(() => true),
  PaymentMethodFilter: paymentMethodFilter,
});
