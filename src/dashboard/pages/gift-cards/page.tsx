import { useState, type ReactNode } from 'react';
import { usePages } from '../../app/pages.ts';
import { isAbout, useRefresh } from '../../app/refresh.ts';
import { go } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { useToast } from '../../design/toast.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { nameOf } from '../buyers/name.ts';
import { BalanceDialog } from './balance-dialog.tsx';
import { readGiftCards, type Row } from './query.ts';
import { GiftCardState, numberOf } from './state.tsx';
import { StoreDialog } from './store-dialog.tsx';

const { giftCards } = texts;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'balance',
    label: giftCards.column.balance,
    track: 'minmax(120px, 1fr)',
    place: 'title',
    show: ({ balance, currency }) => <Amount amount={balance} currency={currency} />,
  },
  {
    name: 'state',
    label: giftCards.column.state,
    track: 'minmax(90px, 0.7fr)',
    place: 'state',
    show: (row) => <GiftCardState {...row} />,
  },
  {
    name: 'number',
    label: giftCards.column.number,
    track: 'minmax(110px, 0.9fr)',
    place: 'note',
    show: numberOf,
  },
  {
    name: 'buyer',
    label: giftCards.column.buyer,
    track: 'minmax(120px, 1.4fr)',
    show: ({ buyer }: Partial<Row>) => (buyer ? nameOf(buyer) : null),
  },
  {
    name: 'used',
    label: giftCards.column.used,
    track: 'minmax(90px, 0.7fr)',
    show: ({ usageCount }) => usageCount,
  },
  {
    name: 'created',
    label: giftCards.column.created,
    track: 'minmax(104px, 0.8fr)',
    place: 'time',
    show: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

/** The stored gift cards of the merchant account, newest first. */
export function GiftCards() {
  const mayReadBuyers = useMay('buyers.read');
  const list = usePages('gift-cards', (after, signal) => readGiftCards(mayReadBuyers, after, signal));
  const [open, setOpen] = useState<'store' | 'balance' | null>(null);
  const mayWrite = useMay('gift-cards.write');
  const toast = useToast();
  useRefresh(list.reload, { concerns: isAbout('gift-card'), isMoving: false });
  const store = mayWrite && (
    <Button icon="plus" look="primary" onPress={() => setOpen('store')}>
      {giftCards.store.open}
    </Button>
  );
  const close = (): void => setOpen(null);
  const finish = (id: string): void => {
    toast('good', giftCards.store.done);
    go(`gift-cards/${id}`);
  };
  return (
    <>
      <PageHead title={giftCards.title}>
        <div className="actions">
          <Button onPress={() => setOpen('balance')}>{giftCards.balance.open}</Button>
          {store}
        </div>
      </PageHead>
      <Table
        label={giftCards.title}
        columns={COLUMNS}
        list={list}
        to={({ id }) => `gift-cards/${id}`}
        empty={<NoGiftCards store={store} />}
      />
      {open === 'store' && <StoreDialog onClose={close} onStored={finish} />}
      {open === 'balance' && <BalanceDialog onClose={close} />}
    </>
  );
}

const NoGiftCards = ({ store }: { readonly store: ReactNode }) => (
  <Empty
    icon="giftCard"
    title={giftCards.none.title}
    actions={
      <>
        {store}
        <a className="button" href={addressOf('docs/guides/gift-cards')}>
          {giftCards.none.guide}
        </a>
      </>
    }
  >
    {giftCards.none.text}
  </Empty>
);
