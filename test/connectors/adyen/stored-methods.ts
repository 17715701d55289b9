import { resolveMethod, type MethodBody } from './methods.ts';
import type { StoredMethod } from './model.ts';
import { invalid, type Answer } from './refusals.ts';
import type { State } from './state.ts';
import { disableToken } from './token-events.ts';

/** Lists the payment methods of the account. */
export const listMethods = (): Answer => ({
  status: 200,
  body: {
    paymentMethods: [
      { type: 'scheme', name: 'Cards', brands: ['visa', 'mc', 'amex'] },
      { type: 'ideal', name: 'iDEAL' },
      { type: 'sepadirectdebit', name: 'SEPA Direct Debit' },
    ],
  },
});

/** Lists the stored payment methods of a shopper. */
export const listStored = ({ tokens, settings }: State, shopperReference: string): Answer => ({
  status: 200,
  body: {
    merchantAccount: settings.merchantAccount,
    shopperReference,
    storedPaymentMethods: [...tokens.values()]
      .filter((token) => token.shopperReference === shopperReference)
      .map(resourceOf),
  },
});

/** Deletes a stored payment method. A repeat finds none. */
export function deleteStored(state: State, id: string, shopperReference: string): Answer {
  if (state.tokens.get(id)?.shopperReference !== shopperReference)
    return invalid('803', 'PaymentDetail not found');
  disableToken(state, id);
  return { status: 204, body: null };
}

export type StoreBody = {
  readonly paymentMethod: MethodBody;
  readonly shopperReference: string;
  readonly recurringProcessingModel: string;
};

/** Stores a payment method without a payment. */
export function storeMethod(state: State, body: StoreBody): Answer {
  const { rawCards, newId } = state.settings;
  const { shopperReference, recurringProcessingModel } = body;
  const resolved = resolveMethod(body.paymentMethod, { shopperReference, rawCards, find: () => undefined });
  if ('status' in resolved) return resolved;
  const token = {
    id: newId(),
    shopperReference,
    method: resolved.method,
    models: [recurringProcessingModel],
  };
  state.tokens.set(token.id, token);
  return { status: 201, body: resourceOf(token) };
}

function resourceOf({ id, shopperReference, method, models }: StoredMethod): object {
  const [expiryMonth, expiryYear] = method.expiry?.split('/') ?? [];
  return {
    id,
    shopperReference,
    type: method.type,
    brand: method.variant,
    supportedRecurringProcessingModels: models,
    ...(method.lastFour === null ? {} : { lastFour: method.lastFour }),
    ...(expiryMonth === undefined ? {} : { expiryMonth, expiryYear }),
    ...(method.holderName === null ? {} : { holderName: method.holderName }),
  };
}
