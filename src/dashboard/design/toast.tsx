import { createContext, useContext, useState, type ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

/** The colour of a toast. */
export type ToastTone = 'good' | 'bad';
type Toast = { readonly id: number; readonly tone: ToastTone; readonly text: string };
type Show = (tone: ToastTone, text: string) => void;

const ToastContext = createContext<Show>(() => undefined);

/** The time for which a toast stays. A failed act shows its error at its own place, not here. */
const SHOWN_MS = 6_000;

/** Holds the toasts of all pages. Screen readers read each one out. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const drop = (id: number): void => setToasts((all) => all.filter((each) => each.id !== id));
  const [show] = useState<Show>(() => (tone: ToastTone, text: string) => {
    const id = performance.now();
    setToasts((all) => [...all.slice(-3), { id, tone, text }]);
    setTimeout(() => drop(id), SHOWN_MS);
  });
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, tone, text }) => (
          <div key={id} className="toast" data-tone={tone}>
            <Icon name={tone === 'good' ? 'tick' : 'warning'} />
            <div>{text}</div>
            <IconButton icon="close" label={texts.action.close} onPress={() => drop(id)} />
          </div>
        ))}
      </div>
    </ToastContext>
  );
}

/** Returns the function that shows a toast. */
export const useToast = (): Show => useContext(ToastContext);
