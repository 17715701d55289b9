import { useState } from 'react';
import type { Said } from '../../app/data/act.ts';
import { api } from '../../app/data/api.ts';
import { useMay, useSession } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { texts } from '../../texts/texts.ts';
import { Changes, EditDialog } from '../connection/dialogs.tsx';
import { codesOf } from './codes.ts';
import { ServiceFields } from './fields.tsx';
import { isReady, saveService, valuesOf } from './form.ts';
import { hasFeature, updateService, type Service } from './query.ts';
import { TestDialog } from './test/dialog.tsx';
import { canTest } from './test/form.ts';
import { methodName } from './words.ts';

const { services: words } = texts;

type ActionsProps = { readonly service: Service; readonly onChanged: () => void };

/** The acts on a payment service that the person's role allows. */
export function Actions({ service, onChanged }: ActionsProps) {
  const mayWrite = useMay('payment-services.write');
  const mayPay = useMay('transactions.write');
  const { environment } = useSession();
  const [isTesting, setTesting] = useState(false);
  if (service.isDeleted) return null;
  return (
    <div className="actions">
      {mayWrite && <ServiceChanges service={service} onChanged={onChanged} />}
      {mayPay && environment === 'sandbox' && canTest(service) && (
        <Button icon="play" look="primary" onPress={() => setTesting(true)}>
          {words.test.open}
        </Button>
      )}
      {isTesting && <TestDialog service={service} onClose={() => setTesting(false)} />}
    </div>
  );
}

function ServiceChanges({ service, onChanged }: ActionsProps) {
  const { id, definition } = service;
  const canVerify = definition && hasFeature(definition, 'verify_credentials');
  return (
    <Changes
      {...{ service, onChanged }}
      list="services"
      effects={{ off: words.off.text, delete: words.delete.text }}
      said={words.act}
      summary={[
        [words.details.service, service.displayName],
        [words.details.method, methodName(service.method, definition)],
        [words.form.currencies, codesOf(service.acceptedCurrencies)],
      ]}
      edit={
        definition &&
        ((ends) => (
          <EditDialog
            {...{ Fields: ServiceFields, isReady, ...ends, service, definition, valuesOf }}
            update={saveService}
            said={words.act.saved}
          />
        ))
      }
      check={canVerify ? { name: words.act.verify, run: () => verify(id) } : null}
      update={(input) => updateService(id, input)}
      remove={() => api.mutate({ deletePaymentService: [{ id }, { paymentService: { id: true } }] })}
    />
  );
}

/** Asks the provider again about the stored credentials. */
async function verify(id: string): Promise<Said> {
  const { verifyPaymentService } = await api.mutate({
    verifyPaymentService: [{ id }, { paymentService: { status: true, statusReason: true } }],
  });
  const status = verifyPaymentService.paymentService?.status ?? 'PENDING';
  return [status === 'ACTIVE' ? 'good' : 'bad', words.act.verified[status]];
}
