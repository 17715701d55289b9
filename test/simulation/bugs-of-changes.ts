import type { Bug } from './bug.ts';
import {
  atConnectors,
  FAILED,
  inText,
  inValues,
  ofAnyVersion,
  swap,
  together,
  type Row,
  type Spoil,
} from './spoil.ts';

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
    spoil: () => freshKeys('increase'),
  },
  {
    name: 'two increases begin at once',
    shows: 'money',
    race: 'stopped',
    spoil: () => inText(CLAIM, swap('l.increase_pending_amount = 0', 'true')),
  },
  {
    name: 'an increase begins beside a void',
    shows: 'status',
    race: 'stopped',
    seed: 11,
    from: 240,
    spoil: () => inText(CLAIM, swap('NOT l.void_pending AND', '')),
  },
  {
    name: 'a void begins beside an increase',
    shows: 'status',
    race: 'stopped',
    seed: 7,
    spoil: () => inText(/^claim_void$/, swap('l.increase_pending_amount = 0', 'true')),
  },
  {
    name: 'an increase begins beside a capture',
    shows: 'status',
    from: 147,
    spoil: () => inText(CLAIM, swap('l.captured_amount + l.capture_pending_amount = 0', 'true')),
  },
  {
    name: 'an increase overwrites a capture that began beside it',
    shows: 'money',
    from: 322,
    spoil: () => inText(/^settle_increase_/, ofAnyVersion),
  },
];

const RENEWS = /^claim_reauthorize$/;
const RENEWED = /^settle_reauthorize_succeeded$/;

/** Mistakes in the renewal of authorisations. */
export const aboutRenewals: readonly Bug[] = [
  {
    name: 'a re-authorised amount is authorised twice',
    shows: 'money',
    from: 147,
    spoil: () =>
      inValues(RENEWED, ({ transactionAuthorizedAmount: amount }) => ({
        transactionAuthorizedAmount: 2 * Number(amount),
      })),
  },
  {
    name: 'a re-authorisation moves money in the ledger',
    shows: 'ledger',
    from: 147,
    spoil: () =>
      inValues(RENEWED, ({ historyId, transactionAuthorizedAmount: amount }) => ({
        ledgerIds: [historyId],
        ledgerKinds: ['authorize'],
        ledgerAmounts: [amount],
      })),
  },
  {
    name: 'a re-authorisation with an unknown outcome counts as failed',
    shows: 'money',
    from: 204,
    spoil: () =>
      atConnectors({
        hear: (outcome, { verb }) =>
          outcome.kind === 'unknown' && verb === 'reauthorize' ? FAILED : outcome,
      }),
  },
  {
    name: 'a repeat of a re-authorisation has a fresh key',
    shows: 'money',
    from: 156,
    spoil: () => freshKeys('reauthorize'),
  },
  {
    name: 'a refused re-authorisation renews the payment',
    shows: 'status',
    seed: 21,
    spoil: () =>
      inValues(/^settle_reauthorize_(declined|failed)$/, ({ now }) => ({ transactionReauthorizedAt: now })),
  },
  {
    name: 'a re-authorisation begins beside a capture',
    shows: 'status',
    race: 'stopped',
    from: 980,
    spoil: () => inText(RENEWS, swap('l.captured_amount + l.capture_pending_amount = 0', 'true')),
  },
  {
    name: 'a capture begins beside a re-authorisation',
    shows: 'status',
    race: 'stopped',
    from: 156,
    spoil: () => inText(/^claim_capture$/, swap('AND NOT l.reauthorize_pending', '')),
  },
];

/** Returns the authorised amount of a success, with its part counted so many times more. */
const authorizedBy = ({ transactionAuthorizedAmount: amount, ledgerAmounts }: Row, times: number): number =>
  Number(amount) + times * ((ledgerAmounts as readonly number[])[0] ?? 0);

/** Sends each attempt of a change under a key of its own. */
function freshKeys(verb: 'increase' | 'reauthorize'): Spoil {
  const attempts = new Map<string, number>();
  const fresh = (key: string): string => {
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    return attempt === 1 ? key : `${key} attempt ${attempt}`;
  };
  return atConnectors({ key: (key, of) => (of === verb ? fresh(key) : key) });
}
