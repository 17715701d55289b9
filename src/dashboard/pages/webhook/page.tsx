import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { Facts } from '../../design/facts.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Record } from '../../design/record.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Endpoint } from '../webhooks/query.ts';
import { EndpointState, eventsOf } from '../webhooks/state.tsx';
import { Actions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import { readEndpoint } from './query.ts';
import { Replays } from './replays.tsx';

const { webhooks } = texts;

/** The page of a webhook endpoint: its health, its deliveries and its replays. */
export function Webhook({ id }: { readonly id: string }) {
  const read = useRead(id, (signal) => readEndpoint(id, signal), { forget: true });
  const isMoving = read.data?.state === 'FAILING' || read.data?.state === 'PAUSED';
  useRefresh(read.reload, {
    concerns: (events) => events.length === 0 || events.some(({ target }) => target.id === id),
    isMoving,
  });
  return (
    <Record
      read={read}
      back={{ to: 'webhooks', label: webhooks.back }}
      missing={{ title: webhooks.missing, text: webhooks.missingText }}
      title={({ url }) => url}
      head={(endpoint) => ({
        title: <span className="url-whole">{endpoint.url}</span>,
        state: <EndpointState state={endpoint.state} />,
        sentence: endpoint.stateReason ?? endpoint.description,
        actions: <Actions endpoint={endpoint} onChanged={read.reload} />,
      })}
      main={() => <Deliveries endpointId={id} />}
      side={(endpoint) => (
        <>
          <Details endpoint={endpoint} />
          <Replays endpointId={id} />
        </>
      )}
    />
  );
}

function Details({ endpoint }: { readonly endpoint: Endpoint }) {
  const { details, form } = webhooks;
  const moment = (at: string | null) => at && <Moment at={at} />;
  return (
    <Facts
      title={details.title}
      facts={[
        [form.description, endpoint.stateReason && endpoint.description],
        [details.events, eventsOf(endpoint.eventNames)],
        [details.failing, moment(endpoint.failingSince)],
        [details.paused, moment(endpoint.pausedUntil)],
        [details.disabled, moment(endpoint.disabledAt)],
        [details.format, form.bodyFormats[endpoint.bodyFormat]],
        [details.user, endpoint.basicAuthenticationUsername],
        [details.headers, endpoint.headerNames.join(', ')],
        [details.autoDisable, endpoint.autoDisable && details.autoDisableYes],
        [details.created, moment(endpoint.createdAt)],
        [details.id, <Copy value={endpoint.id} />],
      ]}
    />
  );
}
