import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { Link } from '../../app/route.tsx';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { Problem } from '../../design/problem.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { codesOf } from './codes.ts';
import { movesTo } from './order.ts';
import { saveOrder, type Row, type Success } from './query.ts';
import { useReorder, type Reordering } from './reorder.ts';
import { ServiceState } from './state.tsx';

const { services: words } = texts;

export type MethodProps = {
  readonly method: string;
  /** All services, because the ones of other methods have positions too. */
  readonly all: readonly Row[];
  readonly success: ReadonlyMap<string, Success>;
  readonly mayWrite: boolean;
  readonly onChanged: () => void;
};

/** The services of one method in the order in which routing asks them. A new order takes effect when it is saved. */
export function Method({ method, all, success, mayWrite, onChanged }: MethodProps) {
  const rows = all.filter((each) => each.method === method);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [said, say] = useState('');
  const ids = orderOf(rows, chosen);
  const reordering = useReorder({
    ids,
    onChange: (next, id) => {
      setChosen(next);
      const row = rows.find((each) => each.id === id);
      if (row) say(words.order.said(row.displayName, next.indexOf(row.id) + 1, next.length));
    },
  });
  const moves = movesTo(all, ids);
  return (
    <section className="card services" aria-label={words.method(method)}>
      <header>
        <h2>{words.method(method)}</h2>
        {rows.length > 1 && mayWrite && <span className="quiet">{words.order.hint}</span>}
      </header>
      <ol data-dragging={reordering.dragged !== null}>
        {ids.map((id, at) => {
          const row = rows.find((each) => each.id === id);
          return (
            row && (
              <Line
                key={id}
                row={row}
                rank={rows.length > 1 ? at + 1 : null}
                success={success.get(id)}
                reordering={mayWrite && rows.length > 1 ? reordering : null}
              />
            )
          );
        })}
      </ol>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {chosen && moves.length > 0 && (
        <OrderBar onSave={() => saveOrder(moves)} onSaved={onChanged} onDiscard={() => setChosen(null)} />
      )}
    </section>
  );
}

/** Returns the chosen order as long as it names exactly the services that exist. */
function orderOf(rows: readonly Row[], chosen: readonly string[] | null): readonly string[] {
  const ids = rows.map(({ id }) => id);
  return chosen && chosen.length === ids.length && ids.every((id) => chosen.includes(id)) ? chosen : ids;
}

type LineProps = {
  readonly row: Row;
  /** Null for the only service of a method. */
  readonly rank: number | null;
  readonly success: Success | undefined;
  readonly reordering: Reordering | null;
};

function Line({ row, rank, success, reordering }: LineProps) {
  const { id, displayName, definition, paymentServiceDefinitionId } = row;
  return (
    <li className="service" data-dragged={reordering?.dragged === id} data-off={!row.active}>
      <span className="service-place">
        {reordering && (
          <button
            type="button"
            className="handle"
            title={words.order.hint}
            aria-label={words.order.move(displayName)}
            {...reordering.handle(id)}
          >
            <Icon name="grip" />
          </button>
        )}
        {rank !== null && <span className="rank">{rank}</span>}
      </span>
      <span className="service-name">
        <Link to={`services/${id}`} id={`row-${id}`} className="grid-link">
          {displayName}
        </Link>
        <span className="quiet">
          {[
            definition?.displayName ?? paymentServiceDefinitionId,
            codesOf(row.acceptedCurrencies),
            words.countries(row.acceptedCountries.length, codesOf(row.acceptedCountries)),
          ].join(' · ')}
        </span>
      </span>
      <span className="service-success">
        {success && (
          <>
            <strong>{words.authorized(words.share(success.share))}</strong>
            <span className="quiet">{words.attempts(success.attempts)}</span>
          </>
        )}
      </span>
      <ServiceState {...row} />
    </li>
  );
}

type OrderBarProps = {
  readonly onSave: () => Promise<void>;
  readonly onSaved: () => void;
  readonly onDiscard: () => void;
};

/** Asks for the confirmation of a new order, because the order decides who gets the payments. */
function OrderBar({ onSave, onSaved, onDiscard }: OrderBarProps) {
  const act = useAct();
  const toast = useToast();
  const finish = (): void => {
    toast('good', words.order.saved);
    onSaved();
  };
  return (
    <footer className="order-bar">
      <p>{words.order.changed}</p>
      {act.error !== null && <Problem error={act.error} />}
      <div className="actions">
        <Button onPress={onDiscard} isDisabled={act.isRunning}>
          {words.order.discard}
        </Button>
        <Button look="primary" onPress={() => act.run(onSave, finish)} isDisabled={act.isRunning}>
          {act.isRunning ? texts.action.running : words.order.save}
        </Button>
      </div>
    </footer>
  );
}
