import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { go } from '../../app/route.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { ServiceFields } from '../anti-fraud/fields.tsx';
import { isReady, updateInput, valuesOf } from '../anti-fraud/form.ts';
import { deleteService, updateService, type Definition, type Service } from '../anti-fraud/query.ts';
import { providerOf } from '../anti-fraud/state.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';

const { antiFraud: words, services } = texts;

type DialogProps = {
  readonly service: Service;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

/** Changes the values of an anti-fraud service. */
export function EditDialog({
  service,
  definition,
  onClose,
  onChanged,
}: DialogProps & { readonly definition: Definition }) {
  const act = useAct();
  const toast = useToast();
  const form = { definition, stored: service };
  const [values, setValues] = useState(() => valuesOf(service));
  const finish = (): void => {
    toast('good', words.act.saved);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={services.act.editTitle(service.displayName)}
      isWide
      act={act}
      submit={services.act.save}
      isReady={isReady(form, values)}
      onSubmit={() => act.run(() => updateService(service.id, updateInput(form, values)), finish)}
      onClose={onClose}
    >
      <ServiceFields form={form} values={values} onChange={setValues} error={act.error} />
    </FormDialog>
  );
}

const summaryOf = (service: Service) =>
  [
    [services.details.service, service.displayName],
    [services.form.definition, providerOf(service)],
  ] as const;

/** Switches a service off, after the effect on payments was said. */
export function OffDialog({ service, onClose, onChanged }: DialogProps) {
  return (
    <ConfirmDialog
      words={services.off}
      text={words.off}
      said={words.act.off}
      summary={summaryOf(service)}
      run={() => updateService(service.id, { active: false })}
      onDone={() => {
        onChanged();
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Deletes a service for new payments. */
export function DeleteDialog({ service, onClose }: DialogProps) {
  return (
    <ConfirmDialog
      words={services.delete}
      text={words.delete}
      said={words.act.deleted}
      summary={summaryOf(service)}
      run={() => deleteService(service.id)}
      onDone={() => go('anti-fraud', { replace: true })}
      onClose={onClose}
    />
  );
}
