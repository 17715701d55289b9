import type { RefundApprovalStatus } from '../../../client/generated/schema.ts';
import { pillOf } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { RefundRequest } from './query.ts';

const { refundRequests: words } = texts;

/** The state of a request. */
export const RequestState = pillOf<RefundApprovalStatus>(words.status, {
  ...{ PENDING: 'wait', APPROVED: 'good', REJECTED: 'bad' },
  ...{ WITHDRAWN: 'calm', EXPIRED: 'calm', FAILED: 'bad' },
});

/** The people of a request, with the moments of the request. */
export function RequestFacts({ request }: { readonly request: RefundRequest }) {
  const { status, requestedBy, requestedByViewer, reason, createdAt, expiresAt } = request;
  return (
    <>
      <p className="quiet">
        {requestedByViewer ? words.own : words.by(requestedBy)} <Moment at={createdAt} />
        {status === 'PENDING' && (
          <>
            {' · '}
            {words.until} <Moment at={expiresAt} />
          </>
        )}
      </p>
      {reason !== null && <p>{words.reason(reason)}</p>}
      {status !== 'PENDING' && <p className="quiet">{decisionOf(request, status)}</p>}
    </>
  );
}

function decisionOf(
  { decidedBy, decisionReason }: RefundRequest,
  status: Exclude<RefundApprovalStatus, 'PENDING'>,
): string {
  if (status === 'EXPIRED') return words.decided.EXPIRED;
  return words.decided[status](decidedBy ?? '', decisionReason ?? '');
}
