import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { go } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Problem } from '../../design/problem.tsx';
import { useToast } from '../../design/toast.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { refusalOf } from '../gift-cards/balance-dialog.tsx';
import { askBalance, type Balance } from '../gift-cards/query.ts';
import { numberOf } from '../gift-cards/state.tsx';
import { deleteGiftCard, type GiftCard } from './query.ts';

const { giftCards } = texts;

type ActionsProps = { readonly card: GiftCard; readonly onChanged: () => void };

/** Asks for the balance, and deletes the gift card. */
export function Actions({ card, onChanged }: ActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  const act = useAct();
  const toast = useToast();
  const finish = (answer: Balance): void => {
    const { balance, currency } = answer;
    if (balance === null || currency === null) toast('bad', refusalOf(answer));
    else toast('good', giftCards.balance.now(writeMoney({ amount: balance, currency })));
    onChanged();
  };
  return (
    <div className="actions">
      {act.error !== null && <Problem error={act.error} />}
      <Button
        icon="sync"
        isDisabled={act.isRunning}
        onPress={() => act.run(() => askBalance({ id: card.id }), finish)}
      >
        {act.isRunning ? texts.action.running : giftCards.balance.ask}
      </Button>
      {useMay('gift-cards.write') && (
        <Button icon="trash" look="danger" onPress={() => setDeleting(true)}>
          {giftCards.delete.open}
        </Button>
      )}
      {isDeleting && <DeleteDialog card={card} onClose={() => setDeleting(false)} />}
    </div>
  );
}

type DeleteDialogProps = Pick<ActionsProps, 'card'> & { readonly onClose: () => void };

/** Deletes a gift card after a summary of what is on it. */
function DeleteDialog({ card, onClose }: DeleteDialogProps) {
  const { delete: words } = giftCards;
  return (
    <ConfirmDialog
      words={words}
      text={words.text}
      said={words.done}
      summary={[
        [giftCards.column.number, numberOf(card)],
        [giftCards.column.balance, <Amount amount={card.balance} currency={card.currency} />],
      ]}
      run={() => deleteGiftCard(card.id)}
      onDone={() => go('gift-cards', { replace: true })}
      onClose={onClose}
    />
  );
}
