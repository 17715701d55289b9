import { useEffect, useRef, useState } from 'react';
import { useMedia } from '../../app/frame/media.ts';
import { useKeys } from '../../app/keys/keys.ts';
import { Icon } from '../icon.tsx';

/** The time after the last letter before the search runs. */
const PAUSE_MS = 180;

type SearchProps = {
  readonly label: string;
  /** The label inside the field of a phone. */
  readonly short: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Searches while a person types. The key `/` leads here, and Escape leaves. */
export function Search({ label, short, value, onChange }: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const isPhone = useMedia('(max-width: 760px)');
  const latest = useRef(onChange);
  latest.current = onChange;
  // The address changes by itself, too: by the buttons of the browser, and by links.
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => latest.current(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  useKeys({ '/': () => input.current?.focus() });
  return (
    <div className="search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        className="input"
        aria-label={label}
        placeholder={isPhone ? short : label}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && input.current?.blur()}
      />
      {text === '' && <kbd aria-hidden="true">/</kbd>}
    </div>
  );
}
