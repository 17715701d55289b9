import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isNonNullType,
  isObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** The ids without a field for their record, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'DuplicateRecord.resourceId': 'Names a record of any type.',
  'WebhookTestAttempt.webhookId': 'A test is stored nowhere.',
  'RefundApprovalRequired.approvalId': 'The payload has the record beside the error.',
  'Operation.paymentServiceKey': 'Names a request at the provider.',
  'RoutingComparison.figuresId':
    'The snapshot is removed after a day, and the payment keeps what was compared.',
  'DeleteWebhookEndpointPayload.deletedId': 'The record is gone.',
  'DeleteBuyerPayload.deletedId': 'The record is gone.',
  'DeleteShippingDetailsPayload.deletedId': 'The record is gone.',
  'DeleteGiftCardPayload.deletedId': 'The record is gone.',
  'DeletePaymentMethodPayload.deletedId': 'The payload holds the record until it is gone.',
  'DeleteThreeDSScenarioPayload.deletedId': 'The record is gone.',
};

/** Lists the fields with the id of another record whose type has no field for the record itself. */
function bareIds(schema: GraphQLSchema): readonly string[] {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  return types.filter(({ name }) => !name.startsWith('__')).flatMap(bareIdsOf);
}

const bareIdsOf = (type: GraphQLObjectType): readonly string[] =>
  Object.values(type.getFields())
    .filter(({ name, type: of }) => name !== 'id' && getNamedType(of).name === 'ID')
    .filter(({ name }) => !edgesFor(name).some((edge) => isRecord(type, edge)))
    .map(({ name }) => `${type.name}.${name}`);

/** The names of the field for the record of an id. `Record` tells a record from a copy. */
function edgesFor(name: string): readonly string[] {
  const edge = name.replace(/Ids$/, 's').replace(/Id$/, '');
  return edge === name ? [] : [edge, `${edge}Record`];
}

/** True for a field with a stored record, or with a list of them. Copies may have no id. */
function isRecord(type: GraphQLObjectType, edge: string): boolean {
  const field = type.getFields()[edge];
  const record = field && getNamedType(field.type);
  if (!isObjectType(record)) return false;
  const id = record.getFields()['id']?.type;
  return id !== undefined && isNonNullType(id) && String(getNullableType(id)) === 'ID';
}

it('each id of another record has a field for the record beside it, or a reason', () => {
  const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'));

  expect(bareIds(schema).toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

it('an id without a record is found, and a copy is no record', () => {
  const schema = buildSchema(`
    type Query { payment: Payment }
    type Payment { id: ID! buyerId: ID buyer: Copy cardId: ID! card: Card linkIds: [ID!]! links: [Card!]! }
    type Copy { id: ID }
    type Card { id: ID! }`);

  expect(bareIds(schema)).toEqual(['Payment.buyerId']);
});
