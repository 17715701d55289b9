import type { CheckAnswer } from '../../src/connectors/anti-fraud/connector.ts';
import type { Bug } from './bug.ts';
import { afterRows, atAntiFraud, atFeatures, inPrisma, inText, swap, type Row, type Spoil } from './spoil.ts';

/** Mistakes about anti-fraud checks before a payment, and about held payments. */
export const aboutFraud: readonly Bug[] = [
  {
    name: 'a payment held for review can be captured',
    from: 65,
    shows: 'fraud',
    race: 'stopped',
    spoil: () => inText(/^claim_capture$/, swap(`AND coalesce(l.fraud_review, 'accepted') = 'accepted'`, '')),
  },
  {
    name: 'each anti-fraud check of a payment has a fresh key',
    shows: 'fraud',
    spoil: () => {
      let requested = 0;
      const fresh = (key: string): string => `${key} ${(requested += 1)}`;
      return atAntiFraud(
        (check) => (context, request) => check(context, { ...request, key: fresh(request.key) }),
      );
    },
  },
  {
    name: 'the last decision of the anti-fraud service counts',
    shows: 'fraud',
    spoil: () =>
      inPrisma('antiFraudCheck', 'updateMany', ({ where, ...rest }) => {
        const { decidedAt: _open, ...key } = where as Row;
        return { ...rest, where: key };
      }),
  },
  {
    name: 'a check that timed out counts as rejected',
    from: 92,
    shows: 'fraud',
    spoil: () =>
      atAntiFraud((check) => async (context, request) => {
        const reported = await check(context, request);
        return reported.kind === 'unknown' ? REJECTED : reported;
      }),
  },
  {
    name: 'the provider is called after a rejection',
    shows: 'fraud',
    from: 11,
    spoil: () => believeAccepted(/^write_screening$/, 'reject'),
  },
  {
    name: 'the provider is called before the anti-fraud check',
    shows: 'fraud',
    spoil: () => believeAccepted(/^claim_authorize/, 'pending'),
  },
  {
    name: 'a payment under review is captured at once',
    from: 62,
    shows: 'fraud',
    spoil: () => believeAccepted(/^write_screening$/, 'review'),
  },
  {
    name: 'a payment under review goes to a service that cannot hold it',
    shows: 'fraud',
    seed: 2,
    from: 34,
    spoil: () => atFeatures({ delayed_capture: true }),
  },
  {
    name: 'the last decision ends the review',
    from: 167,
    shows: 'fraud',
    spoil: () =>
      inText(/^claim_review$/, swap(`l.fraud_review = 'pending' AND`, 'l.fraud_review IS NOT NULL AND')),
  },
  {
    name: 'a payment rejected by its review stays authorised',
    from: 161,
    shows: 'fraud',
    spoil: () => inText(/^claim_review$/, swap(`THEN 'void' END`, 'THEN NULL END')),
  },
  {
    name: 'a notice before the opening of the review is lost',
    from: 62,
    shows: 'fraud',
    spoil: () =>
      inText(/^park_inbound_review$/, swap('SET next_attempt_at', `SET state = 'ignored', next_attempt_at`)),
  },
  {
    name: 'an anti-fraud decision publishes no event',
    shows: 'events',
    spoil: () => inText(/^write_screening$/, swap(/FROM screened c\b/, 'FROM screened c WHERE false')),
  },
];

const REJECTED: CheckAnswer = {
  ...{ kind: 'decided', decision: 'reject', reference: null },
  ...{ rawResponseCode: null, rawResponseDescription: null },
};

/** Treats a payment with another decision, or with none, as accepted. */
const believeAccepted = (names: RegExp, decision: string): Spoil =>
  afterRows(names, (rows) =>
    rows.map((row) => {
      const transaction = row['transaction'] as Row;
      const isMeant = transaction['anti_fraud_decision'] === decision;
      return isMeant ? { ...row, transaction: { ...transaction, anti_fraud_decision: 'accept' } } : row;
    }),
  );
