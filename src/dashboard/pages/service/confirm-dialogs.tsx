import { go } from '../../app/route.tsx';
import { texts } from '../../texts/texts.ts';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { codesOf } from '../services/codes.ts';
import { updateService, type Service } from '../services/query.ts';
import { methodName } from '../services/words.ts';
import type { ServiceDialogProps } from './dialog-props.ts';
import { deleteService } from './query.ts';

const { services: words } = texts;

const summaryOf = (service: Service) =>
  [
    [words.details.service, service.displayName],
    [words.details.method, methodName(service.method)],
    [words.form.currencies, codesOf(service.acceptedCurrencies)],
  ] as const;

/** Switches a service off, after the effect on payments was said. */
export function OffDialog({ service, onClose, onChanged }: ServiceDialogProps) {
  return (
    <ConfirmDialog
      words={words.off}
      text={words.off.text}
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
export function DeleteDialog({ service, onClose }: ServiceDialogProps) {
  return (
    <ConfirmDialog
      words={words.delete}
      text={words.delete.text}
      said={words.act.deleted}
      summary={summaryOf(service)}
      run={() => deleteService(service.id)}
      onDone={() => go('services', { replace: true })}
      onClose={onClose}
    />
  );
}
