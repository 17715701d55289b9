import { useAct } from '../../app/data/act.ts';
import type { Reordering } from '../../app/keys/reorder.ts';
import { texts } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { Problem } from '../problem.tsx';
import { useToast } from '../toast.tsx';

const { order: words } = texts;

type HandleProps = { readonly id: string; readonly name: string; readonly reordering: Reordering };

/** The handle of a row, which the pointer drags and the arrow keys move. */
export const Handle = ({ id, name, reordering }: HandleProps) => (
  <button
    type="button"
    className="handle"
    title={words.hint}
    aria-label={words.move(name)}
    {...reordering.handle(id)}
  >
    <Icon name="grip" />
  </button>
);

type OrderBarProps = {
  /** The sentence about the changed order. */
  readonly text: string;
  /** The sentence after the order was saved. */
  readonly saved: string;
  readonly onSave: () => Promise<void>;
  readonly onSaved: () => void;
  readonly onDiscard: () => void;
};

/** Asks for the confirmation of a new order. */
export function OrderBar({ text, saved, onSave, onSaved, onDiscard }: OrderBarProps) {
  const act = useAct();
  const toast = useToast();
  const finish = (): void => {
    toast('good', saved);
    onSaved();
  };
  return (
    <footer className="order-bar">
      <p>{text}</p>
      {act.error !== null && <Problem error={act.error} />}
      <div className="actions">
        <Button onPress={onDiscard} isDisabled={act.isRunning}>
          {words.discard}
        </Button>
        <Button look="primary" onPress={() => act.run(onSave, finish)} isDisabled={act.isRunning}>
          {act.isRunning ? texts.action.running : words.save}
        </Button>
      </div>
    </footer>
  );
}
