import { useReorder, type Reordering } from '../../app/keys/reorder.ts';
import { Link } from '../../app/route.tsx';
import { Handle, OrderBar } from '../../design/list/order.tsx';
import { texts } from '../../texts/texts.ts';
import { codesOf } from './codes.ts';
import { movesTo } from './order.ts';
import { saveOrder, type Row, type Success } from './query.ts';
import { ServiceState } from './state.tsx';
import { methodName, writeShare } from './words.ts';

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
  const title = methodName(method, rows[0]?.definition);
  const nameOf = (id: string): string => rows.find((each) => each.id === id)?.displayName ?? '';
  const { order, said, discard, ...reordering } = useReorder(
    rows.map(({ id }) => id),
    (id, rank, count) => texts.order.said(nameOf(id), rank, count),
  );
  const isOrdered = mayWrite && rows.length > 1;
  return (
    <section className="card ordered" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {isOrdered && <span className="quiet">{texts.order.hint}</span>}
      </header>
      <ol data-dragging={reordering.dragged !== null}>
        {order.map((id, at) => {
          const row = rows.find((each) => each.id === id);
          return (
            row && (
              <Line
                key={id}
                row={row}
                rank={rows.length > 1 ? at + 1 : null}
                success={success.get(id)}
                reordering={isOrdered ? reordering : null}
              />
            )
          );
        })}
      </ol>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {reordering.isChanged && (
        <OrderBar
          text={words.order.changed}
          saved={words.order.saved}
          onSave={() => saveOrder(movesTo(all, order))}
          onSaved={onChanged}
          onDiscard={discard}
        />
      )}
    </section>
  );
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
    <li className="ordered-line service" data-dragged={reordering?.dragged === id} data-off={!row.active}>
      <span className="place">
        {reordering && <Handle id={id} name={displayName} reordering={reordering} />}
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
            countriesOf(row.acceptedCountries),
          ].join(' · ')}
        </span>
      </span>
      <span className="service-success">
        {success && (
          <>
            <strong>{words.authorized(writeShare(success.share))}</strong>
            <span className="quiet">{words.attempts(success.attempts)}</span>
          </>
        )}
      </span>
      <ServiceState {...row} />
    </li>
  );
}

/** The most countries that a line names. */
const COUNTRIES_MAX = 3;

const countriesOf = (codes: readonly string[]): string =>
  codes.length > COUNTRIES_MAX ? words.countries(codes.length) : codesOf(codes);
