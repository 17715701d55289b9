import type { Texts } from '../english.ts';

/** The texts of the page of events in Arabic. */
export const events: Texts['events'] = {
  title: 'الأحداث',
  filter: 'الأحداث المعروضة',
  all: 'كل الأحداث',
  keys: 'j و k للتنقل، Enter للفتح، p للإيقاف المؤقت',
  pause: 'إيقاف مؤقت',
  resume: (number) => (number === 0 ? 'استئناف' : `استئناف، ${number} جديدة`),
  older: 'عرض أحداث أقدم',
  open: 'فتح العنصر',
  id: 'المعرّف',
  payload: 'المحتوى',
  empty: {
    title: 'لا توجد أحداث بعد',
    filteredTitle: 'لا يوجد حدث من هذا النوع بعد',
    text: 'يظهر هنا فورًا كل تغيير في دفعة أو رابط أو عنصر آخر.',
    all: 'عرض كل الأحداث',
    guide: 'اقرأ الدليل',
  },
};
