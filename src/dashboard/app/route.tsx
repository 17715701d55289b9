import { useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent } from 'react';

/** The current address below the dashboard: the path without a slash at its start, and the search. */
export type Route = { readonly path: string; readonly search: URLSearchParams };

/** Follows the address of the browser. */
export function useRoute(): Route {
  const href = useSyncExternalStore(subscribe, () => location.href);
  const { pathname, search } = new URL(href);
  const base = new URL(document.baseURI).pathname;
  const path = pathname.startsWith(base) ? pathname.slice(base.length).replace(/\/$/, '') : '';
  return { path, search: new URLSearchParams(search) };
}

/** Goes to an address below the dashboard. `replace` adds no entry to the history. */
export function go(to: string, { replace = false } = {}): void {
  const address = new URL(to, document.baseURI);
  if (address.href === location.href) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  if (!replace) scrollTo(0, 0);
  dispatchEvent(new Event(NAVIGATED));
}

const NAVIGATED = 'paygraph:navigated';

function subscribe(changed: () => void): () => void {
  for (const name of ['popstate', NAVIGATED]) addEventListener(name, changed);
  return () => {
    for (const name of ['popstate', NAVIGATED]) removeEventListener(name, changed);
  };
}

/** A link below the dashboard. A click with a modifier key does as in every link. */
export function Link({ to, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }) {
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    event.preventDefault();
    go(to);
  };
  return (
    <a
      {...rest}
      href={new URL(to, document.baseURI).pathname + new URL(to, document.baseURI).search}
      onClick={follow}
    />
  );
}

/** Follows the view of a list, which the address holds as `show`. One view has the plain address. */
export function useShown<Name extends string>(
  path: string,
  names: readonly Name[],
  plain: Name,
): readonly [shown: Name, show: (name: Name) => void] {
  const given = useRoute().search.get('show');
  const shown = names.find((each) => each === given) ?? plain;
  return [shown, (name) => go(name === plain ? path : `${path}?show=${name}`, { replace: true })];
}

/** Returns an address with the values that are not empty. */
export function withSearch(path: string, values: Readonly<Record<string, string>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
