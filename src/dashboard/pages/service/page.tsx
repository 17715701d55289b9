import { mayChangePayments } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Facts } from '../../design/facts.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Record } from '../../design/record.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { CredentialFacts } from '../credentials/facts.tsx';
import { codesOf } from '../services/codes.ts';
import { FLAGS, type Flag } from '../services/form.ts';
import { schemeName } from '../services/profile-fields.tsx';
import { readService, type Service } from '../services/query.ts';
import { ServiceState } from '../services/state.tsx';
import { methodName } from '../services/words.ts';
import { Actions } from './actions.tsx';
import { UseOf } from './use.tsx';

const { services: words } = texts;

/** The page of a payment service: its state, its success, what it accepts, and its settings. */
export function PaymentService({ id }: { readonly id: string }) {
  const read = useRead(id, (signal) => readService(id, signal), { forget: true });
  const mayRead = useMay('transactions.read');
  useRefresh(read.reload, {
    concerns: (events) => events.length === 0 || mayChangePayments(events),
    isMoving: read.data?.status === 'PENDING',
  });
  return (
    <Record
      read={read}
      back={{ to: 'services', label: words.title }}
      missing={{ title: words.missing, text: words.missingText }}
      title={({ displayName }) => displayName}
      head={(service) => ({
        title: service.displayName,
        state: <ServiceState {...service} />,
        sentence: sentenceOf(service),
        actions: <Actions service={service} onChanged={read.reload} />,
      })}
      main={() => mayRead && <UseOf serviceId={id} />}
      side={(service) => (
        <>
          <Details service={service} />
          <Credentials service={service} />
          <Abilities service={service} />
        </>
      )}
    />
  );
}

/** Says what routing does with a service, and why. */
function sentenceOf({ isDeleted, active, status, statusReason }: Service): string {
  const { sentence } = words;
  if (isDeleted) return sentence.DELETED;
  if (!active) return sentence.OFF;
  return [sentence[status], statusReason].filter(Boolean).join(' ');
}

type PartProps = { readonly service: Service };

function Details({ service }: PartProps) {
  const { details, form } = words;
  const on = (Object.keys(FLAGS) as readonly Flag[]).filter((flag) => service[flag]);
  return (
    <Facts
      title={details.title}
      facts={[
        [details.definition, service.definition?.displayName ?? service.paymentServiceDefinitionId],
        [details.method, methodName(service.method)],
        [form.currencies, codesOf(service.acceptedCurrencies, 20)],
        [form.countries, codesOf(service.acceptedCountries, 20)],
        [details.features, on.map((flag) => form.flags[flag].label).join(', ')],
        [form.fallback, service.threeDSecureEnabled && form.fallbacks[service.threeDSecureFallback]],
        [details.profile, service.merchantProfile?.map(({ scheme }) => schemeName(scheme)).join(', ')],
        [details.checked, service.statusCheckedAt && <Moment at={service.statusCheckedAt} />],
        [details.created, <Moment at={service.createdAt} />],
        [details.id, <Copy value={service.id} />],
      ]}
    />
  );
}

function Credentials({ service }: PartProps) {
  const { definition, fields, reportingFields, webhookUrl, isDeleted } = service;
  return (
    <CredentialFacts
      fields={[...(definition?.fields ?? []), ...(definition?.reportingFields ?? [])]}
      values={[...fields, ...reportingFields]}
      webhook={[words.details.webhook, !isDeleted && <Copy value={webhookUrl} />]}
    />
  );
}

/** The features of the provider, in words. */
function Abilities({ service: { definition } }: PartProps) {
  const { ability, details } = words;
  const names = (definition?.supportedFeatures ?? [])
    .filter(({ supported }) => supported)
    .flatMap(({ name }) => (name in ability ? [ability[name as keyof typeof ability]] : []));
  if (names.length === 0) return null;
  return (
    <section className="card">
      <header>
        <h2>{details.abilities}</h2>
      </header>
      <ul className="abilities">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </section>
  );
}
