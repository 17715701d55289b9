import type { Texts } from '../english.ts';
import { count, NOUNS } from './count.ts';

/** The texts of the home page in Arabic. */
export const home: Texts['home'] = {
  title: 'الرئيسية',
  span: 'الفترة',
  spans: { '1d': 'اليوم', '7d': '7 أيام', '30d': '30 يومًا', '90d': '90 يومًا' },
  currency: 'العملة',
  volume: 'المبلغ المحصَّل',
  rate: 'نسبة التفويض',
  payments: 'الدفعات',
  refunds: 'المبالغ المستردة',
  disputes: 'النزاعات الخاسرة',
  none: 'لا شيء',
  points: (points) => `${points.toFixed(1)} نقطة`,
  before: (value) => `سابقًا ${value}`,
  time: 'الوقت',
  spanBefore: 'الفترة السابقة',
  declines: 'حالات الرفض حسب السبب',
  showDeclines: 'عرض',
  noDeclines: 'لم يُرفض أي تفويض.',
  noReason: 'بلا سبب',
  services: 'خدمات الدفع حسب النجاح',
  noServices: 'لم تُطلب أي خدمة دفع.',
  deletedService: 'خدمة دفع محذوفة',
  attempts: (number) => count(number, NOUNS.authorizations),
  zone: (zone) =>
    `تبدأ الأيام عند منتصف الليل في ${zone}. الفترة السابقة هي الجزء نفسه من العدد نفسه من الأيام قبلها.`,
  zones: {
    title: 'المنطقة الزمنية',
    label: (zone) => `المنطقة الزمنية: ${zone}`,
    browser: (zone) => `${zone}، كما في المتصفح`,
    search: 'ابحث عن مدينة أو UTC',
    none: 'لا توجد منطقة زمنية بهذا الاسم.',
  },
  empty: 'لا توجد دفعات في هذه الفترة',
  emptyText: 'اختر فترة أطول، أو استقبل دفعتك الأولى.',
  showPayments: 'عرض الدفعات',
};
