import { usePages } from '../../app/pages.ts';
import { isAbout, useRefresh } from '../../app/refresh.ts';
import { go, Link, useRoute } from '../../app/route.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { Bone, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
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
  const { data, error, isLoading, reload, more } = list;
  useRefresh(reload, { concerns: isAbout('refund-approval'), isMoving: false });
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
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && <Bones />}
      {data?.rows.length === 0 && <Nothing filter={filter} />}
      {data && data.rows.length > 0 && <p className="page-note">{words.text}</p>}
      <ul className="cases">
        {data?.rows.map((request) => (
          <Case key={request.id} request={request} onChanged={reload} />
        ))}
      </ul>
      {data?.hasMore && (
        <div className="list-more">
          <Button onPress={more} isDisabled={isLoading}>
            {texts.action.more}
          </Button>
        </div>
      )}
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
  <Empty
    icon="shield"
    title={words.empty[filter]}
    actions={
      <>
        <Link className="button" to="payments">
          {words.empty.payments}
        </Link>
        <a className="button" href={addressOf('docs/guides/dashboard#refunds-that-need-a-second-person')}>
          {words.empty.guide}
        </a>
      </>
    }
  >
    {words.empty.text}
  </Empty>
);

const Bones = () => (
  <div className="cases" role="status" aria-label={texts.loading}>
    {[280, 320].map((width) => (
      <div key={width} className="card case">
        <Bone width={width} />
        <Bone width={width + 80} />
      </div>
    ))}
  </div>
);
