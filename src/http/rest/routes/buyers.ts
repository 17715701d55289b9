import type { RecordForm, Route } from '../route.ts';
import { byId } from './by-id.ts';
import { BILLING_DETAILS, CONTACT } from './people-fields.ts';

const BUYER = `id reconciliationId merchantAccountId displayName externalIdentifier accountNumber
  ${BILLING_DETAILS} createdAt updatedAt`;

const buyer: RecordForm = { name: 'Buyer', on: 'Buyer', fields: `type ${BUYER}` };

const shippingDetails: RecordForm = {
  name: 'ShippingDetails',
  on: 'ShippingDetails',
  fields: `type id buyerId ${CONTACT} createdAt updatedAt`,
};

const tag = 'Buyers';
const one = byId('/buyers', 'buyer_id');
const ofBuyer = byId('/buyers', 'buyer_id', '/shipping-details', 'buyerId');
const oneOfBuyer = byId('/buyers/{buyer_id}/shipping-details', 'shipping_details_id');
const changed = { kind: 'record', at: ['buyer'], record: buyer } as const;
const changedDetails = { kind: 'record', at: ['shippingDetails'], record: shippingDetails } as const;

/** The paths of buyers and their shipping details. */
export const buyerRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/buyers', tag, summary: 'Create a buyer' },
    field: 'Mutation.createBuyer',
    body: { argument: 'input', example: { display_name: 'Ada Lovelace', external_identifier: 'customer-1' } },
    answer: changed,
  },
  {
    ...{ method: 'GET', path: '/buyers', tag, summary: 'List buyers' },
    field: 'Query.buyers',
    answer: { kind: 'page', record: buyer },
  },
  {
    ...{ method: 'GET', ...one, tag, summary: 'Get a buyer' },
    field: 'Query.buyer',
    answer: { kind: 'record', record: buyer },
  },
  {
    ...{ method: 'PUT', ...one, tag, summary: 'Update a buyer' },
    field: 'Mutation.updateBuyer',
    body: { argument: 'input', example: { display_name: 'Ada King' } },
    answer: changed,
  },
  {
    ...{ method: 'DELETE', ...one, tag, summary: 'Delete a buyer' },
    field: 'Mutation.deleteBuyer',
    answer: { kind: 'none' },
  },
  {
    ...{ method: 'POST', ...ofBuyer, tag, summary: 'Create shipping details' },
    field: 'Mutation.createShippingDetails',
    body: {
      argument: 'input',
      example: { first_name: 'Ada', last_name: 'Lovelace', address: { city: 'London', country: 'GB' } },
    },
    answer: changedDetails,
  },
  {
    ...{ method: 'GET', ...byId('/buyers', 'buyer_id', '/shipping-details'), tag },
    summary: 'List the shipping details of a buyer',
    field: 'Query.buyer',
    answer: { kind: 'list', at: ['shippingDetails'], record: shippingDetails },
  },
  {
    ...{ method: 'GET', path: oneOfBuyer.path, params: { buyer_id: 'id' }, tag },
    summary: 'Get shipping details',
    field: 'Query.buyer',
    answer: { kind: 'pick', at: ['shippingDetails'], record: shippingDetails, by: 'shipping_details_id' },
  },
  {
    ...{ method: 'PUT', ...oneOfBuyer, tag, summary: 'Update shipping details' },
    field: 'Mutation.updateShippingDetails',
    body: { argument: 'input', example: { first_name: 'Augusta' } },
    answer: changedDetails,
  },
  {
    ...{ method: 'DELETE', ...oneOfBuyer, tag, summary: 'Delete shipping details' },
    field: 'Mutation.deleteShippingDetails',
    answer: { kind: 'none' },
  },
];
