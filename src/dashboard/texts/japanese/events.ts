import type { Texts } from '../english.ts';

/** The texts of the page of events in Japanese. */
export const events: Texts['events'] = {
  title: 'イベント',
  filter: '表示するイベント',
  all: 'すべてのイベント',
  keys: 'j と k で移動、Enter で開く、p で一時停止',
  pause: '一時停止',
  resume: (count) => (count === 0 ? '再開' : `再開（新着 ${count} 件）`),
  older: '以前のイベントを表示',
  open: 'レコードを開く',
  id: 'ID',
  payload: '内容',
  empty: {
    title: 'イベントはまだありません',
    filteredTitle: '該当するイベントはまだありません',
    text: '決済、リンク、その他のレコードの変更は、すぐにここに表示されます。',
    all: 'すべてのイベントを表示',
    guide: 'ガイドを読む',
  },
};
