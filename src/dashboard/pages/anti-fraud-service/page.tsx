import { useRead } from '../../app/read.ts';
import { isAbout, useRefresh } from '../../app/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Facts } from '../../design/facts.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Record } from '../../design/record.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { HeldPayments } from '../anti-fraud/held.tsx';
import { readService, type Service } from '../anti-fraud/query.ts';
import { isSandbox, SandboxDecisions } from '../anti-fraud/sandbox.tsx';
import { ServiceState } from '../anti-fraud/state.tsx';
import { CredentialFacts } from '../credentials/facts.tsx';
import { Actions } from './actions.tsx';

const { antiFraud: words, services } = texts;

/** The page of an anti-fraud service: its state, its settings, and the address for the results of reviews. */
export function AntiFraudService({ id }: { readonly id: string }) {
  const read = useRead(id, (signal) => readService(id, signal), { forget: true });
  const mayReadPayments = useMay('transactions.read');
  useRefresh(read.reload, { concerns: isAbout('anti-fraud-service'), isMoving: false });
  return (
    <Record
      read={read}
      back={{ to: 'anti-fraud', label: words.title }}
      missing={{ title: services.missing, text: words.missingText }}
      title={({ displayName }) => displayName}
      head={(service) => ({
        title: service.displayName,
        state: <ServiceState {...service} />,
        sentence: sentenceOf(service),
        actions: <Actions service={service} onChanged={read.reload} />,
      })}
      main={(service) => (
        <>
          {mayReadPayments && <HeldPayments />}
          {isSandbox(service) && <SandboxDecisions />}
        </>
      )}
      side={(service) => (
        <>
          <Details service={service} />
          <CredentialFacts
            fields={service.definition?.fields ?? []}
            values={service.fields}
            webhook={[words.details.webhook, <Copy value={service.webhookUrl} />]}
          />
        </>
      )}
    />
  );
}

/** Says what a service does with new payments. */
function sentenceOf({ isDeleted, active }: Service): string {
  if (isDeleted) return words.sentence.DELETED;
  return active ? words.sentence.ACTIVE : words.sentence.OFF;
}

const Details = ({ service }: { readonly service: Service }) => (
  <Facts
    title={services.details.title}
    facts={[
      [services.form.definition, service.definition?.displayName ?? service.antiFraudServiceDefinitionId],
      [words.details.version, service.interfaceVersion],
      [services.details.created, <Moment at={service.createdAt} />],
      [services.details.id, <Copy value={service.id} />],
    ]}
  />
);
