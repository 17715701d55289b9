import { useState, type ReactNode } from 'react';
import { addressOf } from '../app/session.ts';
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

/** Makes the pill of a state from the words and the colours of all states. */
export const pillOf =
  <State extends string>(words: Readonly<Record<State, string>>, tones: Readonly<Record<State, Tone>>) =>
  ({ of }: { readonly of: State }) => <Pill tone={tones[of]}>{words[of]}</Pill>;

type EmptyProps = {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** The path of a guide below the server's address, with the words of its button. */
  readonly guide?: readonly [path: string, label: string];
  /** True on a page without another title. */
  readonly isPage?: boolean;
};

/** Stands in for a list without records, and leads on. */
export function Empty({ icon, title, children, actions, guide, isPage = false }: EmptyProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <Title>{title}</Title>
      {children && <p>{children}</p>}
      {(actions || guide) && (
        <div className="actions">
          {actions}
          {guide && (
            <a className="button" href={addressOf(guide[0])}>
              {guide[1]}
            </a>
          )}
        </div>
      )}
    </div>
  );
}

/** Stands in for a line of text that is on its way. */
export function Bone({ width }: { readonly width: number }) {
  return <span className="bone" style={{ width }} aria-hidden="true" />;
}

type BonesProps = { readonly widths?: readonly number[]; readonly isInside?: boolean };

/** Stands in for a card of lines that are on their way, or for the lines inside a card. */
export const CardBones = ({ widths = [280, 340, 300], isInside = false }: BonesProps) => (
  <div className={isInside ? 'card-bones' : 'card card-bones'} role="status" aria-label={texts.loading}>
    {widths.map((width) => (
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
