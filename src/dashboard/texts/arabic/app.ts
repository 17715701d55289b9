import type { Texts } from '../english.ts';

type App = Pick<
  Texts,
  | 'language'
  | 'product'
  | 'skip'
  | 'navigation'
  | 'account'
  | 'live'
  | 'action'
  | 'order'
  | 'error'
  | 'notFound'
  | 'loading'
>;

/** The texts of the frame, the sign-in and the pieces in Arabic. */
export const app: App = {
  language: 'ar',
  product: 'Paygraph',
  skip: 'الانتقال إلى المحتوى',
  navigation: {
    label: 'القائمة الرئيسية',
    home: 'الرئيسية',
    payments: 'الدفعات',
    links: 'الروابط',
    buyers: 'المشترون',
    giftCards: 'بطاقات الهدايا',
    unresolved: 'غير محسومة',
    differences: 'الفروق',
    refundRequests: 'طلبات الاسترداد',
    disputes: 'النزاعات',
    settlements: 'التسويات',
    connections: 'الاتصالات',
    services: 'خدمات الدفع',
    antiFraud: 'مكافحة الاحتيال',
    threeDS: 'قواعد \u200e3-D Secure',
    developers: 'المطوّرون',
    webhooks: 'Webhooks',
    events: 'الأحداث',
    account: 'الحساب',
    team: 'الفريق',
    keys: 'مفاتيح API',
    audit: 'سجل التدقيق',
    open: 'فتح القائمة',
    close: 'إغلاق القائمة',
  },
  account: {
    role: { owner: 'مالك', developer: 'مطوّر', support: 'دعم', analyst: 'محلّل' },
    signOut: 'تسجيل الخروج',
    signOutEverywhere: 'تسجيل الخروج من كل مكان',
    theme: 'المظهر',
    themes: { system: 'مثل النظام', light: 'فاتح', dark: 'داكن' },
    language: 'اللغة',
    sandbox: 'بيئة الاختبار',
    sandboxNote: 'لا تُنقل أي أموال هنا.',
  },
  live: {
    connecting: 'جارٍ الاتصال',
    connected: 'مباشر',
    disconnected: 'إعادة الاتصال',
    connectedHint: 'تظهر التغييرات تلقائيًا.',
    disconnectedHint: 'انقطع الاتصال. تظهر التغييرات الفائتة بعد عودته.',
  },
  action: {
    cancel: 'إلغاء',
    running: 'جارٍ التنفيذ',
    more: 'عرض المزيد',
    close: 'إغلاق',
    clear: 'مسح',
    clearAll: 'مسح عوامل التصفية',
    apply: 'تطبيق',
    retry: 'حاول مرة أخرى',
    copy: 'نسخ',
    copied: 'تم النسخ',
    remove: (what) => `إزالة عامل التصفية ${what}`,
  },
  order: {
    hint: 'اسحب لتغيير الترتيب، أو استخدم مفاتيح الأسهم.',
    move: (name) => `نقل ${name}`,
    said: (name, rank, total) => `${name} رقم ${rank} من ${total}.`,
    save: 'حفظ الترتيب',
    discard: 'تجاهل',
  },
  error: {
    title: 'لم ينجح ذلك',
    code: (code) => `الرمز ${code}`,
    unreachable: 'الخدمة لا تستجيب. تحقّق من اتصالك ثم حاول مرة أخرى.',
  },
  notFound: { title: 'لا توجد صفحة هنا', back: 'الانتقال إلى الدفعات' },
  loading: 'جارٍ التحميل',
};
