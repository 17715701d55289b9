import type { Access } from '../service/access.ts';
import { CARD, createService, FIELDS, listServices, run, type OnAct, type Payment } from './ask-sandbox.ts';
import type { FaultScene } from './scenes.ts';

/**
 * Plays a payment whose first payment service has a fault. A second service works. Both take a currency that no other service
 * takes, so no service of the merchant is asked. The fault ends with the scene.
 */
export async function playFault(access: Access, scene: FaultScene, onAct: OnAct): Promise<Payment> {
  const [first, second] = await bothServices(access);
  await setKey(access, first, scene.fault);
  try {
    const paid = await pay(access, scene.amount);
    for (const { status, errorCode, paymentService } of paid.attempts)
      onAct({ name: paymentService.id === second ? 'second' : 'first', status, errorCode }, paid);
    onAct({ ...paid, name: 'pay' }, paid);
    if (!scene.recovers) return paid;
    await setKey(access, first, WORKING);
    const recovered = await sync(access, paid.id);
    onAct({ ...recovered, name: 'recover' }, recovered);
    return recovered;
  } finally {
    await setKey(access, first, WORKING);
  }
}

/** The code of ISO 4217 for tests. */
const CURRENCY = 'XTS';

/** A key without a fault. */
const WORKING = 'working';

/** Finds the two services of these scenes, or creates them. The first created is the first in position. */
async function bothServices(access: Access): Promise<readonly [first: string, second: string]> {
  const services = await listServices(access);
  const find = async (displayName: string): Promise<string> =>
    services.find((each) => each.displayName === displayName && each.active)?.id ??
    (await createService(access, {
      ...{ displayName, paymentServiceDefinitionId: 'mock-acquirer', acceptedCurrencies: [CURRENCY] },
      fields: [
        { key: 'merchant_id', value: 'scenes' },
        { key: 'api_key', value: WORKING },
      ],
    }));
  return [await find('Scenes of a fault'), await find('Scenes after a fault')];
}

async function setKey(access: Access, id: string, value: string): Promise<void> {
  await run(access, {
    query: `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
      done: updatePaymentService(id: $id, input: $input) { userErrors { message } } }`,
    variables: { id, input: { fields: [{ key: 'api_key', value }] } },
  });
}

type Attempted = Payment & {
  readonly attempts: readonly {
    readonly status: string;
    readonly errorCode: string | null;
    readonly paymentService: { readonly id: string };
  }[];
};

async function pay(access: Access, amount: number): Promise<Attempted> {
  const input = { amount, currency: CURRENCY, country: 'US', paymentMethod: { card: CARD } };
  const { transaction } = await run<{ readonly transaction: Attempted }>(access, {
    query: `mutation ($input: CreateTransactionInput!) { done: createTransaction(input: $input) {
      transaction { ${FIELDS} attempts { status errorCode paymentService { id } } } userErrors { message } } }`,
    variables: { input },
  });
  return transaction;
}

async function sync(access: Access, id: string): Promise<Payment> {
  const { transaction } = await run<{ readonly transaction: Payment }>(access, {
    query: `mutation ($id: ID!) {
      done: syncTransaction(id: $id) { transaction { ${FIELDS} } userErrors { message } } }`,
    variables: { id },
  });
  return transaction;
}
