import { useState } from 'react';
import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, useList, type Ask } from '../../app/data/pages.ts';
import { isAbout } from '../../app/data/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { columnsOf } from '../../design/list/columns.ts';
import { ListPage, useCreation } from '../../design/list/list-page.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { nameOf } from '../buyers/name.ts';
import { BalanceDialog, StoreDialog } from './dialogs.tsx';
import { cardOf, type GiftCardRow } from './query.ts';
import { GiftCardState, numberOf } from './state.tsx';

const { giftCards } = texts;

/** Reads a page of the gift cards, newest first. */
async function readGiftCards(withBuyer: boolean, { after, signal }: Ask) {
  const { giftCards: found } = await api.query(
    { giftCards: [{ first: 50, after }, pageOf(cardOf(withBuyer))] },
    { signal },
  );
  return rowsOf(found);
}

const COLUMNS = columnsOf<GiftCardRow>(giftCards.column, {
  balance: { track: [120, 1], place: 'title', show: (row) => <Amount {...row} amount={row.balance} /> },
  state: { track: [90, 0.7], place: 'state', show: (row) => <GiftCardState {...row} /> },
  number: { track: [110, 0.9], place: 'note', show: numberOf },
  buyer: { track: [120, 1.4], show: ({ buyer }: Partial<GiftCardRow>) => (buyer ? nameOf(buyer) : null) },
  used: { track: [90, 0.7], show: ({ usageCount }) => usageCount },
  created: { track: [104, 0.8], place: 'time', show: ({ createdAt }) => <Moment at={createdAt} /> },
});

/** The stored gift cards of the merchant account, newest first. */
export function GiftCards() {
  const mayReadBuyers = useMay('buyers.read');
  const list = useList('gift-cards', (ask) => readGiftCards(mayReadBuyers, ask), isAbout('gift-card'));
  const [isAsking, setAsking] = useState(false);
  const { none, store, balance } = giftCards;
  const { add, creating } = useCreation('gift-cards.write', store.open, (onClose) => (
    <StoreDialog onClose={onClose} />
  ));
  return (
    <ListPage
      title={giftCards.title}
      actions={
        <div className="actions">
          <Button onPress={() => setAsking(true)}>{balance.open}</Button>
          {add}
        </div>
      }
      list={list}
      columns={COLUMNS}
      to={({ id }) => `gift-cards/${id}`}
      empty={
        <Empty
          icon="giftCard"
          title={none.title}
          actions={add}
          guide={['docs/guides/gift-cards', none.guide]}
        >
          {none.text}
        </Empty>
      }
    >
      {creating}
      {isAsking && <BalanceDialog onClose={() => setAsking(false)} />}
    </ListPage>
  );
}
