import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, useList, type Ask } from '../../app/data/pages.ts';
import { isAbout } from '../../app/data/refresh.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { Link, useShown } from '../../app/route.tsx';
import { optionsOf } from '../../design/form/field.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { Cases, NothingWaits } from '../../design/list/cases.tsx';
import { Toolbar } from '../../design/list/list-page.tsx';
import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Decisions } from './decide.tsx';
import { REQUEST } from './query.ts';
import { RequestFacts, RequestState } from './state.tsx';

const { refundRequests: words } = texts;

/** The states of each filter. */
const FILTERS = { pending: ['PENDING'], all: null } as const;
const NAMES = ['pending', 'all'] as const;
type Filter = (typeof NAMES)[number];

/** Reads a page of the requests, newest first. */
async function readRequests(filter: Filter, { after, signal }: Ask) {
  const { refundApprovals } = await api.query(
    { refundApprovals: [{ status: FILTERS[filter], first: 25, after }, pageOf(REQUEST)] },
    { signal },
  );
  return rowsOf(refundApprovals);
}

/** The refunds that a second person must approve, newest first. The address holds the filter. */
export function RefundRequests() {
  const [filter, show] = useShown('refund-requests', NAMES, 'pending');
  const concerns = isAbout('refund-approval');
  const list = useList(`refund requests ${filter}`, (ask) => readRequests(filter, ask), concerns);
  return (
    <>
      <PageHead title={words.title} />
      <Toolbar>
        <Segments
          label={words.filter}
          value={filter}
          options={optionsOf(words.filters, NAMES)}
          onChange={show}
        />
      </Toolbar>
      <Cases list={list} note={words.text} nothing={<Nothing filter={filter} />}>
        {(request) => (
          <li key={request.id} className="card case">
            <h2>
              <Link to={`payments/${request.transactionId}`}>{words.name(writeMoney(request))}</Link>
              <RequestState of={request.status} />
            </h2>
            <RequestFacts request={request} />
            <Decisions request={request} onChanged={list.reload} />
          </li>
        )}
      </Cases>
    </>
  );
}

const Nothing = ({ filter }: { readonly filter: Filter }) => (
  <NothingWaits
    title={words.empty[filter]}
    words={words.empty}
    guide="docs/guides/dashboard#refunds-that-need-a-second-person"
  />
);
