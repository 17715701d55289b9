import { useState } from 'react';
import { useReorder, type Reordering } from '../../app/keys/reorder.ts';
import { IconButton } from '../../design/button.tsx';
import { Handle, OrderBar } from '../../design/list/order.tsx';
import { Pill } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import { moveRules, type Rule } from './query.ts';
import { DeleteDialog, RuleDialog } from './rule-dialog.tsx';
import { stepsTo } from './steps.ts';
import { conditionsOf, effectOf, outcomeOf, toneOf } from './words.ts';

const { threeDS: words } = texts;

type ListProps = {
  readonly rules: readonly Rule[];
  readonly mayWrite: boolean;
  readonly onChanged: () => void;
};

/** The rules from top to bottom. The first that a payment meets decides. */
export function RuleList({ rules, mayWrite, onChanged }: ListProps) {
  const ids = rules.map(({ id }) => id);
  const { order, isChanged, said, discard, ...reordering } = useReorder(ids, (id, rank, count) =>
    texts.order.said(words.rule(ids.indexOf(id) + 1), rank, count),
  );
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return (
    <section className="card ordered" aria-label={words.title}>
      <ol data-dragging={reordering.dragged !== null}>
        {order.map((id, at) => {
          const rule = byId.get(id);
          return (
            rule && (
              <Line
                key={id}
                rule={rule}
                rank={at + 1}
                name={words.rule(ids.indexOf(id) + 1)}
                reordering={mayWrite && rules.length > 1 ? reordering : null}
                mayWrite={mayWrite && !isChanged}
                onChanged={onChanged}
              />
            )
          );
        })}
      </ol>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {isChanged && (
        <OrderBar
          text={words.orderChanged}
          saved={words.orderSaved}
          onSave={() => moveRules(stepsTo(ids, order))}
          onSaved={onChanged}
          onDiscard={discard}
        />
      )}
    </section>
  );
}

type LineProps = Omit<ListProps, 'rules'> & {
  readonly rule: Rule;
  readonly rank: number;
  readonly name: string;
  readonly reordering: Reordering | null;
};

function Line({ rule, rank, name, reordering, mayWrite, onChanged }: LineProps) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <li className="ordered-line rule" data-dragged={reordering?.dragged === rule.id}>
      <span className="place">
        {reordering && <Handle id={rule.id} name={name} reordering={reordering} />}
        <span className="rank">{rank}</span>
      </span>
      <span className="conditions">
        {conditionsOf(rule).map(([label, value]) => (
          <span key={label}>
            <span className="quiet">{label}</span> {value}
          </span>
        ))}
      </span>
      <span className="rule-outcome">
        <Pill tone={toneOf(rule.outcome)}>{outcomeOf(rule.outcome)}</Pill>
        <span className="quiet">{effectOf(rule.outcome)}</span>
      </span>
      {mayWrite && (
        <span className="rule-acts">
          <IconButton icon="pencil" label={words.edit(name)} onPress={() => setOpen('edit')} />
          <IconButton icon="trash" label={words.remove(name)} onPress={() => setOpen('delete')} />
        </span>
      )}
      {open === 'edit' && <RuleDialog rule={rule} onClose={close} onChanged={onChanged} />}
      {open === 'delete' && <DeleteDialog rule={rule} onClose={close} onChanged={onChanged} />}
    </li>
  );
}
