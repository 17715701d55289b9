import { getNullableType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';

/** The words that a mutation's name begins with when it moves money or creates a record. */
const VERBS = ['create', 'capture', 'refund', 'void', 'cancel', 'store', 'send', 'rotate', 'sync'];

/**
 * Whether a mutation moves money or creates a record, and so must do it once for each idempotency key. One that takes a
 * key counts whatever its name is: it has promised as much.
 */
export const needsKey = ({ name, args }: Mutation): boolean =>
  new RegExp(`^(${VERBS.join('|')})(?=[A-Z]|$)`).test(name) || args.some((arg) => arg.name === KEY);

/** Mutations that the rule counts although a key makes no sense for them, each with the reason. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  createTransactionSession:
    'Makes nothing of its own: it shows what the payment waits with, and asked again it answers the same.',
  cancelReplayJob: 'Ends a job and makes nothing; asked again it answers the same.',
  sendTestEvent: 'Stores nothing: a test asked for twice is a test made twice.',
  syncTransaction:
    'Asks about what is pending under the keys that it has already; it starts nothing of its own.',
};

/** What is wrong with a schema's mutations or with the table of scenarios, as sentences; empty when nothing is. */
export function faultsOf(
  schema: GraphQLSchema,
  scenarios: readonly string[],
  exceptions: Readonly<Record<string, string>> = EXCEPTIONS,
): string[] {
  const counted = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(needsKey);
  const names = counted.map(({ name }) => name);
  const excepted = Object.keys(exceptions);
  return [
    ...counted
      .filter(({ name }) => !excepted.includes(name))
      .flatMap((mutation) => faultsIn(mutation, scenarios)),
    ...scenarios.filter((name) => !names.includes(name)).map((name) => `${name}: a scenario of no mutation`),
    ...excepted
      .filter((name) => !names.includes(name) || scenarios.includes(name))
      .map((name) => `${name}: an exception that is none`),
  ];
}

type Mutation = GraphQLField<unknown, unknown>;

const KEY = 'idempotencyKey';

function faultsIn(mutation: Mutation, scenarios: readonly string[]): string[] {
  const { name, args } = mutation;
  const key = args.find((arg) => arg.name === KEY);
  return [
    ...(String(key?.type) === 'String' ? [] : [`${name}: takes no ${KEY}: String`]),
    ...(replayedType(mutation) === 'Boolean!' ? [] : [`${name}: its payload has no replayed: Boolean!`]),
    ...(scenarios.includes(name) ? [] : [`${name}: has no entry in test/idempotency/scenarios.ts`]),
  ];
}

function replayedType({ type }: Mutation): string {
  const payload = getNullableType(type);
  return isObjectType(payload) ? String(payload.getFields()['replayed']?.type) : '';
}
