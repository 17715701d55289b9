/** The languages of the dashboard, each by its own name. */
export const LANGUAGES = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  ja: '日本語',
  ar: 'العربية',
} as const;

export type Language = keyof typeof LANGUAGES;

const KEY = 'paygraph.language';

/** Returns the language that the person chose here, else the first known language of the browser, else English. */
export function readLanguage(): Language {
  const wanted = [localStorage.getItem(KEY) ?? '', ...navigator.languages];
  return wanted.map(languageOf).find(isLanguage) ?? 'en';
}

/** Keeps a language in this browser. The page shows it after a reload. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  location.reload();
}

/** Tells the browser the language of the page, with the direction of its script. */
export function showLanguage(language: string): void {
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
}

/** Returns the language of a tag, such as `de` for `de-AT`. A browser may name a tag that `Intl` refuses. */
export function languageOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return '';
  }
}

const isLanguage = (language: string): language is Language => Object.hasOwn(LANGUAGES, language);
