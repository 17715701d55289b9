import type { GraphQLResolveInfo } from 'graphql';
import type { LineOrWhole } from '../../platform/database/column-set.ts';
import { decidedBySelection } from '../execution/selected-fields.ts';
import type { Loaders } from '../loaders.ts';

/** Decides the columns of a type's rows: those of a line, if it answers every selected field. */
function lineOrWhole(lineFields: readonly string[]) {
  const line: ReadonlySet<string> = new Set(['__typename', ...lineFields]);
  const decide = (fields: ReadonlySet<string>): LineOrWhole =>
    [...fields].every((field) => line.has(field)) ? 'line' : 'whole';
  return {
    decide,
    /** The fields that the columns of a line answer. */
    lineFields: line,
    /** The columns that a list reads. */
    ofList: decidedBySelection([['nodes'], ['edges', 'node']], decide),
    /** The columns that a field with one record, or with a plain list of records, reads. */
    ofField: decidedBySelection([[]], decide),
  };
}

/** The columns of buyers. Lists below a buyer need its id alone. */
export const buyerColumns = lineOrWhole([
  ...[
    'id',
    'type',
    'merchantAccountId',
    'merchantAccount',
    'reconciliationId',
    'displayName',
    'externalIdentifier',
    'accountNumber',
  ],
  ...['shippingDetails', 'paymentMethods', 'giftCards', 'transactions', 'createdAt', 'updatedAt'],
]);

/** The columns of payment methods. */
export const paymentMethodColumns = lineOrWhole([
  ...['id', 'merchantAccountId', 'merchantAccount', 'buyer', 'method', 'mode', 'instrumentType', 'status'],
  ...['label', 'scheme'],
  ...['lastFour', 'expirationDate', 'externalIdentifier', 'country', 'currency', 'transactions'],
  ...['createdAt', 'updatedAt'],
]);

/** The columns of payment links. The address and the lists below a link need its id alone. */
export const paymentLinkColumns = lineOrWhole([
  ...[
    'id',
    'type',
    'merchantAccountId',
    'merchantAccount',
    'url',
    'status',
    'amount',
    'currency',
    'country',
    'intent',
  ],
  ...[
    'paymentSource',
    'store',
    'buyerId',
    'buyerRecord',
    'installmentCount',
    'externalIdentifier',
    'expiresAt',
  ],
  ...['transactions', 'createdAt', 'updatedAt'],
]);

/** The columns of payment services. */
export const paymentServiceColumns = lineOrWhole([
  ...['id', 'merchantAccountId', 'merchantAccount', 'paymentServiceDefinitionId', 'method', 'displayName'],
  ...['definition', 'position', 'active'],
  ...['status', 'circuit', 'isDeleted', 'transactions', 'createdAt', 'updatedAt'],
]);

/** The columns of entries of the audit log. */
export const auditColumns = lineOrWhole([
  ...['id', 'action', 'target', 'actor', 'createdAt', 'sequence', 'hash'],
]);

/** The columns of events. The transaction of an event may stand in the payload alone. */
export const eventColumns = lineOrWhole([
  ...['id', 'name', 'sequence', 'cursor', 'target', 'deliveries', 'createdAt'],
]);

/** Decides the columns of the events of plain lists of deliveries, and of pages of deliveries. */
export const eventColumnsOfDeliveries = {
  ofField: decidedBySelection([['event']], eventColumns.decide),
  ofList: decidedBySelection(
    [
      ['nodes', 'event'],
      ['edges', 'node', 'event'],
    ],
    eventColumns.decide,
  ),
};

/** Returns the loader of events with the columns of the selection. */
export const eventsFor = (info: GraphQLResolveInfo, { event, lineEvent }: Loaders): Loaders['event'] =>
  eventColumns.ofField(info) === 'line' ? lineEvent : event;

/** Returns the loader of buyers with the columns of the selection. */
export const buyersFor = (info: GraphQLResolveInfo, { buyer, lineBuyer }: Loaders): Loaders['buyer'] =>
  buyerColumns.ofField(info) === 'line' ? lineBuyer : buyer;

/** Returns the loader of payment services with the columns of the selection. */
export const servicesFor = (
  info: GraphQLResolveInfo,
  { paymentService, linePaymentService }: Loaders,
): Loaders['paymentService'] =>
  paymentServiceColumns.ofField(info) === 'line' ? linePaymentService : paymentService;

/** Returns the loader of payment methods with the columns of the selection. */
export const methodsFor = (
  info: GraphQLResolveInfo,
  { paymentMethod, linePaymentMethod }: Loaders,
): Loaders['paymentMethod'] =>
  paymentMethodColumns.ofField(info) === 'line' ? linePaymentMethod : paymentMethod;

/** Returns the loader of payment links with the columns of the selection. */
export const linksFor = (
  info: GraphQLResolveInfo,
  { paymentLink, linePaymentLink }: Loaders,
): Loaders['paymentLink'] => (paymentLinkColumns.ofField(info) === 'line' ? linePaymentLink : paymentLink);
