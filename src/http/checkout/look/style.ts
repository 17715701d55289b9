import type { Brand } from './color.ts';

/**
 * The look of the payment page: light and dark, in both writing directions, from 320 px on. Contrast is at least 4.5 to
 * 1.
 */
export const STYLE = `
:root{color-scheme:light dark;--ground:#f5f6f8;--panel:#fff;--ink:#14171f;--soft:#5a6172;--line:#e2e5eb;--edge:#868e9f;--focus:#1f4fd8;--bad:#b3261e;--bad-ground:#fdf1f0;--good:#146c43;--good-ground:#e4f4eb;--shade:0 1px 2px #14171f0d,0 16px 40px #14171f14}
@media screen and (prefers-color-scheme:dark){:root{--ground:#0f1115;--panel:#181b21;--ink:#eef0f4;--soft:#a4abb9;--line:#2d323c;--edge:#717a8c;--focus:#8fb0ff;--bad:#ff9a91;--bad-ground:#2d1b1a;--good:#6fd3a0;--good-ground:#16291f;--shade:0 0 0 1px #2d323c}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;border-block-start:4px solid var(--brand);background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Arabic","Noto Sans JP",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:29rem;margin:0 auto;padding:1.25rem 1rem 2.5rem}
h1,h2,p,ul,dl,dd{margin:0;padding:0}
img{display:block;max-width:100%}
a{color:inherit;text-underline-offset:.2em}
bdi{overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.checkout{display:grid;gap:1.75rem}
.summary,.rest{display:grid;gap:1.25rem;align-content:start;min-width:0;padding:0 .5rem}
.banner{width:100%;height:5.5rem;object-fit:cover;border-radius:.875rem;background:var(--line)}
.merchant{display:flex;align-items:center;gap:.75rem;min-width:0;font-size:1.0625rem;line-height:1.3;font-weight:600;color:var(--ink);overflow-wrap:anywhere}
.merchant>:last-child{min-width:0}
h1{font:inherit}
.mark{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:.625rem;background:var(--brand);color:var(--on);box-shadow:inset 0 0 0 1px #80808040}
.test{justify-self:start;margin-block-start:.75rem;width:fit-content;padding:.1875rem .75rem;border:1px solid var(--line);border-radius:1rem;background:var(--panel);color:var(--soft);font-size:.8125rem}
.amount{font-size:clamp(2.25rem,11vw,3rem);line-height:1.1;font-weight:680;letter-spacing:-.025em;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
[dir=rtl] .amount{letter-spacing:0}
.message{color:var(--ink);white-space:pre-line;overflow-wrap:anywhere}
.items{display:grid;gap:.875rem;list-style:none}
.items li{display:flex;gap:.25rem .875rem;align-items:center}
.items .thumb{flex:none;width:2.75rem;height:2.75rem;object-fit:cover;border-radius:.5rem;background:var(--line)}
.items .what{flex:1;min-width:0;overflow-wrap:anywhere}
.items .price{max-width:55%;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.items .count{display:block;color:var(--soft);font-size:.875rem}
.sum{color:var(--soft)}
.items .total{padding-block-start:.875rem;border-block-start:1px solid var(--line);font-weight:600}
.facts{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;color:var(--soft);font-size:.875rem}
.facts dd{grid-column:2;text-align:end;overflow-wrap:anywhere}
.panel{display:grid;gap:1.25rem;min-width:0;padding:1.5rem;border-radius:1.125rem;background:var(--panel);box-shadow:var(--shade)}
.panel h2{font-size:1.0625rem}
form{display:grid;gap:1.125rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1.125rem 1rem}
.field{display:grid;gap:.375rem;align-content:start;min-width:0}
label{font-size:.9375rem;font-weight:550}
input,select{width:100%;min-height:3rem;padding:.625rem .875rem;border:1px solid var(--edge);border-radius:.625rem;background:var(--panel);color:var(--ink);font:inherit;font-size:1.0625rem;font-variant-numeric:tabular-nums}
input::placeholder{color:var(--soft);opacity:1}
[dir=rtl] input[dir=ltr]{text-align:right}
input:focus-visible,select:focus-visible{outline-offset:0;border-color:var(--focus)}
[aria-invalid=true]{border-color:var(--bad);box-shadow:inset 0 0 0 1px var(--bad)}
.head{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 .75rem}
.scheme{display:flex;align-items:center;gap:.5rem;color:var(--soft);font-size:.875rem;font-weight:600}
.brand{flex:none;width:2rem;height:1.25rem;border-radius:.25rem;vertical-align:-.25rem}
.brand:has(path),.brand:has(use:not([href="#"])){background:#fff;box-shadow:0 0 0 1px var(--line)}
button .brand{margin-inline-end:.625rem}
.drawings{position:absolute}
[hidden]{display:none!important}
.choices{display:grid;gap:.5rem;min-width:0;margin:0;padding:0;border:0}
.choice{display:grid;grid-template-columns:auto 1fr auto;align-items:center;gap:0 .75rem;min-height:3.25rem;padding:.625rem .875rem;border:1px solid var(--edge);border-radius:.625rem;font-weight:550;cursor:pointer}
.choice .count{color:var(--soft);font-size:.875rem;font-weight:400;font-variant-numeric:tabular-nums}
.choice input,.consent input{flex:none;width:1.25rem;min-height:1.25rem;height:1.25rem;margin:0;accent-color:var(--focus)}
.choice:has(:checked){border-color:var(--focus);box-shadow:inset 0 0 0 1px var(--focus)}
.choice:has(:focus-visible){outline:3px solid var(--focus);outline-offset:2px}
.choice input:focus-visible{outline:none}
form:has(.choice :checked:not([value=""])) .fresh{display:none}
form:has(.choice :checked:not([value=""])) .pair{grid-template-columns:1fr}
form:has(.choice :checked:not([value=""])) .box{max-width:12rem}
.gifts .more{display:flex;flex-wrap:wrap;align-items:center;gap:0 .75rem;color:var(--soft);font-size:.875rem}
.gifts .small{width:auto;min-height:2rem;margin-inline-start:-.25rem;padding:.25rem;border:0;border-radius:.375rem;font-size:inherit;font-weight:550;text-decoration:underline;text-underline-offset:.2em}
.gift summary{display:flex;align-items:center;gap:.625rem;width:fit-content;padding:.25rem 0;font-weight:600;list-style:none;cursor:pointer}
summary::-webkit-details-marker{display:none}
.gift summary::after,.debit summary::after{content:"";width:.5rem;height:.5rem;margin-inline-start:.125rem;border:solid;border-width:0 2px 2px 0;transform:translateY(-25%) rotate(45deg)}
.gift[open] summary::after,.debit[open] summary::after{transform:translateY(25%) rotate(225deg)}
.gift form{margin-block-start:1rem;padding-block-end:1.25rem;border-block-end:1px solid var(--line)}
.pick select{padding-inline-end:2.5rem;appearance:none}
.pick::after{content:"";position:absolute;inset-block-start:1.125rem;inset-inline-end:1rem;width:.5rem;height:.5rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg);pointer-events:none}
.debit summary{display:flex;justify-content:center;align-items:center;gap:.625rem;min-height:3.25rem;padding:.75rem 1rem;border:1px solid var(--edge);border-radius:.75rem;font-size:1.0625rem;font-weight:600;text-align:center;list-style:none;cursor:pointer}
.debit summary:hover{background:var(--ground)}
.debit form{margin-block-start:1.25rem}
.mandate{padding:.75rem .875rem;border-radius:.625rem;background:var(--ground);color:var(--ink);font-size:.875rem;line-height:1.45;overflow-wrap:anywhere}
.consent{display:flex;gap:.75rem;align-items:center;min-height:2.75rem;cursor:pointer}
.hint,.error{font-size:.875rem;line-height:1.4}
.hint{color:var(--soft)}
.error{color:var(--bad);font-weight:550}
.error:empty,.field:has([aria-invalid=true]) .hint{display:none}
button,.button{display:flex;justify-content:center;align-items:center;width:100%;min-height:3.25rem;padding:.75rem 1rem;border:1px solid var(--edge);border-radius:.75rem;background:var(--panel);color:var(--ink);font:inherit;font-size:1.0625rem;font-weight:600;text-align:center;text-decoration:none;overflow-wrap:anywhere;cursor:pointer}
button:hover,.button:hover{background:var(--ground)}
.main,.main:hover{border-color:color-mix(in srgb,var(--on) 22%,var(--brand));background:var(--brand);color:var(--on)}
.main:hover{box-shadow:inset 0 0 0 4rem #8080801f}
button[aria-disabled=true]{cursor:progress;background:var(--line);border-color:var(--line);color:var(--ink)}
.panel .or{display:flex;align-items:center;gap:.875rem;color:var(--soft);font-size:.875rem;font-weight:400}
.or::before,.or::after{content:"";flex:1;border-block-start:1px solid var(--line)}
.note{display:flex;gap:.5rem;color:var(--soft);font-size:.875rem}
.note svg{flex:none;margin-block-start:.1875rem}
.alert:focus{outline:none}
.alert{padding:.875rem 1rem;border:1px solid var(--bad);border-radius:.75rem;background:var(--bad-ground);color:var(--ink);overflow-wrap:anywhere}
.links{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0 .5rem;color:var(--soft);font-size:.875rem}
.links a{display:inline-block;padding-block:.25rem}
.around{display:grid;gap:1.5rem}
.around .merchant,.around .links{justify-content:center}
.outcome{justify-items:center;gap:1rem;padding:2.25rem 1.5rem 1.5rem;text-align:center}
.outcome h1{margin-block-start:.25rem;color:var(--ink);font-size:1.375rem;line-height:1.3;font-weight:650}
.outcome .amount{font-size:2.25rem}
.outcome>p{max-width:24rem;overflow-wrap:anywhere}
.outcome .facts{width:100%;font-size:.8125rem;margin-block-start:.25rem;padding-block-start:1.25rem;border-block-start:1px solid var(--line);text-align:start}
.icon{display:grid;place-items:center;width:4rem;height:4rem;border-radius:50%;background:var(--ground);color:var(--soft)}
.icon.good{background:var(--good-ground);color:var(--good)}
.icon.bad{background:var(--bad-ground);color:var(--bad)}
.spin{width:1.75rem;height:1.75rem;border:3px solid var(--line);border-block-start-color:var(--focus);border-radius:50%;animation:spin 1s linear infinite}
@keyframes spin{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.spin{animation-duration:6s}}
@media print{body{border:0}.panel{box-shadow:none}.button,button,form,.links,.icon{display:none}}
@media(max-width:26rem){.choice .count{grid-column:2}.choice:has(.count) input{grid-row:1/3}}
@media(max-width:24rem){.panel{padding:1.25rem 1rem}.summary,.rest,.links{padding-inline:.25rem}}
@media(max-width:21rem){.pair{grid-template-columns:1fr}}
@media(min-width:58rem){
main:has(.checkout){max-width:62rem;padding:4.5rem 2rem 3rem}
.checkout{grid-template:auto auto 1fr/minmax(0,1fr) 27rem;gap:1.75rem 5.5rem;align-items:start}
.checkout .panel{padding:2rem;grid-area:1/2/4/3}
.checkout>:not(.panel){grid-column:1}
.banner{height:8rem}
main:not(:has(.checkout)){padding-block-start:10vh}
}
`;

/** The style of the form for a receipt. Only pages of links with a receipt carry the style. */
export const RECEIPT_STYLE = `.receipt{width:100%;padding-block:1.25rem;border-block:1px solid var(--line);text-align:start}
@media print{.receipt{display:none}}`;

/** The style of a page with a code or a reference. A print keeps both. */
export const INSTRUCTION_STYLE = `.code{display:block;width:min(100%,18rem);height:auto;border-radius:.625rem}
.reference{font-size:1.5rem;font-weight:650;font-variant-numeric:tabular-nums}`;

/** The style of the button of Apple Pay. Apple asks for the button that the browser draws. */
export const APPLE_PAY_STYLE = `@supports(-webkit-appearance:-apple-pay-button){
[data-apple-pay] button{-webkit-appearance:-apple-pay-button;-apple-pay-button-style:black}
[data-apple-pay] button span{display:none}
@media(prefers-color-scheme:dark){[data-apple-pay] button{-apple-pay-button-style:white}}
}`;

/** The style of a merchant's colour. The style holds only the digits that `brandOf` checked. */
export const brandStyle = ({ color, on }: Brand): string => `:root{--brand:${color};--on:${on}}`;
