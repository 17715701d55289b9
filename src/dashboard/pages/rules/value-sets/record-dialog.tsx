import { useRead } from '../../../app/data/read.ts';
import { useMay } from '../../../app/session-context.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/form/dialog.tsx';
import { Bone } from '../../../design/pieces.tsx';
import { Problem } from '../../../design/problem.tsx';
import { writeList } from '../../../design/value.tsx';
import { texts } from '../../../texts/texts.ts';
import { VersionLink } from '../activity.tsx';
import { readUses, type ValueSet } from './query.ts';

const { valueSets: words } = texts;

type RecordDialogProps = {
  readonly valueSet: ValueSet;
  readonly onEdit: () => void;
  readonly onClose: () => void;
};

/** The values of a value set, and the rules that use them. */
export function RecordDialog({ valueSet, onEdit, onClose }: RecordDialogProps) {
  const mayEdit = useMay('routing-rules.write');
  return (
    <Dialog
      title={valueSet.name}
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{texts.action.close}</Button>
          {mayEdit && (
            <Button look="primary" icon="pencil" onPress={onEdit}>
              {words.edit}
            </Button>
          )}
        </>
      }
    >
      <p className="quiet">
        {words.kinds[valueSet.kind]} · {words.count(valueSet.values.length)}
      </p>
      {/* A long list scrolls, and the keyboard reaches it. */}
      <ul className="set-values" tabIndex={0} aria-label={words.values}>
        {valueSet.values.map((value) => (
          <li key={value}>{value}</li>
        ))}
      </ul>
      <h3 className="form-part">{words.uses}</h3>
      <Uses id={valueSet.id} />
    </Dialog>
  );
}

function Uses({ id }: { readonly id: string }) {
  const { data, error, reload } = useRead(id, (signal) => readUses(id, signal), { forget: true });
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Bone width={240} />;
  if (data.length === 0) return <p className="quiet">{words.unused}</p>;
  return (
    <ul className="set-uses">
      {data.map(({ version, rules }) => (
        <li key={version.id}>
          <VersionLink version={version} /> <span className="quiet">{writeList(rules)}</span>
        </li>
      ))}
    </ul>
  );
}
