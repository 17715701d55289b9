/** The look of the documentation: light and dark, from 320 px on, with contrast of at least 4.5 to 1. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--panel:#f5f6f8;--ink:#14171f;--soft:#5a6172;--line:#e2e5eb;--edge:#868e9f;--accent:#1f4fd8;--mark:#fff0b3;--bar:3.5rem}
@media(prefers-color-scheme:dark){:root{--ground:#0f1115;--panel:#181b21;--ink:#e6e9ef;--soft:#a4abb9;--line:#2d323c;--edge:#717a8c;--accent:#8fb0ff;--mark:#4a3c00}}
*{box-sizing:border-box}
html{scroll-padding-top:calc(var(--bar) + 1rem)}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:1rem;z-index:3;padding:.5rem;background:var(--ground)}
header{position:sticky;top:0;z-index:1;display:flex;align-items:center;gap:.75rem;height:var(--bar);padding:0 1rem;border-bottom:1px solid var(--line);background:var(--ground)}
.brand{flex:none;color:inherit;font-weight:680;letter-spacing:-.01em;text-decoration:none}
header form{flex:1;display:flex;justify-content:flex-end;gap:.5rem;min-width:0}
label,header form button{position:absolute;left:-100vw}
header form button:focus{position:static}
input{width:100%;max-width:18rem;min-width:0;padding:.375rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--ground);color:inherit;font:inherit}
input::placeholder{color:var(--soft);opacity:1}
button{padding:.375rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--ground);color:inherit;font:inherit;cursor:pointer}
button:hover{background:var(--panel)}
.pages{font-size:.9375rem}
.pages[popover]{inset:0 auto 0 0;width:min(20rem,85vw);height:100dvh;max-height:none;margin:0;padding:1rem 1.25rem 2rem;border:0;border-right:1px solid var(--line);overflow-y:auto;background:var(--ground);color:inherit}
.pages::backdrop{background:#0007}
.pages p,.contents p{margin:1.25rem 0 .375rem;color:var(--soft);font-size:.8125rem;font-weight:650;text-transform:uppercase;letter-spacing:.04em}
.pages ul,.contents ul,.small-contents ul{margin:0;padding:0;list-style:none}
.pages a,.contents a,.small-contents a{display:block;padding:.25rem .625rem;margin:0 -.625rem;border-radius:.375rem;color:inherit;text-decoration:none}
.pages a:hover,.contents a:hover,.small-contents a:hover{background:var(--panel)}
.pages [aria-current]{background:var(--panel);color:var(--accent);font-weight:600}
main{max-width:72rem;padding:1rem 1rem 4rem}
article{min-width:0;max-width:46rem}
h1,h2,h3{line-height:1.25;letter-spacing:-.015em;overflow-wrap:anywhere}
h1{margin:.75rem 0 1rem;font-size:clamp(1.625rem,6vw,2.125rem);font-weight:700}
h2{margin:2.5rem 0 .75rem;font-size:1.375rem;font-weight:660}
h3{margin:1.75rem 0 .5rem;font-size:1.125rem}
p,ul,ol{margin:0 0 1rem}
article ul,article ol{padding-left:1.375rem}
li{margin:.25rem 0}
code{padding:.125em .3125em;border-radius:.3125rem;background:var(--panel);font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{margin:0 0 1.25rem;padding:.875rem 1rem;border:1px solid var(--line);border-radius:.625rem;background:var(--panel);font-size:.8125rem;line-height:1.5;overflow-x:auto}
pre code{padding:0;background:none;font-size:1em;overflow-wrap:normal}
.table{margin:0 0 1.25rem;overflow-x:auto;border:1px solid var(--line);border-radius:.625rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.5rem .75rem;border-top:1px solid var(--line);text-align:left;vertical-align:top;min-width:7rem}
thead th{border-top:0;background:var(--panel);font-weight:600}
table:has(th:nth-child(3)){min-width:38rem}
table:has(img){min-width:26rem}
td:first-child code{overflow-wrap:normal;white-space:nowrap}
img{display:block;max-width:100%;height:auto;border-radius:.5rem}
th img{min-width:12rem}
mark{background:var(--mark);color:var(--ink)}
.small-contents{margin:0 0 1.25rem;padding:.5rem .875rem;border:1px solid var(--line);border-radius:.625rem;font-size:.9375rem}
summary{cursor:pointer;color:var(--soft);font-weight:600}
.contents{display:none;font-size:.875rem}
.neighbours{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:3rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.neighbours a{flex:1 1 12rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.625rem;font-weight:600;text-decoration:none}
.neighbours a:hover{background:var(--panel)}
.neighbours span{display:block;color:var(--soft);font-size:.8125rem;font-weight:400}
[rel=next]{text-align:right}
.found{padding:0!important;list-style:none}
.found li{margin:1.25rem 0}
.found a{font-size:1.0625rem;font-weight:600}
.found p{margin:.25rem 0 0;color:var(--soft);font-size:.9375rem;overflow-wrap:anywhere}
.where{margin-left:.5rem;color:var(--soft);font-size:.875rem}
@media(min-width:56rem){
body{display:grid;grid-template:auto 1fr/16rem minmax(0,1fr)}
header{grid-column:1/3;padding:0 1.5rem}
.menu,.close{display:none}
.pages[popover]{display:block;position:sticky;top:var(--bar);inset:auto;top:var(--bar);width:auto;height:calc(100dvh - var(--bar));padding:.25rem 1.5rem 2rem}
main{padding:1.25rem 2.5rem 5rem}
}
@media(min-width:76rem){
main{display:grid;grid-template-columns:minmax(0,46rem) 13rem;gap:3.5rem;align-content:start}
.contents{display:block;position:sticky;top:calc(var(--bar) + 1rem);align-self:start;max-height:calc(100dvh - var(--bar) - 2rem);overflow-y:auto}
.small-contents{display:none}
}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{header,.pages[popover],.contents,.small-contents,.neighbours{display:none}}
`;
