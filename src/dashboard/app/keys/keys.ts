import { useEffect, useRef } from 'react';

/** Calls the function of a key, unless a person types text or a dialog is open. Return false to let the browser act. */
export function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTaken(event.target))
        return;
      const act = latest.current[event.key];
      if (act && act() !== false) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"]')) return true;
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
