import { mayChangeServices } from '../../app/data/live.tsx';
import { useRecord } from '../../app/data/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Card } from '../../design/record/card.tsx';
import { Facts } from '../../design/record/facts.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Moment, writeMoment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { CredentialFacts } from '../connection/facts.tsx';
import { Actions } from './actions.tsx';
import { codesOf } from './codes.ts';
import { FLAGS, type Flag } from './form.ts';
import { schemeName } from './profile-fields.tsx';
import { readService, type Service } from './query.ts';
import { ServiceState } from './state.tsx';
import { UseOf } from './use.tsx';
import { methodName, packageName } from './words.ts';

const { services: words } = texts;

/** The page of a payment service: its state, its success, what it accepts, and its settings. */
export function PaymentService({ id }: { readonly id: string }) {
  const read = useRecord(id, (signal) => readService(id, signal), {
    concerns: mayChangeServices,
    isMoving: ({ status, circuit }) => status === 'PENDING' || circuit !== null,
  });
  const mayRead = useMay('transactions.read');
  return (
    <RecordPage
      read={read}
      list="services"
      words={{ ...words, back: words.title }}
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
function sentenceOf({ isDeleted, active, status, statusReason, circuit }: Service): string {
  const { sentence } = words;
  if (isDeleted) return sentence.DELETED;
  if (!active) return sentence.OFF;
  if (circuit && status !== 'FAILED') return circuitSentenceOf(circuit);
  return [sentence[status], statusReason].filter(Boolean).join(' ');
}

/** Says since when a service comes after the others, and when a payment tries the service again. */
function circuitSentenceOf({ openedAt, tryAgainAt }: NonNullable<Service['circuit']>): string {
  const since = writeMoment(openedAt);
  const isDue = new Date(tryAgainAt) <= new Date();
  return isDue ? words.circuit.tried(since) : words.circuit.behind(since, writeMoment(tryAgainAt));
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
        [details.connector, service.definition && packageName(service.definition)],
        [details.method, methodName(service.method, service.definition)],
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
    <Card title={details.abilities}>
      <ul className="abilities">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </Card>
  );
}
