import { useEffect, useRef, type ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import { useLiveState } from '../data/live.tsx';
import { Link } from '../route.tsx';
import { useSession } from '../session-context.tsx';
import type { Leaving } from '../session.ts';
import { Account } from './account.tsx';
import { Navigation } from './navigation.tsx';

/** The frame of each page: navigation at the side, or at the top of a phone. */
export function Shell({
  children,
  onSignOut,
}: {
  readonly children: ReactNode;
  readonly onSignOut: (leaving: Leaving) => void;
}) {
  const { environment } = useSession();
  const main = useRef<HTMLElement>(null);
  return (
    <>
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          // The address of a fragment would be below the base, so the link acts by itself.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {texts.skip}
      </a>
      <div className="shell">
        <header className="side">
          <Link className="brand" to="." aria-label={texts.product}>
            <Mark />
            <span>{texts.product}</span>
          </Link>
          <Navigation />
          <div className="side-foot">
            {environment === 'sandbox' && (
              <p className="environment">
                <strong>{texts.account.sandbox}</strong>
                <span>{texts.account.sandboxNote}</span>
              </p>
            )}
            <Account onSignOut={onSignOut} />
          </div>
        </header>
        <main className="main" id="content" tabIndex={-1} ref={main}>
          {children}
        </main>
      </div>
    </>
  );
}

/** The mark of the product. */
export function Mark() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#1f3fdb" />
      <path
        d="M9 23V9h8.5a5 5 0 0 1 0 10H9"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinejoin="round"
      />
      <g fill="#7de2b8">
        <circle cx="9" cy="23" r="3" />
        <circle cx="9" cy="9" r="3" />
        <circle cx="22.4" cy="14" r="3" />
      </g>
    </svg>
  );
}

/** The head of a page: its name, the state of the live connection, and its actions. */
export function PageHead({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <div className="page-head">
      <h1>{title}</h1>
      <LiveMark />
      {children}
    </div>
  );
}

/** Shows whether changes appear by themselves. */
export function LiveMark() {
  const state = useLiveState();
  const hint = state === 'connected' ? texts.live.connectedHint : texts.live.disconnectedHint;
  return (
    <span className="live" data-state={state} role="status" title={hint}>
      {texts.live[state]}
    </span>
  );
}
