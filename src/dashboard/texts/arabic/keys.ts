import type { Texts } from '../english.ts';

/** The texts of API keys in Arabic. */
export const keys: Texts['keys'] = {
  title: 'مفاتيح API',
  add: 'إنشاء مفتاح',
  column: {
    name: 'الاسم',
    scopes: 'الصلاحيات',
    state: 'الحالة',
    used: 'آخر استخدام',
    created: 'تاريخ الإنشاء',
    acts: 'الإجراءات',
  },
  active: 'نشط',
  disabled: 'معطّل',
  never: 'أبدًا',
  name: 'الاسم',
  scopes: 'الصلاحيات',
  scopesHint: 'مفصولة بمسافات، مثل transactions.write *.read',
  acts: (name) => `إجراءات ${name}`,
  disable: 'تعطيل',
  enable: 'تفعيل',
  revoke: 'إبطال كل الرموز حتى الآن',
  confirm: {
    disable: 'تُرفض كل رموز هذا المفتاح خلال خمس ثوانٍ. يمكنك تفعيل المفتاح من جديد.',
    enable: 'تُقبل رموز هذا المفتاح من جديد.',
    revoke: 'يُرفض كل رمز صدر قبل الآن. يوقّع المفتاح رموزًا جديدة.',
  },
  empty: { title: 'لا توجد مفاتيح بعد', text: 'يوقّع الخادم الخلفي رموز وصوله بمفتاح.' },
  secret: {
    title: 'المفتاح الخاص',
    text: 'احفظ هذا المفتاح في خادمك الخلفي. لا يخزّنه Paygraph ولا يعرضه مرة أخرى.',
    rotate: 'للتبديل، استخدم المفتاح الجديد في كل مكان، ثم عطّل السابق.',
    done: 'تم',
  },
};
