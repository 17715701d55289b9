import { english, type Texts } from './english.ts';
import { readLanguage, type Language } from './language.ts';

/** Loads a language by need. English is part of the first page. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>> = {
  ar: async () => (await import('./arabic.ts')).arabic,
  de: async () => (await import('./german.ts')).german,
  es: async () => (await import('./spanish.ts')).spanish,
  fr: async () => (await import('./french.ts')).french,
  ja: async () => (await import('./japanese.ts')).japanese,
  pt: async () => (await import('./portuguese.ts')).portuguese,
};

/** The texts of the person's language. English is better than an empty page if a file does not load. */
export const texts: Texts = await load(readLanguage());

async function load(language: Language): Promise<Texts> {
  return language === 'en' ? english : OTHERS[language]().catch(() => english);
}
