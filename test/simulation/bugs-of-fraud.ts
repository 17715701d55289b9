import type { CheckAnswer } from '../../src/connectors/anti-fraud/connector.ts';
import type { Bug } from './bugs.ts';
import { afterRows, atAntiFraud, atFeatures, inPrisma, inText, swap, type Row, type Spoil } from './spoil.ts';

/** What is judged before anybody is asked for money, and what is held for its review. */
export const aboutFraud: readonly Bug[] = [
  {
    name: 'what is held for its review can be captured',
    shows: 'fraud',
    race: true,
    spoil: () => inText(/^claim_capture$/, swap(`AND coalesce(l.fraud_review, 'accepted') = 'accepted'`, '')),
  },
  {
    name: 'a payment is judged under a fresh key each time',
    shows: 'fraud',
    spoil: () => {
      let asked = 0;
      const fresh = (key: string): string => `${key} ${(asked += 1)}`;
      return atAntiFraud(
        (check) => (context, request) => check(context, { ...request, key: fresh(request.key) }),
      );
    },
  },
  {
    name: 'the last decision of the third party counts',
    shows: 'fraud',
    spoil: () =>
      inPrisma('antiFraudCheck', 'updateMany', ({ where, ...rest }) => {
        const { decidedAt: _open, ...key } = where as Row;
        return { ...rest, where: key };
      }),
  },
  {
    name: 'a third party that does not answer has rejected',
    shows: 'fraud',
    spoil: () =>
      atAntiFraud((check) => async (context, request) => {
        const said = await check(context, request);
        return said.kind === 'unknown' ? REJECTED : said;
      }),
  },
  {
    name: 'the provider is asked about what was rejected',
    shows: 'fraud',
    spoil: () => believeAccepted(/^write_screening$/, 'reject'),
  },
  {
    name: 'the provider is asked before the payment is judged',
    shows: 'fraud',
    spoil: () => believeAccepted(/^claim_authorize/, 'pending'),
  },
  {
    name: 'a payment is captured at once although it is to be reviewed',
    shows: 'fraud',
    spoil: () => believeAccepted(/^write_screening$/, 'review'),
  },
  {
    name: 'a payment that is to be reviewed is asked of a service that cannot hold it',
    shows: 'fraud',
    seed: 2,
    spoil: () => atFeatures({ delayed_capture: true }),
  },
  {
    name: 'whoever says it last ends the review',
    shows: 'fraud',
    spoil: () =>
      inText(/^claim_review$/, swap(`l.fraud_review = 'pending' AND`, 'l.fraud_review IS NOT NULL AND')),
  },
  {
    name: 'what is rejected by a review stays authorised',
    shows: 'fraud',
    spoil: () => inText(/^claim_review$/, swap(`THEN 'void' END`, 'THEN NULL END')),
  },
  {
    name: 'what is told before the review is open is forgotten',
    shows: 'fraud',
    spoil: () =>
      inText(/^park_inbound_review$/, swap('SET next_attempt_at', `SET state = 'ignored', next_attempt_at`)),
  },
  {
    name: 'nobody is told how a payment was judged',
    shows: 'events',
    spoil: () => inText(/^write_screening$/, swap(/FROM screened c\b/, 'FROM screened c WHERE false')),
  },
];

const REJECTED: CheckAnswer = {
  ...{ kind: 'decided', decision: 'reject', reference: null },
  ...{ rawResponseCode: null, rawResponseDescription: null },
};

/** Takes a payment of another decision, or of none yet, for one that was accepted. */
const believeAccepted = (names: RegExp, decision: string): Spoil =>
  afterRows(names, (rows) =>
    rows.map((row) => {
      const transaction = row['transaction'] as Row;
      const isMeant = transaction['anti_fraud_decision'] === decision;
      return isMeant ? { ...row, transaction: { ...transaction, anti_fraud_decision: 'accept' } } : row;
    }),
  );
