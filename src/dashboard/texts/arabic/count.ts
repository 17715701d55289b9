/** The forms of a counted noun. They are for 1, for 2, from 3 to 10, from 11 to 99, and for other numbers. */
type Noun = readonly [one: string, two: string, few: string, many: string, other: string];

const RULES = new Intl.PluralRules('ar');

/** Writes a number with the form of the noun that Arabic asks for. The forms for 1 and 2 hold the number. */
export function count(number: number, [one, two, few, many, other]: Noun): string {
  const rule = RULES.select(number);
  if (rule === 'one') return one;
  if (rule === 'two') return two;
  return `${number} ${{ few, many, other, zero: other }[rule]}`;
}

/** The counted nouns of several pages. */
export const NOUNS = {
  payments: ['دفعة واحدة', 'دفعتان', 'دفعات', 'دفعة', 'دفعة'],
  authorizations: ['تفويض واحد', 'تفويضان', 'تفويضات', 'تفويضًا', 'تفويض'],
  attempts: ['محاولة واحدة', 'محاولتان', 'محاولات', 'محاولة', 'محاولة'],
  events: ['حدث واحد', 'حدثين', 'أحداث', 'حدثًا', 'حدث'],
  entries: ['قيد واحد', 'قيدين', 'قيود', 'قيدًا', 'قيد'],
  rows: ['صف واحد', 'صفين', 'صفوف', 'صفًا', 'صف'],
  texts: ['نص واحد', 'نصان', 'نصوص', 'نصًا', 'نص'],
  files: ['ملف واحد', 'ملفان', 'ملفات', 'ملفًا', 'ملف'],
  hours: ['ساعة واحدة', 'ساعتان', 'ساعات', 'ساعة', 'ساعة'],
  days: ['يوم واحد', 'يومان', 'أيام', 'يومًا', 'يوم'],
  passkeys: ['مفتاح مرور واحد', 'مفتاحا مرور', 'مفاتيح مرور', 'مفتاح مرور', 'مفتاح مرور'],
  countries: ['بلد واحد', 'بلدان', 'بلدان', 'بلدًا', 'بلد'],
} as const satisfies Readonly<Record<string, Noun>>;
