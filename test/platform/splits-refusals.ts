import { ids } from './constraint-rows.ts';
import type { Refusal } from './settlement-refusals.ts';

/** Two shares as JSON. `changes` are of the second one. */
const sharesOf = (first: number, second: number, changes: object = {}): string =>
  JSON.stringify([{ amount: first }, { amount: second, ...changes }]);

/** The rows about shares that the database refuses. */
export const SPLITS_REFUSALS: readonly Refusal[] = [
  ['shares of another sum', 'transaction', { splits: sharesOf(1000, 298) }, 'transaction_splits_check'],
  [
    'more captured of a share than the share',
    'transaction',
    { splits: sharesOf(1000, 299, { capturedAmount: 300 }) },
    'transaction_splits_check',
  ],
  [
    'less than nothing captured of a share',
    'transaction',
    { splits: sharesOf(1000, 299, { capturedAmount: -1 }) },
    'transaction_splits_check',
  ],
  [
    'a reservation that the shares do not have',
    'transaction',
    { splits: sharesOf(1000, 299), capture_pending_amount: 5 },
    'transaction_splits_check',
  ],
  [
    'a reservation of shares that the payment does not have',
    'transaction',
    { splits: sharesOf(1000, 299, { capturePendingAmount: 5 }) },
    'transaction_splits_check',
  ],
  ['shares that are no shares', 'transaction', { splits: '[]' }, 'transaction_splits_check'],
  [
    'shares of a capture with another sum',
    'operation',
    { splits: `{"inProportion":true,"shares":${sharesOf(1000, 298)}}` },
    'operation_splits_check',
  ],
  [
    'shares of a refund without its captures',
    'operation',
    { kind: 'refund', splits: `{"inProportion":true,"shares":${sharesOf(1000, 299)}}` },
    'operation_splits_check',
  ],
  [
    'shares of a refund of other captures',
    'operation',
    {
      kind: 'refund',
      refund_captures: `[{"operationId":"${ids.redemption}","amount":1299}]`,
      splits: `{"inProportion":true,"shares":${sharesOf(1000, 299)},"captures":[{"operationId":"${ids.judge}","amount":1299}]}`,
    },
    'operation_splits_check',
  ],
  [
    'shares of an operation of the provider above its amount',
    'operation',
    {
      origin: 'provider',
      status: 'succeeded',
      splits: `{"inProportion":true,"shares":${sharesOf(1000, 300)}}`,
    },
    'operation_splits_check',
  ],
];
