import { useState } from 'react';
import { useList } from '../../../app/data/pages.ts';
import { isAbout } from '../../../app/data/refresh.ts';
import { useMay } from '../../../app/session-context.tsx';
import { Button } from '../../../design/button.tsx';
import { More } from '../../../design/list/more.tsx';
import { Problem } from '../../../design/problem.tsx';
import { CardList } from '../../../design/record/card.tsx';
import { Moment } from '../../../design/value.tsx';
import { texts } from '../../../texts/texts.ts';
import { EditDialog } from './edit-dialog.tsx';
import { readValueSets, type ValueSet } from './query.ts';
import { RecordDialog } from './record-dialog.tsx';

const { valueSets: words } = texts;

/** The open dialog: a value set, or the form of one. The form without a value set makes a new one. */
type Open = { readonly isForm: boolean; readonly id: string | null };

/** The card of value sets, with the dialogs about them. */
export function ValueSets() {
  const list = useList('value-sets', readValueSets, isAbout('routing-value-set'));
  const [open, setOpen] = useState<Open | null>(null);
  const mayAdd = useMay('routing-rules.write');
  const rows = list.data?.rows ?? [];
  const shown = rows.find(({ id }) => id === open?.id) ?? null;
  const close = (): void => setOpen(null);
  return (
    <>
      <CardList<ValueSet>
        look="routing-rows"
        title={words.title}
        aside={
          mayAdd && (
            <Button icon="plus" onPress={() => setOpen({ isForm: true, id: null })}>
              {words.add}
            </Button>
          )
        }
        rows={rows}
        empty={list.data && words.none}
        note={list.error !== null && <Problem error={list.error} onRetry={list.reload} />}
        foot={<More list={list} />}
      >
        {({ id, name, kind, values, updatedAt }) => (
          <>
            <span className="name">
              <button type="button" className="link" onClick={() => setOpen({ isForm: false, id })}>
                {name}
              </button>
            </span>
            <span className="quiet">
              {words.kinds[kind]} · {words.count(values.length)}
            </span>
            <span className="quiet">
              <Moment at={updatedAt} />
            </span>
          </>
        )}
      </CardList>
      {open?.isForm && (shown ?? open.id === null) && (
        <EditDialog valueSet={shown} onClose={close} onChanged={list.reload} />
      )}
      {open && !open.isForm && shown && (
        <RecordDialog
          valueSet={shown}
          onEdit={() => setOpen({ isForm: true, id: shown.id })}
          onClose={close}
        />
      )}
    </>
  );
}
