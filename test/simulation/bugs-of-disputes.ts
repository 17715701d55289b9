import type { DisputeRequest } from '../../src/connectors/interface/dispute-responses.ts';
import type { Bug } from './bug.ts';
import { inText, inTransaction, inValues, swap, type Row, type Spoil } from './spoil.ts';

/** Mistakes about disputes. */
export const aboutDisputes: readonly Bug[] = [
  {
    name: 'a refund is made during a dispute',
    from: 56,
    shows: 'disputes',
    spoil: () =>
      inText(/^claim_refunds?$/, swap(/(\$\d+)::boolean OR l\.open_disputes = 0/, '$1::boolean IS NOT NULL')),
  },
  {
    name: 'a loss is counted twice',
    shows: 'disputes',
    spoil: () => inValues(/^count_disputes$/, ({ lost }) => ({ lost: Number(lost) * 2 })),
  },
  {
    name: 'an older report of a dispute counts',
    shows: 'disputes',
    spoil: () =>
      inTransaction('dispute', 'findFirst', (found) =>
        found === null ? null : { ...(found as Row), reportedAt: new Date(0), stage: 'inquiry' },
      ),
  },
  {
    name: 'a decision of an earlier stage that comes late is dropped',
    from: 104,
    shows: 'disputes',
    spoil: () =>
      inTransaction('dispute', 'findFirst', (found) =>
        found === null ? null : { ...(found as Row), decidedStage: (found as Row)['stage'] },
      ),
  },
  {
    name: 'each attempt of a response to a dispute has a fresh key',
    from: 69,
    shows: 'disputes',
    spoil: () => {
      const attempts = new Map<string, number>();
      return withDisputeKeys((key) => {
        const attempt = (attempts.get(key) ?? 0) + 1;
        attempts.set(key, attempt);
        return attempt === 1 ? key : `${key} attempt ${attempt}`;
      });
    },
  },
];

/** Changes the keys of responses to disputes. */
const withDisputeKeys =
  (change: (key: string) => string): Spoil =>
  (app) => ({
    ...app,
    connectors: app.connectors.map((connector) => {
      const { submitEvidence, accept } = connector.disputes ?? {};
      const keyed = <Request extends DisputeRequest>(request: Request): Request => ({
        ...request,
        key: change(request.key),
      });
      return {
        ...connector,
        disputes: {
          ...(submitEvidence && {
            submitEvidence: (context, request) => submitEvidence(context, keyed(request)),
          }),
          ...(accept && { accept: (context, request) => accept(context, keyed(request)) }),
        },
      } satisfies typeof connector;
    }),
  });
