/** The look that the person chose. `system` follows the browser. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'paygraph.theme';

/** Returns the chosen look. */
export function readTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Shows a look, and keeps it in this browser. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  showTheme();
}

/** Shows the chosen look. */
export function showTheme(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
