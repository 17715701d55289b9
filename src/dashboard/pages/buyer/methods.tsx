import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { useMay } from '../../app/session-context.tsx';
import type { PaymentMethodStatus } from '../../../client/generated/schema.ts';
import { IconButton } from '../../design/button.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { Method as Means, meansOf } from '../payments/method.tsx';
import { removeMethod, type Buyer, type Method } from './query.ts';

const { methods: words, remove } = texts.buyers;

const TONES: Readonly<Record<PaymentMethodStatus, Tone>> = {
  ...{ PROCESSING: 'calm', BUYER_APPROVAL_REQUIRED: 'wait', SUCCEEDED: 'good', FAILED: 'bad' },
  ...{ PAUSED: 'wait', DELETING: 'wait' },
};

type MethodsProps = { readonly buyer: Partial<Buyer>; readonly onChanged: () => void };

/** The stored payment methods of a buyer. Absent without the scope that reads them. */
export function Methods({ buyer: { paymentMethods }, onChanged }: MethodsProps) {
  const mayRemove = useMay('payment-methods.write');
  const [leaving, setLeaving] = useState<Method | null>(null);
  if (!paymentMethods) return null;
  return (
    <section className="card">
      <header>
        <h2>{words.title}</h2>
      </header>
      {paymentMethods.length === 0 && <p className="card-note">{words.empty}</p>}
      <ul className="events">
        {paymentMethods.map((method) => (
          <li key={method.id} className="event">
            <span className="means">
              <Means {...shownOf(method)} />
            </span>
            <span className="quiet">{method.expirationDate && words.expires(method.expirationDate)}</span>
            <span className="quiet">{words.used(method.usageCount)}</span>
            <Pill tone={TONES[method.status]}>{words.status[method.status]}</Pill>
            {mayRemove && (
              <IconButton
                icon="trash"
                label={words.remove(meansOf(shownOf(method)))}
                onPress={() => setLeaving(method)}
              />
            )}
          </li>
        ))}
      </ul>
      {leaving && <RemoveDialog method={leaving} onClose={() => setLeaving(null)} onChanged={onChanged} />}
    </section>
  );
}

/** A stored method in the form of a payment's. */
const shownOf = ({ method, scheme, lastFour }: Method) => ({
  method,
  card: lastFour === null ? null : { scheme: scheme?.toLowerCase() ?? method, lastFour },
});

type RemoveDialogProps = {
  readonly method: Method;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

/** Removes a payment method after a summary. */
function RemoveDialog({ method, onClose, onChanged }: RemoveDialogProps) {
  const act = useAct();
  const toast = useToast();
  const finish = (isRemoved: boolean): void => {
    toast(isRemoved ? 'good' : 'bad', isRemoved ? remove.done : remove.pending);
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={remove.title}
      act={act}
      look="danger"
      cancel={remove.keep}
      submit={remove.submit}
      summary={[[remove.method, <Means {...shownOf(method)} />]]}
      onSubmit={() => act.run(() => removeMethod(method.id), finish)}
      onClose={onClose}
    >
      <p className="quiet">{remove.text}</p>
    </FormDialog>
  );
}
