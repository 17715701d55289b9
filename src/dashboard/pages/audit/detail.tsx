import { Copy } from '../../design/pieces.tsx';
import { FactList } from '../../design/record/facts.tsx';
import { texts } from '../../texts/texts.ts';
import { namesOf, shown, type Entry } from './entry.ts';

const words = texts.audit;

/** A change with each field before and after, and with the whole ids. */
export function Detail({ entry }: { readonly entry: Entry }) {
  const { before, after, target, actor } = entry;
  return (
    <div className="change-detail">
      <FactList
        facts={[
          [
            words.column.target,
            <>
              {target.type} <Copy value={target.id} />
            </>,
          ],
          [words.column.actor, actor.id && <Copy value={actor.id} />],
          [words.detail.address, actor.address],
        ]}
      />
      <table>
        <thead>
          <tr>
            <th scope="col">{words.detail.field}</th>
            {before && <th scope="col">{words.detail.before}</th>}
            {after && <th scope="col">{words.detail.after}</th>}
          </tr>
        </thead>
        <tbody>
          {namesOf(entry).map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {before && <td>{shown(before[name])}</td>}
              {after && <td>{shown(after[name])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
