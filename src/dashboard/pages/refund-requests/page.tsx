import { usePages } from '../../app/pages.ts';
import { isAbout, useRefresh } from '../../app/refresh.ts';
import { go, Link, useRoute } from '../../app/route.tsx';
import { PageHead } from '../../app/shell.tsx';
import { Cases, NoCases } from '../../design/cases.tsx';
import { Segments } from '../../design/segments.tsx';
import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Decisions } from './decide.tsx';
import { readRequests, type Filter, type RefundRequest } from './query.ts';
import { RequestFacts, RequestState } from './state.tsx';

const { refundRequests: words } = texts;

/** The refunds that a second person must approve, newest first. The address holds the filter. */
export function RefundRequests() {
  const filter: Filter = useRoute().search.get('show') === 'all' ? 'all' : 'pending';
  const list = usePages(`refund requests ${filter}`, (after, signal) => readRequests(filter, after, signal));
  useRefresh(list.reload, { concerns: isAbout('refund-approval'), isMoving: false });
  return (
    <>
      <PageHead title={words.title} />
      <div className="toolbar">
        <Segments
          label={words.filter}
          value={filter}
          options={[
            ['pending', words.filters.pending],
            ['all', words.filters.all],
          ]}
          onChange={(next) => go(next === 'all' ? 'refund-requests?show=all' : 'refund-requests')}
        />
      </div>
      <Cases list={list} note={words.text} nothing={<Nothing filter={filter} />}>
        {(request) => <Case key={request.id} request={request} onChanged={list.reload} />}
      </Cases>
    </>
  );
}

type CaseProps = { readonly request: RefundRequest; readonly onChanged: () => void };

const Case = ({ request, onChanged }: CaseProps) => (
  <li className="card case">
    <h2>
      <Link to={`payments/${request.transactionId}`}>{words.name(writeMoney(request))}</Link>
      <RequestState status={request.status} />
    </h2>
    <RequestFacts request={request} />
    <Decisions request={request} onChanged={onChanged} />
  </li>
);

const Nothing = ({ filter }: { readonly filter: Filter }) => (
  <NoCases
    title={words.empty[filter]}
    words={words.empty}
    guide="docs/guides/dashboard#refunds-that-need-a-second-person"
  />
);
