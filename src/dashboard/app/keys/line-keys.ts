import { useKeys } from './keys.ts';

/** Moves through the lines that open with j and k. Enter opens a line, because each is a button. */
export function useLineKeys(): void {
  const move = (by: number): void => {
    const lines = [...document.querySelectorAll<HTMLButtonElement>('.lines .disclosure > button')];
    const at = lines.findIndex((line) => line === document.activeElement);
    const next = lines[Math.max(0, Math.min(lines.length - 1, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
}
