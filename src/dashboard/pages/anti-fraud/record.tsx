import { api } from '../../app/data/api.ts';
import { isAbout, useRecord } from '../../app/data/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Facts } from '../../design/record/facts.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Changes, EditDialog } from '../connection/dialogs.tsx';
import { CredentialFacts } from '../connection/facts.tsx';
import { saveService, SERVICE_KIND, updateService, valuesOf } from './form.tsx';
import { HeldPayments } from './held.tsx';
import { readService, type Service } from './query.ts';
import { isSandbox, SandboxDecisions } from './sandbox.tsx';
import { providerOf, ServiceState } from './state.tsx';

const { antiFraud: words, services } = texts;

/** The page of an anti-fraud service: its state, its settings, and the address for the results of reviews. */
export function AntiFraudService({ id }: { readonly id: string }) {
  const read = useRecord(id, (signal) => readService(id, signal), {
    concerns: isAbout('anti-fraud-service'),
  });
  const mayReadPayments = useMay('transactions.read');
  return (
    <RecordPage
      read={read}
      list="anti-fraud"
      words={{ back: words.title, missing: services.missing, missingText: words.missingText }}
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

type ActionsProps = { readonly service: Service; readonly onChanged: () => void };

/** The acts on an anti-fraud service that the person's role allows. */
function Actions({ service, onChanged }: ActionsProps) {
  const { id, definition } = service;
  if (!useMay('anti-fraud-services.write') || service.isDeleted) return null;
  return (
    <div className="actions">
      <Changes
        {...{ service, onChanged }}
        list="anti-fraud"
        effects={words}
        said={words.act}
        summary={[
          [services.details.service, service.displayName],
          [services.form.definition, providerOf(service)],
        ]}
        edit={
          definition &&
          ((ends) => (
            <EditDialog
              {...{ ...SERVICE_KIND, ...ends, service, definition, valuesOf }}
              update={saveService}
              said={words.act.saved}
            />
          ))
        }
        update={(input) => updateService(id, input)}
        remove={() => api.mutate({ deleteAntiFraudService: [{ id }, { antiFraudService: { id: true } }] })}
      />
    </div>
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
      [words.form.fallback, words.form.fallbacks[service.fallback]],
      [services.details.created, <Moment at={service.createdAt} />],
      [services.details.id, <Copy value={service.id} />],
    ]}
  />
);
