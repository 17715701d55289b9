import { useState } from 'react';
import { useLineKeys } from '../../app/line-keys.ts';
import { usePages } from '../../app/pages.ts';
import { useRefresh } from '../../app/refresh.ts';
import { Disclosure } from '../../design/disclosure.tsx';
import { More } from '../../design/more.tsx';
import { Bone, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Segments } from '../../design/segments.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { DeliveryState } from '../webhooks/state.tsx';
import { Delivery } from './delivery.tsx';
import { FILTERS, readDeliveries, type Filter, type Row } from './query.ts';

const { delivery: words } = texts.webhooks;

/** The deliveries to an endpoint, newest event first. Each opens in its place. */
export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const [filter, setFilter] = useState<Filter>('all');
  const list = usePages(`${endpointId} ${filter}`, (after, signal) =>
    readDeliveries(endpointId, filter, after, signal),
  );
  const { data, error, isLoading, reload } = list;
  useLineKeys();
  const isMoving = data?.rows.some(({ state }) => state === 'PENDING' || state === 'IN_FLIGHT') ?? false;
  useRefresh(reload, { concerns: () => true, isMoving });
  return (
    <section className="card">
      <header>
        <h2>{words.title}</h2>
        <Segments
          label={words.filter}
          value={filter}
          options={(Object.keys(FILTERS) as readonly Filter[]).map((each) => [each, words.filters[each]])}
          onChange={setFilter}
        />
      </header>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && <Bones />}
      {data?.rows.length === 0 && (
        <Empty icon="send" title={words.empty}>
          {words.emptyText}
        </Empty>
      )}
      <ul className="lines">
        {data?.rows.map((row) => (
          <li key={row.id}>
            <Disclosure summary={<Line row={row} />}>
              {() => <Delivery eventId={row.event.id} deliveryId={row.id} onChanged={reload} />}
            </Disclosure>
          </li>
        ))}
      </ul>
      <More list={list} />
    </section>
  );
}

const Line = ({ row: { state, event, attemptCount } }: { readonly row: Row }) => (
  <>
    <DeliveryState state={state} />
    <code>{event.name}</code>
    <span className="quiet">{words.attempts(attemptCount)}</span>
    <span className="quiet">
      <Moment at={event.createdAt} seconds />
    </span>
  </>
);

const Bones = () => (
  <div className="card-bones" role="status" aria-label={texts.loading}>
    {[280, 340, 250, 310].map((width) => (
      <Bone key={width} width={width} />
    ))}
  </div>
);
