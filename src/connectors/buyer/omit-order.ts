import type { CallContext } from '../interface/call-context.ts';
import { definitionField } from '../interface/definition.ts';

/** The field of a payment service whose contract with the provider does not include the data of orders. */
export const omitOrderField = definitionField({
  ...{ key: 'omit_order', displayName: 'Leave orders out', format: 'boolean' },
});

/** True if the provider gets no orders from a payment service. The payments keep their orders. */
export const omitsOrder = ({ credentials }: Pick<CallContext, 'credentials'>): boolean =>
  credentials[omitOrderField.key] === 'true';
