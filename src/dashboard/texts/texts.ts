import { texts as english, type Texts } from '../generated/texts/en.ts';
import { readLanguage, type Language } from './language.ts';

/** Loads a language by need. English is part of the first page. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly texts: Texts }>>> = {
  ar: () => import('../generated/texts/ar.ts'),
  de: () => import('../generated/texts/de.ts'),
  es: () => import('../generated/texts/es.ts'),
  fr: () => import('../generated/texts/fr.ts'),
  ja: () => import('../generated/texts/ja.ts'),
  pt: () => import('../generated/texts/pt.ts'),
};

/** The texts of the person's language. English is better than an empty page if a file does not load. */
export const texts: Texts = await load(readLanguage());

async function load(language: Language): Promise<Texts> {
  if (language === 'en') return english;
  return OTHERS[language]().then(
    (loaded) => loaded.texts,
    () => english,
  );
}
