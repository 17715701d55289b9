import type { Texts } from '../english.ts';

const LIST = new Intl.ListFormat('ar', { type: 'conjunction' });

/** The texts about the route of a payment in Arabic. */
export const routing: Texts['routing'] = {
  title: 'التوجيه',
  asked: 'الخدمات بترتيب الطلبات',
  passed: 'تم تجاوزها',
  present: 'تتبع الأسباب الإعدادات الحالية للخدمات. ربما تغيّرت منذ الدفعة.',
  open: 'شرح التوجيه',
  dialogTitle: 'أي خدمة تتلقى الدفعة؟',
  text: 'صِف دفعة. لا يُنشأ ولا يُرسل شيء. لا يؤثر المبلغ في التوجيه.',
  submit: 'إيجاد المسار',
  nobody: 'لا تقبل أي خدمة الدفعة.',
  next: 'تُسأل إذا فشلت الخدمة السابقة، أو رفضت برمز يسمح بمحاولة أخرى.',
  never: 'تقبل الدفعة، لكن خدمة سابقة تنهي المحاولات.',
  spared: 'تقبل الدفعة، لكن لم تصل إليها أي محاولة أخرى.',
  otherMethods: (names) => `لوسيلة دفع أخرى: ${LIST.format(names)}.`,
  rest: (count) => `عدد الخدمات غير المعروضة: ${count}.`,
  state: { PENDING: 'غير محسومة', SUCCEEDED: 'مختارة', DECLINED: 'مرفوضة', FAILED: 'فاشلة' },
  why: {
    REQUESTED: 'تسمّي الدفعة هذه الخدمة.',
    FIRST: 'أول خدمة في الترتيب تقبل الدفعة.',
    AFTER_FAILURE: 'سُئلت لأن الخدمة السابقة فشلت دون أثر.',
    AFTER_DECLINE: 'سُئلت لأن الخدمة السابقة رفضت برمز يسمح بمحاولة أخرى.',
  },
  candidate: { first: 'تُسأل أولًا', next: 'تُسأل بعدها', never: 'لا تُسأل أبدًا' },
  reason: {
    INACTIVE: 'الخدمة متوقفة.',
    NOT_READY: 'رفض المزوّد بيانات الاعتماد.',
    METHOD: 'للخدمة وسيلة دفع أخرى.',
    CURRENCY: 'لا تقبل الخدمة العملة.',
    COUNTRY: 'لا تقبل الخدمة البلد.',
    NOT_REQUESTED: 'تسمّي الدفعة خدمة أخرى.',
    UNAVAILABLE: 'لا يمكن لهذا التثبيت استخدام المزوّد.',
    INTENT: 'لا تستطيع الخدمة إلا التحصيل الفوري.',
    THREE_D_SECURE: 'لا تصادق الخدمة على المشترين.',
    THREE_D_SECURE_PASS_THROUGH: 'لا تقبل الخدمة \u200e3-D Secure\u200e المُجرى في مكان آخر.',
    INSTALLMENTS: 'لا تقبل الخدمة التقسيط.',
    RAW_CARD_DATA: 'لا تقبل الخدمة أرقام البطاقات غير المشفّرة.',
    APPLE_PAY: 'لا تقبل الخدمة Apple Pay.',
    GOOGLE_PAY: 'لا تقبل الخدمة Google Pay.',
    PROVIDER_TOKENS: 'لا تقبل الخدمة رموز برمجيات المزوّد.',
    NETWORK_TOKENS: 'لا تقبل الخدمة رموز الشبكة.',
    PAYMENT_METHOD_TOKENIZATION: 'لا تحفظ الخدمة وسائل الدفع لدى المزوّد.',
    PAYMENT_METHOD: 'لا تعرف الخدمة وسيلة الدفع المحفوظة.',
  },
};
