import type { Texts } from '../english.ts';

const LIST = new Intl.ListFormat('ja', { type: 'conjunction' });

/** The texts about the route of a payment in Japanese. */
export const routing: Texts['routing'] = {
  title: 'ルーティング',
  asked: '問い合わせ順のサービス',
  passed: '対象外のサービス',
  present: '理由は現在のサービス設定に基づきます。支払い後に設定が変わった可能性があります。',
  open: 'ルーティングを説明',
  dialogTitle: '支払いはどのサービスに送られますか？',
  text: '支払いの内容を入力してください。何も作成・送信されません。金額はルーティングに影響しません。',
  submit: '経路を調べる',
  nobody: '支払いを受け付けるサービスがありません。',
  next: '前のサービスが失敗するか、再試行できるコードで拒否した場合に問い合わせます。',
  never: '支払いを受け付けますが、前のサービスで再試行が終わります。',
  spared: '支払いを受け付けますが、再試行はここまで届きませんでした。',
  otherMethods: (names) => `別の支払い方法: ${LIST.format(names)}。`,
  rest: (count) => `ほかに ${count} 件のサービスがあります。`,
  state: { PENDING: '未確定', SUCCEEDED: '選択', DECLINED: '拒否', FAILED: '失敗' },
  why: {
    REQUESTED: '支払いがこのサービスを指定しています。',
    FIRST: '支払いを受け付ける最初のサービスです。',
    AFTER_FAILURE: '前のサービスが影響なく失敗したため、問い合わせました。',
    AFTER_DECLINE: '前のサービスが再試行できるコードで拒否したため、問い合わせました。',
  },
  candidate: { first: '最初に問い合わせ', next: '次に問い合わせ', never: '問い合わせなし' },
  reason: {
    INACTIVE: 'サービスがオフです。',
    NOT_READY: 'プロバイダーが認証情報を拒否しました。',
    METHOD: '別の支払い方法のサービスです。',
    CURRENCY: 'この通貨を受け付けません。',
    COUNTRY: 'この国を受け付けません。',
    NOT_REQUESTED: '支払いが別のサービスを指定しています。',
    UNAVAILABLE: 'この環境ではプロバイダーを利用できません。',
    INTENT: '即時の売上確定だけに対応しています。',
    THREE_D_SECURE: '購入者の認証に対応していません。',
    THREE_D_SECURE_PASS_THROUGH: 'ほかで行った 3-D セキュアを受け付けません。',
    INSTALLMENTS: '分割払いを受け付けません。',
    RAW_CARD_DATA: 'カード番号をそのまま受け付けません。',
    APPLE_PAY: 'Apple Pay を受け付けません。',
    GOOGLE_PAY: 'Google Pay を受け付けません。',
    PROVIDER_TOKENS: 'プロバイダーのソフトウェアのトークンを受け付けません。',
    NETWORK_TOKENS: 'ネットワークトークンを受け付けません。',
    PAYMENT_METHOD_TOKENIZATION: 'プロバイダーに支払い方法を保存しません。',
    PAYMENT_METHOD: '保存された支払い方法を認識していません。',
  },
};
