import { isAboutRecord, useRecord } from '../../app/data/refresh.ts';
import { Copy } from '../../design/pieces.tsx';
import { Facts } from '../../design/record/facts.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Actions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import { readEndpoint, type Endpoint } from './endpoint/endpoint.ts';
import { Replays } from './replays.tsx';
import { EndpointState, eventsOf } from './state.ts';

const { webhooks } = texts;

/** The page of a webhook endpoint: its health, its deliveries and its replays. */
export function Webhook({ id }: { readonly id: string }) {
  const read = useRecord(id, (signal) => readEndpoint(id, signal), {
    concerns: isAboutRecord(id),
    isMoving: ({ state }) => state === 'FAILING' || state === 'PAUSED',
  });
  return (
    <RecordPage
      read={read}
      list="webhooks"
      words={webhooks}
      title={({ url }) => url}
      head={(endpoint) => ({
        title: <span className="url-whole">{endpoint.url}</span>,
        state: <EndpointState of={endpoint.state} />,
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
