import ar from '../texts/ar.json' with { type: 'json' };
import de from '../texts/de.json' with { type: 'json' };
import en from '../texts/en.json' with { type: 'json' };
import es from '../texts/es.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };
import ja from '../texts/ja.json' with { type: 'json' };
import pt from '../texts/pt.json' with { type: 'json' };

/** The texts of one language. Names in braces are placeholders. */
export type Texts = { readonly [Name in keyof typeof en]: string };

/** Every language of the payment page, with all its texts. */
export const LANGUAGES = { en, de, es, fr, pt, ja, ar } as const satisfies Readonly<Record<string, Texts>>;

/** The language of a page: its texts, and its forms of amounts and times. */
export type Language = {
  /** A BCP 47 tag, with the requested region. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: Texts;
};

/** Chooses the language of a page: the link's, else the browser's first supported language, else English. */
export function chooseLanguage(locale: string | null, acceptLanguage: string | undefined): Language {
  const wanted = [...(locale === null ? [] : [locale]), ...readAcceptLanguage(acceptLanguage ?? '')];
  for (const tag of wanted) {
    const known = knownLanguage(tag);
    if (known) return known;
  }
  return { tag: 'en', direction: 'ltr', texts: en };
}

function knownLanguage(tag: string): Language | null {
  try {
    const { language, baseName } = new Intl.Locale(tag);
    const found = Object.entries(LANGUAGES).find(([name]) => name === language);
    return found ? { tag: baseName, direction: language === 'ar' ? 'rtl' : 'ltr', texts: found[1] } : null;
  } catch {
    // `Intl` throws for an invalid tag. A browser may send any text.
    return null;
  }
}

/** Limit for the languages to sort. People read fewer. */
const WANTED_MAX = 20;

/** Lists the tags of an Accept-Language header, the most wanted first. Equal weights keep their order. */
export function readAcceptLanguage(header: string): readonly string[] {
  return header
    .split(',', WANTED_MAX)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const weight = parameters.find((text) => /^q=/i.test(text))?.slice(2) ?? '1';
      return { tag, weight: Number(weight) || 0 };
    })
    .filter(({ tag, weight }) => /^[a-z]/i.test(tag) && tag.length <= 35 && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** Fills in the `{places}` of a text. Braces inside a value stay unchanged. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);

/** Formats a day, given as YYYY-MM-DD. */
export const formatDay = (day: string, { tag }: Language): string =>
  new Intl.DateTimeFormat(tag, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  }).format(new Date(`${day}T00:00:00Z`));

/** Formats a time in the language, in UTC. The page's script writes it anew in the buyer's time zone. */
export const formatDeadline = (moment: Date, { tag }: Language): string =>
  new Intl.DateTimeFormat(tag, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...{ timeZone: 'UTC', timeZoneName: 'short' },
  }).format(moment);
