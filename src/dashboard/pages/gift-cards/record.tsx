import { useState } from 'react';
import type { Said } from '../../app/data/act.ts';
import { api } from '../../app/data/api.ts';
import { paymentsOf } from '../../app/data/live.tsx';
import { isAboutRecord, useRecord } from '../../app/data/refresh.ts';
import { go, Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { ActButton } from '../../design/form/act-button.tsx';
import { ConfirmDialog } from '../../design/form/form-dialog.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Facts } from '../../design/record/facts.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Amount, Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { nameOf } from '../buyers/name.ts';
import { refusalOf } from './dialogs.tsx';
import { askBalance, readGiftCard, type Balance, type FoundGiftCard } from './query.ts';
import { Redemptions } from './redemptions.tsx';
import { GiftCardState, numberOf } from './state.tsx';

const { giftCards } = texts;

/** The page of a gift card: its balance, its redemptions and its owner. */
export function GiftCard({ id }: { readonly id: string }) {
  const mayReadBuyers = useMay('buyers.read');
  const concerns = isAboutRecord(id);
  const read = useRecord(id, (signal) => readGiftCard(id, mayReadBuyers, signal), {
    concerns: (events) => concerns(events) || paymentsOf(events).size > 0,
  });
  const mayReadPayments = useMay('transactions.read');
  return (
    <RecordPage
      read={read}
      list="gift-cards"
      words={giftCards}
      title={(card) => giftCards.name(numberOf(card))}
      head={(card) => ({
        title: <Amount amount={card.balance} currency={card.currency} />,
        state: <GiftCardState {...card} />,
        sentence: (
          <>
            {giftCards.name(numberOf(card))}. {giftCards.asOf} <Moment at={card.balanceUpdatedAt} seconds />
          </>
        ),
        actions: <Actions card={card} onChanged={read.reload} />,
      })}
      main={(card) => mayReadPayments && <Redemptions card={card} />}
      side={(card) => <Details card={card} />}
    />
  );
}

type ActionsProps = { readonly card: FoundGiftCard; readonly onChanged: () => void };

/** Asks for the balance, and deletes the gift card. */
function Actions({ card, onChanged }: ActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  const { balance, delete: words } = giftCards;
  return (
    <div className="actions">
      <ActButton
        icon="sync"
        running={texts.action.running}
        run={() => askBalance({ id: card.id })}
        said={sayBalance}
        onDone={onChanged}
      >
        {balance.ask}
      </ActButton>
      {useMay('gift-cards.write') && (
        <Button icon="trash" look="danger" onPress={() => setDeleting(true)}>
          {words.open}
        </Button>
      )}
      {isDeleting && (
        <ConfirmDialog
          words={words}
          text={words.text}
          said={words.done}
          summary={[
            [giftCards.column.number, numberOf(card)],
            [giftCards.column.balance, <Amount amount={card.balance} currency={card.currency} />],
          ]}
          run={() => api.mutate({ deleteGiftCard: [{ id: card.id }, { deletedId: true }] })}
          onDone={() => go('gift-cards', { replace: true })}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}

const sayBalance = (answer: Balance): Said =>
  answer.balance === null || answer.currency === null
    ? ['bad', refusalOf(answer)]
    : giftCards.balance.now(writeMoney({ amount: answer.balance, currency: answer.currency }));

function Details({ card }: { readonly card: FoundGiftCard }) {
  const { details } = giftCards;
  const { buyer }: Partial<Pick<FoundGiftCard, 'buyer'>> = card;
  return (
    <Facts
      title={details.title}
      facts={[
        [details.number, `${card.bin} ${card.subBin}… ${card.lastFour}`],
        [details.buyer, buyer && <Link to={`buyers/${buyer.id}`}>{nameOf(buyer)}</Link>],
        [details.expires, card.expirationDate && <Moment at={card.expirationDate} />],
        [details.used, giftCards.times(card.usageCount)],
        [details.lastUsed, card.lastUsedAt && <Moment at={card.lastUsedAt} />],
        [details.service, card.paymentService.displayName],
        [details.created, <Moment at={card.createdAt} />],
        [details.id, <Copy value={card.id} />],
      ]}
    />
  );
}
