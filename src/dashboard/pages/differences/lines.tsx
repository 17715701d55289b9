import { Link } from '../../app/route.tsx';
import { Icon } from '../../design/icon.tsx';
import { CardList } from '../../design/record/card.tsx';
import { texts } from '../../texts/texts.ts';
import type { DifferenceRow } from './query.ts';
import { Age } from './state.tsx';
import { reportOf } from './words.ts';

const { differences } = texts;

type Line = Pick<DifferenceRow, 'id' | 'finding' | 'operationKind' | 'reported' | 'foundAt'>;

/** A notice with the open differences of a payment, newest first. Absent without one. */
export const DifferenceNotice = ({ open }: { readonly open: readonly Line[] }) => (
  <CardList
    look="difference-notice"
    title={
      <>
        <Icon name="difference" />
        {differences.ofPayment.title}
      </>
    }
    note={<p className="card-note">{differences.ofPayment.text}</p>}
    rows={open.length === 0 ? undefined : open}
  >
    {(each) => (
      <>
        <Link to={`differences/${each.id}`}>{differences.finding[each.finding].short}</Link>
        <span className="quiet">{reportOf(each)}</span>
        <span className="quiet">
          <Age at={each.foundAt} />
        </span>
      </>
    )}
  </CardList>
);
