import type { Texts } from '../english.ts';

/** The texts of the audit log in Arabic. */
export const audit: Texts['audit'] = {
  title: 'سجل التدقيق',
  column: { action: 'التغيير', target: 'العنصر', actor: 'بواسطة', before: 'الحقول', at: 'الوقت' },
  detail: { field: 'الحقل', before: 'قبل', after: 'بعد', address: 'العنوان' },
  filter: {
    action: 'التغيير، مثل buyer.updated أو buyer.*',
    target: 'معرّف العنصر',
    subject: 'اسم الشخص أو صاحب المفتاح',
    actor: 'معرّف الفاعل',
  },
  actor: {
    API_KEY: 'مفتاح API',
    PERSON: 'شخص',
    BUYER: 'مشترٍ',
    PROVIDER: 'المزوّد',
    SYSTEM: 'عملية في الخلفية',
    COMMAND: 'أمر',
    DATABASE: 'قاعدة البيانات',
  },
  empty: {
    title: 'لا يوجد تغيير مطابق',
    text: 'لكل تغيير في عنصر قيدٌ في السجل. امسح عامل تصفية لعرض المزيد.',
  },
};
