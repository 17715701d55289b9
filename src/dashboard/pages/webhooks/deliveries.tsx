import { useState } from 'react';
import type { WebhookDeliveryState } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { NO_ROWS, pageOf, rowsOf, usePages, type Ask, type RowOf } from '../../app/data/pages.ts';
import { useRefresh } from '../../app/data/refresh.ts';
import { useLineKeys } from '../../app/keys/line-keys.ts';
import { optionsOf } from '../../design/form/field.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { More } from '../../design/list/more.tsx';
import { CardBones, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Card } from '../../design/record/card.tsx';
import { Disclosure } from '../../design/record/disclosure.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Delivery } from './delivery.tsx';
import { DeliveryState, isUnderWay } from './state.ts';

const { delivery: words } = texts.webhooks;

const ROW = {
  ...{ id: true, state: true, attemptCount: true, createdAt: true },
  event: { id: true, name: true, createdAt: true },
} as const;

/** The deliveries that a person can choose. */
const FILTERS = {
  ...{ all: [], waiting: ['PENDING', 'IN_FLIGHT'], delivered: ['DELIVERED'], lost: ['EXPIRED', 'CANCELLED'] },
} as const satisfies Record<string, readonly WebhookDeliveryState[]>;

type Filter = keyof typeof FILTERS;

/** Reads a page of the deliveries to an endpoint, newest event first. */
async function readDeliveries(id: string, filter: Filter, { after, signal }: Ask) {
  const wanted = { first: 25, after, states: FILTERS[filter] };
  const { webhookEndpoint } = await api.query(
    { webhookEndpoint: [{ id }, { deliveries: [wanted, pageOf(ROW)] }] },
    { signal },
  );
  return webhookEndpoint ? rowsOf(webhookEndpoint.deliveries) : NO_ROWS;
}

/** The deliveries to an endpoint, newest event first. Each opens in its place. */
export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const [filter, setFilter] = useState<Filter>('all');
  const list = usePages(`${endpointId} ${filter}`, (ask) => readDeliveries(endpointId, filter, ask));
  const { data, error, isLoading, reload } = list;
  useLineKeys();
  useRefresh(reload, () => true, { isMoving: data?.rows.some(isUnderWay) ?? false });
  return (
    <Card
      title={words.title}
      aside={
        <Segments
          label={words.filter}
          value={filter}
          options={optionsOf(words.filters, Object.keys(FILTERS) as Filter[])}
          onChange={setFilter}
        />
      }
    >
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && <CardBones isInside widths={[280, 340, 250, 310]} />}
      {data?.rows.length === 0 && (
        <Empty icon="send" title={words.empty}>
          {words.emptyText}
        </Empty>
      )}
      <ul className="lines">
        {data?.rows.map((row) => (
          <li key={row.id}>
            <Disclosure summary={<Line {...row} />}>
              {() => <Delivery eventId={row.event.id} deliveryId={row.id} onChanged={reload} />}
            </Disclosure>
          </li>
        ))}
      </ul>
      <More list={list} />
    </Card>
  );
}

const Line = ({ state, event, attemptCount }: RowOf<typeof readDeliveries>) => (
  <>
    <DeliveryState of={state} />
    <code>{event.name}</code>
    <span className="quiet">{words.attempts(attemptCount)}</span>
    <span className="quiet">
      <Moment at={event.createdAt} seconds />
    </span>
  </>
);
