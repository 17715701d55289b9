import type { Texts } from '../english.ts';
import { count, NOUNS } from './count.ts';

/** The texts of the pages of buyers in Arabic. */
export const buyers: Texts['buyers'] = {
  title: 'المشترون',
  back: 'المشترون',
  search: 'ابحث بالاسم أو البريد أو الهاتف أو المرجع',
  searchShort: 'ابحث عن مشترٍ',
  unnamed: 'مشترٍ بلا اسم',
  column: { name: 'الاسم', email: 'البريد الإلكتروني', reference: 'المرجع', created: 'تاريخ الإنشاء' },
  empty: {
    title: 'لا يوجد مشترون بعد',
    text: 'المشتري شخص محفوظ، تدفع وسائل دفعه مرة أخرى دون إدخالها من جديد.',
    guide: 'اقرأ الدليل',
    filteredTitle: 'لا يوجد مشترٍ مطابق',
    filteredText: 'ابحث بكلمة أخرى.',
  },
  payments: { title: 'الدفعات', empty: 'لم يدفع هذا المشتري بعد.', all: 'عرض الكل' },
  methods: {
    title: 'وسائل الدفع',
    empty: 'لا توجد وسيلة دفع محفوظة.',
    status: {
      PROCESSING: 'لم تُستخدم بعد',
      BUYER_APPROVAL_REQUIRED: 'بانتظار المشتري',
      SUCCEEDED: 'جاهزة',
      FAILED: 'غير صالحة',
      PAUSED: 'متوقفة مؤقتًا',
      DELETING: 'قيد الإزالة',
    },
    expires: (date) => `حتى ${date}`,
    used: (number) => count(number, NOUNS.payments),
    remove: (name) => `إزالة ${name}`,
  },
  remove: {
    title: 'هل تريد إزالة وسيلة الدفع هذه؟',
    text: 'لن تدفع مرة أخرى. يُلغى تفويض الخصم لدى المزوّد أيضًا.',
    method: 'وسيلة الدفع',
    submit: 'إزالة',
    keep: 'الاحتفاظ بها',
    done: 'أُزيلت وسيلة الدفع.',
    pending: 'لم يُلغِ المزوّد تفويض الخصم بعد. أزِلها مرة أخرى لاحقًا.',
  },
  giftCards: { title: 'بطاقات الهدايا' },
  details: {
    title: 'التفاصيل',
    name: 'الاسم',
    email: 'البريد الإلكتروني',
    phone: 'الهاتف',
    address: 'العنوان',
    tax: 'الرقم الضريبي',
    reference: 'المرجع',
    account: 'رقم الحساب',
    created: 'تاريخ الإنشاء',
    id: 'المعرّف',
  },
  missing: 'هذا المشتري غير موجود',
  missingText: 'لا يوجد في حساب التاجر هذا مشترٍ بهذا العنوان.',
};
