import { useId, useState, type ReactNode } from 'react';
import { Icon } from '../icon.tsx';

type DisclosureProps = {
  /** The line that is always there. */
  readonly summary: ReactNode;
  /** The part below, made when a person opens it. */
  readonly children: () => ReactNode;
};

/** A line that opens a part below it. */
export function Disclosure({ summary, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="disclosure" data-open={isOpen}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon name="down" size={14} />
        {summary}
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && children()}
      </div>
    </div>
  );
}
