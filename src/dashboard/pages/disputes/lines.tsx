import type { Dispute } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { Link } from '../../app/route.tsx';
import { CardList } from '../../design/record/card.tsx';
import { Amount } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { DisputeState, TimeLeft } from './state.tsx';

/** The fields of a line. */
export const DISPUTE_LINE = {
  ...{ id: true, status: true, reason: true, amount: true, currency: true, respondBy: true },
} as const;

type LinesProps = { readonly disputes: readonly Answer<Dispute, typeof DISPUTE_LINE>[] | undefined };

/** A card with the disputes of a payment, newest first. Absent without a dispute, and without the scope that reads disputes. */
export const DisputeLines = ({ disputes }: LinesProps) => (
  <CardList title={texts.disputes.title} rows={disputes?.length === 0 ? undefined : disputes}>
    {(dispute) => (
      <>
        <Link to={`disputes/${dispute.id}`}>
          <Amount {...dispute} />
        </Link>
        <span className="quiet">{texts.disputes.reason[dispute.reason]}</span>
        <TimeLeft {...dispute} />
        <DisputeState of={dispute.status} />
      </>
    )}
  </CardList>
);
