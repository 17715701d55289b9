import { useAct } from '../../app/act.ts';
import { go } from '../../app/route.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { codesOf } from '../services/codes.ts';
import { updateService, type Service } from '../services/query.ts';
import type { ServiceDialogProps } from './dialog-props.ts';
import { deleteService } from './query.ts';

const { services: words } = texts;

const summaryOf = (service: Service) =>
  [
    [words.details.service, service.displayName],
    [words.details.method, words.method(service.method)],
    [words.form.currencies, codesOf(service.acceptedCurrencies)],
  ] as const;

/** Switches a service off, after the effect on payments was said. */
export function OffDialog({ service, onClose, onChanged }: ServiceDialogProps) {
  const { off } = words;
  const act = useAct();
  const toast = useToast();
  const finish = (): void => {
    toast('good', words.act.off);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={off.title}
      act={act}
      look="danger"
      cancel={off.keep}
      submit={off.submit}
      summary={summaryOf(service)}
      onSubmit={() => act.run(() => updateService(service.id, { active: false }), finish)}
      onClose={onClose}
    >
      <p className="quiet">{off.text}</p>
    </FormDialog>
  );
}

/** Deletes a service for new payments. */
export function DeleteDialog({ service, onClose }: ServiceDialogProps) {
  const { delete: text } = words;
  const act = useAct();
  const toast = useToast();
  const finish = (): void => {
    toast('good', words.act.deleted);
    go('services', { replace: true });
  };
  return (
    <FormDialog
      title={text.title}
      act={act}
      look="danger"
      cancel={text.keep}
      submit={text.submit}
      summary={summaryOf(service)}
      onSubmit={() => act.run(() => deleteService(service.id), finish)}
      onClose={onClose}
    >
      <p className="quiet">{text.text}</p>
    </FormDialog>
  );
}
