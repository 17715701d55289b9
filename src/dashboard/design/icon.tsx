const PATHS = {
  home: 'M2.5 7.2 8 2.7l5.5 4.5v6.1h-4V9.5h-3v3.8h-4z',
  payments: 'M1.8 4.2h12.4v7.6H1.8zM1.8 6.8h12.4M4 9.6h2.4',
  search: 'M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4zM10.2 10.2l3.2 3.2',
  plus: 'M8 4v8M4 8h8',
  close: 'M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6',
  tick: 'M3.2 8.4l3.2 3.2 6.4-7',
  columns: 'M2.2 3.2h11.6v9.6H2.2zM6 3.2v9.6M10 3.2v9.6',
  download: 'M8 2.6v7.6M4.8 7.2 8 10.4l3.2-3.2M2.8 13.2h10.4',
  warning: 'M8 2.4l6 10.8H2zM8 6.6v3M8 11.4v.2',
  copy: 'M5.4 5.4h7.4v7.4H5.4zM3.2 10.6V3.2h7.4',
  back: 'M9.6 3.4 5 8l4.6 4.6',
  sync: 'M13 5.2A5.4 5.4 0 0 0 3.2 6M3 10.8a5.4 5.4 0 0 0 9.8-.8M13.2 2.6v2.8h-2.8M2.8 13.4v-2.8h2.8',
  refund: 'M5.6 3 2.6 6l3 3M2.8 6h6.6a3.6 3.6 0 0 1 0 7.2H6',
  capture: 'M8 2.6v8M4.8 7.6 8 10.8l3.2-3.2M3 13.4h10',
  cancel: 'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4zM4.2 4.2l7.6 7.6',
  clock: 'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4zM8 5v3.2l2.2 1.4',
  route: 'M3.4 13.2V8.8a3 3 0 0 1 3-3h6M9.8 3l2.8 2.8-2.8 2.8M3.4 2.6v2.6M9.6 12.8h3',
  shield: 'M8 2.2l5 1.8v3.8c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.8 8l1.6 1.6 2.8-3.2',
  fraud: 'M8 2.2l5 1.8v3.8c0 3-2 5-5 6-3-1-5-3-5-6V4zM8 5.2v3.2M8 10.5v.1',
  menu: 'M2.6 4.4h10.8M2.6 8h10.8M2.6 11.6h10.8',
  person: 'M8 2.8a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2zM2.8 13.4a5.2 5.2 0 0 1 10.4 0',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.9-.9',
  webhook:
    'M5.2 10.6a2.6 2.6 0 1 1-1-4.4M8 2.6a2.6 2.6 0 0 1 2.2 4L8.4 9.8M8 5.2 5 10.8M10.8 8.2a2.6 2.6 0 1 1-.8 4.2H5',
  events: 'M8.8 2 3.6 9h4l-.6 5 5.2-7h-4z',
  unresolved:
    'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4zM6.3 6.4a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.6-.8 1.2M8 11.2v.1',
  difference: 'M2.8 6.2h10.4M2.8 9.8h10.4M10.6 3 5.4 13',
  dispute: 'M4 14V2.6M4 3.2h8.4l-2 3 2 3H4',
  settlement: 'M2.4 6.2 8 2.8l5.6 3.4zM4 6.4v5.2M8 6.4v5.2M12 6.4v5.2M2.6 13.2h10.8',
  giftCard:
    'M2 6h12v7.2H2zM2 8.8h12M8 6v7.2M8 6C6.2 6 4.6 5.2 4.6 4s2.4-1.8 3.4 2c1-3.8 3.4-3.2 3.4-2S9.8 6 8 6z',
  views: 'M4.4 2.6h7.2v10.8L8 10.6l-3.6 2.8z',
  pencil: 'M3 13l.6-2.6 6.8-6.8 2 2-6.8 6.8zM9.2 4.8l2 2',
  trash: 'M3 4.4h10M6.4 4.2V2.8h3.2v1.4M4.4 4.6l.6 8.6h6l.6-8.6M7 7v3.8M9 7v3.8',
  key: 'M10.4 2.6a3 3 0 1 1-2.2 5L3 12.8v.6h2V12h1.4v-1.4L8 9M10.8 5.2h.1',
  send: 'M13.4 2.6 2.6 7l4.4 2 2 4.4zM7 9l3-3',
  down: 'M4.4 6.2 8 9.8l3.6-3.6',
  pause: 'M5.6 3.6v8.8M10.4 3.6v8.8',
  play: 'M5 3.2 12.4 8 5 12.8z',
  plug: 'M5.6 2.4v3M10.4 2.4v3M4 5.4h8v2.8a4 4 0 0 1-8 0zM8 12.2v1.8',
  grip: 'M6 4h.1M10 4h.1M6 8h.1M10 8h.1M6 12h.1M10 12h.1',
  more: 'M3.4 8h.1M8 8h.1M12.6 8h.1',
} as const;

export type IconName = keyof typeof PATHS;

/** Draws a line icon of 16 pixels. The text beside it names it. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth={name === 'more' || name === 'grip' ? 2 : 1.4}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
