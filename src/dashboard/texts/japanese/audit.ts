import type { Texts } from '../english.ts';

/** The texts of the audit log in Japanese. */
export const audit: Texts['audit'] = {
  title: '監査ログ',
  column: { action: '変更', target: '対象', actor: '実行者', before: '項目', at: '日時' },
  detail: { field: '項目', before: '変更前', after: '変更後', address: 'アドレス' },
  filter: {
    action: '変更（例：buyer.updated、buyer.*）',
    target: '対象の ID',
    subject: '担当者名、またはキーのサブジェクト',
    actor: '実行者の ID',
  },
  actor: {
    API_KEY: 'API キー',
    PERSON: '個人',
    BUYER: '購入者',
    PROVIDER: 'プロバイダー',
    SYSTEM: 'バックグラウンド処理',
    COMMAND: 'コマンド',
    DATABASE: 'データベース',
  },
  empty: {
    title: '該当する変更はありません',
    text: 'レコードの変更はすべて記録されます。絞り込みを解除すると、ほかの変更も表示されます。',
  },
};
