/** The look of all pages: light and dark, from 320 px on, with contrast of at least 4.5 to 1. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#f4f5f7;--card:#fff;--ink:#16181d;--soft:#5b6270;--line:#dfe3e9;--accent:#1f4fd8;--on:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#101216;--card:#1a1d23;--ink:#eef0f4;--soft:#a7aebb;--line:#31363f;--accent:#86a8ff;--on:#0d1220;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem 1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:26rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;box-shadow:0 1px 2px #0000000d,0 12px 32px #00000014}
h1{margin:.25rem 0 0;font-size:1.375rem;line-height:1.3}
p{margin:.75rem 0 0}
.over{margin:0;color:var(--soft);font-size:.875rem}
.amount{margin:1rem 0 0;font-size:2.25rem;font-weight:650;letter-spacing:-.02em;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:auto 1fr;gap:.375rem 1rem;margin:1.25rem 0 0;padding:1rem 0 0;border-top:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0;text-align:end;overflow-wrap:anywhere}
form{display:grid;gap:.75rem;margin:1.5rem 0 0}
button,.button{display:block;width:100%;padding:.8125rem 1rem;border:1px solid var(--line);border-radius:.625rem;background:none;color:var(--ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button.main{border-color:var(--accent);background:var(--accent);color:var(--on)}
button:hover,.button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
.note{margin:1.25rem 0 0;color:var(--soft);font-size:.875rem}
.bad{color:var(--bad)}
`;
