import type { Texts } from '../english.ts';

/** The texts of API keys in Japanese. */
export const keys: Texts['keys'] = {
  title: 'API キー',
  add: 'キーを作成',
  column: {
    name: '名前',
    scopes: 'スコープ',
    state: '状態',
    used: '最終使用',
    created: '作成日時',
    acts: '操作',
  },
  active: '有効',
  disabled: '無効',
  never: 'なし',
  name: '名前',
  scopes: 'スコープ',
  scopesHint: 'スペース区切り（例：transactions.write *.read）',
  acts: (name) => `${name} の操作`,
  disable: '無効にする',
  enable: '有効にする',
  revoke: '既存のトークンをすべて失効',
  confirm: {
    disable: 'このキーのトークンは 5 秒以内にすべて拒否されます。キーはあとで再び有効にできます。',
    enable: 'このキーのトークンは再び受け付けられます。',
    revoke: '今までに発行されたトークンはすべて拒否されます。新しいトークンは引き続き署名できます。',
  },
  empty: { title: 'キーはまだありません', text: 'バックエンドはキーでアクセストークンに署名します。' },
  secret: {
    title: '秘密鍵',
    text: 'このキーはバックエンドに保管してください。Paygraph は保存せず、二度と表示しません。',
    rotate: '切り替えるには、すべての場所で新しいキーを使い、その後で以前のキーを無効にします。',
    done: '完了',
  },
};
