import type { Bug } from './bug.ts';
import { inText, inValues, swap, together, type Row, type Spoil } from './spoil.ts';

const CLAIM = /^claim_increase$/;
const SUCCEEDS = /^settle_increase_succeeded$/;

/** Mistakes in the changes of authorisations. */
export const aboutChanges: readonly Bug[] = [
  {
    name: 'an increase counts before the approval of the provider',
    shows: 'money',
    spoil: () =>
      together(
        inText(
          CLAIM,
          swap(
            'increase_pending_amount = a.claim_amount',
            'increase_pending_amount = a.claim_amount, authorized_amount = t.authorized_amount + a.claim_amount',
          ),
        ),
        inValues(SUCCEEDS, (values) => ({ transactionAuthorizedAmount: authorizedBy(values, -1) })),
      ),
  },
  {
    name: 'an increase is counted twice',
    shows: 'money',
    spoil: () => inValues(SUCCEEDS, (values) => ({ transactionAuthorizedAmount: authorizedBy(values, 1) })),
  },
  {
    name: 'an increase does not count as one',
    shows: 'money',
    spoil: () => inValues(SUCCEEDS, () => ({ transactionIncreasedAmount: 0 })),
  },
  {
    name: 'a repeat of an increase has a fresh key',
    shows: 'money',
    spoil: freshKeys,
  },
  {
    name: 'two increases begin at once',
    shows: 'money',
    race: true,
    spoil: () => inText(CLAIM, swap('l.increase_pending_amount = 0', 'true')),
  },
  {
    name: 'an increase begins beside a void',
    shows: 'status',
    race: true,
    seed: 5,
    spoil: () => inText(CLAIM, swap('NOT l.void_pending AND', '')),
  },
  {
    name: 'a void begins beside an increase',
    shows: 'status',
    race: true,
    seed: 7,
    spoil: () => inText(/^claim_void$/, swap('l.increase_pending_amount = 0', 'true')),
  },
];

/** Returns the authorised amount of a success, with its part counted so many times more. */
const authorizedBy = ({ transactionAuthorizedAmount: amount, ledgerAmounts }: Row, times: number): number =>
  Number(amount) + times * ((ledgerAmounts as readonly number[])[0] ?? 0);

function freshKeys(): Spoil {
  const attempts = new Map<string, number>();
  return (app) => ({
    ...app,
    connectors: app.connectors.map((connector) => ({
      ...connector,
      increase: async (context, request) => {
        if (!connector.increase) throw new Error(`The connector ${connector.id} has no increases`);
        const attempt = (attempts.get(request.key) ?? 0) + 1;
        attempts.set(request.key, attempt);
        const key = attempt === 1 ? request.key : `${request.key} attempt ${attempt}`;
        return connector.increase(context, { ...request, key });
      },
    })),
  });
}
