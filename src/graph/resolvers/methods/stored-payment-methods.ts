import {
  countPaymentMethods,
  deletePaymentMethod,
  listBuyerPaymentMethods,
  listPaymentMethods,
  modeOf,
  newestKey,
  storePaymentMethod,
  updatePaymentMethod,
} from '../../../modules/payment-methods/index.ts';
import { invalidArguments } from '../../errors.ts';
import { requireFingerprints } from '../../federation/scopes.ts';
import type {
  MutationResolvers,
  PaymentMethodResolvers,
  QueryResolvers,
} from '../../generated/payment-methods.ts';
import { buyersFor, methodsFor, paymentMethodColumns } from '../columns.ts';
import { countable, parsePageOrThrow, toConnection } from '../pages.ts';
import { merchantAccountOf } from '../merchant-account.ts';
import { toUserErrors } from '../refusals.ts';

/** The queries of stored payment methods. */
export const paymentMethodQueries: Pick<
  QueryResolvers,
  'paymentMethod' | 'paymentMethods' | 'buyerPaymentMethods'
> = {
  buyerPaymentMethods: async (_, request, { app, viewer }) => {
    const found = await listBuyerPaymentMethods(app, viewer, request);
    if (!found.ok) throw invalidArguments(found.refusals);
    return found.value;
  },
  paymentMethod: (_, { id }, { loaders }, info) => methodsFor(info, loaders).load(id),
  paymentMethods: async (_, { filter, ...page }, context, info) => {
    const { app, viewer } = context;
    requireFingerprints(context, filter?.fingerprint);
    const found = await listPaymentMethods(app, viewer, parsePageOrThrow(page), {
      ...{ filter, columns: paymentMethodColumns.ofList(info) },
    });
    if (!found.ok) throw invalidArguments(found.refusals);
    return countable(toConnection(found.value, newestKey), (atMost) =>
      countPaymentMethods(app, viewer, filter, atMost),
    );
  },
};

/** The mutations of stored payment methods. */
export const paymentMethodMutations: Pick<
  MutationResolvers,
  'storePaymentMethod' | 'updatePaymentMethod' | 'deletePaymentMethod'
> = {
  storePaymentMethod: async (_, { input, idempotencyKey }, { app, viewer }) => {
    const stored = await storePaymentMethod(app, viewer, input, idempotencyKey);
    if (!stored.ok)
      return { paymentMethod: null, userErrors: toUserErrors(stored.refusals), replayed: false };
    return { ...stored.value, userErrors: [] };
  },
  updatePaymentMethod: async (_, { id, input }, { app, viewer }) => {
    const updated = await updatePaymentMethod(app, viewer, id, input);
    if (!updated.ok) return { paymentMethod: null, userErrors: toUserErrors(updated.refusals) };
    return { paymentMethod: updated.value, userErrors: [] };
  },
  deletePaymentMethod: async (_, { id }, { app, viewer }) => {
    const deleted = await deletePaymentMethod(app, viewer, id);
    if (!deleted.ok)
      return { deletedId: null, paymentMethod: null, userErrors: toUserErrors(deleted.refusals) };
    return { ...deleted.value, userErrors: [] };
  },
};

/** The fields of a stored payment method that come from other records. */
export const paymentMethodResolvers: PaymentMethodResolvers = {
  __resolveReference: ({ id }, { loaders }, info) => methodsFor(info, loaders).load(id),
  ...merchantAccountOf,
  buyer: ({ buyerId }, _, { loaders }, info) =>
    buyerId === null ? null : buyersFor(info, loaders).load(buyerId),
  mode: modeOf,
};
