import { useMay } from '../../app/session-context.tsx';
import { ActButton } from '../../design/form/act-button.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { plannedOf } from './activations.ts';
import { cancelActivation, type Activity } from './query.ts';
import { versionName } from './words.ts';

const { activations: words } = texts.routingRules;

type PlannedProps = {
  readonly activity: Pick<Activity, 'activations' | 'active'>;
  /** Reads the activations again. Without it, the plans have no buttons. */
  readonly onChanged?: () => void;
};

/** The activations that have not begun, the next one first, with the buttons that cancel them. */
export function Planned({ activity: { activations, active }, onChanged }: PlannedProps) {
  const mayCancel = useMay('routing-activations.write');
  const planned = plannedOf(activations, active);
  if (planned.length === 0) return null;
  return (
    <ul className="planned">
      {planned.map(({ id, version, activeFrom }) => (
        <li key={id}>
          <span>
            {version ? words.begins(versionName(version)) : words.beginsNone}{' '}
            <strong>
              <Moment at={activeFrom} />
            </strong>
          </span>
          {mayCancel && onChanged && (
            <ActButton run={() => cancelActivation(id)} said={words.canceled} onDone={onChanged}>
              {words.cancel}
            </ActButton>
          )}
        </li>
      ))}
    </ul>
  );
}
