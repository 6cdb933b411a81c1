// Style of <almanac-reading>. The text takes its font, size and colors from the page, so it fits in light and dark schemes. Pages
// can change the custom properties and the parts that docs/client.md lists.

export const style = `:host{display:block}
:host([hidden]){display:none}
*{margin:0}
article{--accent:var(--almanac-accent,currentColor);--line:var(--almanac-line,color-mix(in srgb,currentColor 22%,#0000));overflow-wrap:anywhere}
[part=body]{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19em),1fr));gap:var(--almanac-gap,1.3em 2.2em);margin-top:1em}
[part=title],[part=heading],[part=name]{color:var(--accent);line-height:1.3;font-size:1.1em}
[part=title]{font-size:1.6em}
[part=heading]{margin-bottom:.2em}
[part=date],[part=old],[part=source],dl{font-size:.9em}
[part=date]:first-letter,[part=old]:first-letter{text-transform:uppercase}
[part=old]{border-inline-start:.25em solid var(--accent);padding-inline-start:.6em}
[part=source]{margin-top:1em}
a{color:inherit}
p{max-width:40em}
p+p,section section{margin-top:.6em}
[part=card]{display:flow-root}
img{float:inline-start;width:7em;aspect-ratio:2/3;object-fit:contain;margin-block:.3em .6em;margin-inline-end:1em}
dl div{display:flex;flex-wrap:wrap;gap:0 .8em;padding:.25em 0;border-bottom:1px solid var(--line)}
dt{font-weight:600}
i{display:inline-block;width:.9em;height:.9em;margin-inline-start:.4em;border:1px solid;vertical-align:-.1em}
[part=scores] dt{flex:1 1 7em}
[part=scores] dd{flex:2 1 7em;display:flex;gap:.6em;align-items:center}
dd:before{flex:1;height:.45em;background:linear-gradient(90deg,var(--accent) var(--share),var(--line) 0)}
[part=scores] dd:before{content:""}
[dir=rtl] dd:before{scale:-1 1}
label{display:block;margin-bottom:1em}
select{font:inherit;max-width:100%}`;
