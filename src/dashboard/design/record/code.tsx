import type { ReactNode } from 'react';

/** A text as it is, which scrolls by itself. */
export function Code({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  // A person without a mouse scrolls what has the focus.
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={label}>
      {children}
    </pre>
  );
}

/** JSON with its names and values in colours. A text that is no JSON shows as it is. */
export function Json({ label, text }: { readonly label: string; readonly text: string }) {
  return <Code label={label}>{[...coloured(formatted(text))]}</Code>;
}

/** Writes JSON over several lines. */
export function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function* coloured(text: string): Generator<ReactNode> {
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [all, quoted, colon] = match;
    yield text.slice(at, match.index);
    const kind = quoted === undefined ? 'value' : colon === undefined ? 'text' : 'name';
    yield (
      <span key={match.index} data-kind={kind}>
        {quoted ?? all}
      </span>
    );
    at = match.index + (quoted ?? all).length;
  }
  yield text.slice(at);
}

/** The recovery codes, one below the other. */
export const CodeList = ({ codes }: { readonly codes: readonly string[] }) => (
  <ul className="recovery-codes">
    {codes.map((code) => (
      <li key={code}>
        <code>{code}</code>
      </li>
    ))}
  </ul>
);
