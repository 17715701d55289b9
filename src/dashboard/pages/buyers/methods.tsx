import { useState } from 'react';
import type { PaymentMethodStatus } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { useMay } from '../../app/session-context.tsx';
import { IconButton } from '../../design/button.tsx';
import { ConfirmDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { pillOf } from '../../design/pieces.tsx';
import { CardList } from '../../design/record/card.tsx';
import { texts } from '../../texts/texts.ts';
import { meansOf, Method as Means } from '../payments/method.tsx';
import type { Buyer, Method } from './query.ts';

const { methods: words, remove } = texts.buyers;

const State = pillOf<PaymentMethodStatus>(words.status, {
  ...{ PROCESSING: 'calm', BUYER_APPROVAL_REQUIRED: 'wait', SUCCEEDED: 'good', FAILED: 'bad' },
  ...{ PAUSED: 'wait', DELETING: 'wait' },
});

type MethodsProps = { readonly buyer: Partial<Buyer>; readonly onChanged: () => void };

/** The stored payment methods of a buyer. Absent without the scope that reads them. */
export function Methods({ buyer: { paymentMethods }, onChanged }: MethodsProps) {
  const mayRemove = useMay('payment-methods.write');
  const [leaving, setLeaving] = useState<Method | null>(null);
  return (
    <>
      <CardList title={words.title} rows={paymentMethods} empty={words.empty}>
        {(method) => (
          <>
            <span className="means">
              <Means {...shownOf(method)} />
            </span>
            <span className="quiet">{method.expirationDate && words.expires(method.expirationDate)}</span>
            <span className="quiet">{words.used(method.usageCount)}</span>
            <State of={method.status} />
            {mayRemove && (
              <IconButton
                icon="trash"
                label={words.remove(meansOf(shownOf(method)))}
                onPress={() => setLeaving(method)}
              />
            )}
          </>
        )}
      </CardList>
      {leaving && <RemoveDialog method={leaving} onClose={() => setLeaving(null)} onChanged={onChanged} />}
    </>
  );
}

/** A stored method in the form of a payment's. */
const shownOf = ({ method, scheme, lastFour }: Method) => ({
  method,
  card: lastFour === null ? null : { scheme: scheme?.toLowerCase() ?? method, lastFour },
});

/** Removes a payment method after a summary. The provider may have to revoke a mandate later. */
const RemoveDialog = ({ method, ...ends }: DialogProps & { readonly method: Method }) => (
  <ConfirmDialog
    words={remove}
    text={remove.text}
    summary={[[remove.method, <Means {...shownOf(method)} />]]}
    run={() => api.mutate({ deletePaymentMethod: [{ id: method.id }, { deletedId: true }] })}
    said={({ deletePaymentMethod: { deletedId } }) =>
      deletedId === null ? ['bad', remove.pending] : remove.done
    }
    {...ends}
  />
);
