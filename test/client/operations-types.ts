import { createClient } from '../../src/client/index.ts';

// The type checker reads this file. Nothing runs it.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(yes: Same<A, B>): void => void yes;

const paygraph = createClient({ url: 'https://pay.example/graphql', token: () => 'token' });

export async function answers(): Promise<void> {
  const { transactions, transaction } = await paygraph.query({
    transactions: [
      { first: 10, filter: { currency: ['EUR'] } },
      {
        nodes: { id: true, amount: true, paymentService: { displayName: true } },
        totalCount: { count: true },
      },
    ],
    transaction: [{ id: 'x' }, { status: true, captures: { amount: true } }],
  });
  same<string, (typeof transactions.nodes)[0]['id']>(true);
  same<number, (typeof transactions.nodes)[0]['amount']>(true);
  same<
    string | undefined,
    NonNullable<(typeof transactions.nodes)[0]['paymentService']>['displayName'] | undefined
  >(true);
  same<number, NonNullable<typeof transaction>['captures'][0]['amount']>(true);
  // @ts-expect-error -- the currency is not selected
  void transaction?.currency;
  // @ts-expect-error -- there is no such field
  await paygraph.query({ transaction: [{ id: 'x' }, { colour: true }] });
  // @ts-expect-error -- an id is required
  await paygraph.query({ transaction: [{}, { id: true }] });
  // @ts-expect-error -- a status is a word of the schema
  await paygraph.query({ transactions: [{ filter: { status: ['PAID'] } }, { nodes: { id: true } }] });
  const viewers = await paygraph.query({ transactions: { nodes: { id: true } } });
  same<string, (typeof viewers.transactions.nodes)[0]['id']>(true);

  const { captureTransaction } = await paygraph.mutate({
    captureTransaction: [
      { id: 'x', input: { amount: 100 } },
      { capture: { id: true }, userErrors: { message: true, on: { NotFound: { code: true } } } },
    ],
  });
  const [refusal] = captureTransaction.userErrors;
  if (refusal?.__typename === 'NotFound') void refusal.code;
}
