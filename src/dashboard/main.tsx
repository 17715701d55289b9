import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { showTheme } from './app/frame/theme.ts';
import { LOCALE } from './design/value.tsx';
import { showLanguage } from './texts/language.ts';
import { texts } from './texts/texts.ts';

showTheme();
showLanguage(texts.language);
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <I18nProvider locale={LOCALE}>
      <App />
    </I18nProvider>,
  );
