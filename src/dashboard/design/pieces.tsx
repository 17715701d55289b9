import { useState, type ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'good' | 'bad' | 'wait' | 'info' | 'calm';

/** A short state in a colour. The text alone tells the state, too. */
export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="pill" data-tone={tone}>
      {children}
    </span>
  );
}

type EmptyProps = {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** True on a page without another title. */
  readonly isPage?: boolean;
};

/** Stands in for a list without records, and leads on. */
export function Empty({ icon, title, children, actions, isPage = false }: EmptyProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <Title>{title}</Title>
      {children && <p>{children}</p>}
      {actions && <div className="actions">{actions}</div>}
    </div>
  );
}

/** Stands in for a line of text that is on its way. */
export function Bone({ width }: { readonly width: number }) {
  return <span className="bone" style={{ width }} aria-hidden="true" />;
}

/** Stands in for a card of lines that are on their way. */
export const CardBones = () => (
  <div className="card card-bones" role="status" aria-label={texts.loading}>
    {[280, 340, 300].map((width) => (
      <Bone key={width} width={width} />
    ))}
  </div>
);

/** A value that a click copies, such as an id. */
export function Copy({ value, shown = value }: { readonly value: string; readonly shown?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button
      type="button"
      className="copy"
      aria-label={`${texts.action.copy} ${value}`}
      title={texts.action.copy}
      onClick={() => void copy().catch(() => undefined)}
    >
      {isCopied ? texts.action.copied : shown}
      <Icon name={isCopied ? 'tick' : 'copy'} size={13} />
    </button>
  );
}
