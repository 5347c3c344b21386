// One main-content extractor from npm as a program: pages come in, texts go out, a line of JSON each.
//
//     node extract.mjs NAME
//
// The protocol is that of ../../README.md. Each is given a page by the DOM that its own documentation recommends. Making
// that DOM is in the time of a page, as parsing is in everybody else's; making text of the HTML that comes out is not.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { JSDOM, VirtualConsole } from "jsdom";
import { parseHTML } from "linkedom";

const silent = new VirtualConsole();

// Each gives the main content as HTML.
const extractors = {
  "@mozilla/readability": (page) => {
    const { window } = new JSDOM(page.html, { url: page.url, virtualConsole: silent });
    return new Readability(window.document).parse()?.content ?? "";
  },
  defuddle: async (page) => {
    const { document } = parseHTML(page.html);
    // Its asynchronous mode asks services on the network where a page has little text: peers get the page and no more.
    return (await Defuddle(document, page.url, { useAsync: false })).content;
  },
};

// The texts of a piece of HTML; texts of two elements are never one word, as they would be in its textContent.
function textOf(html) {
  const { window } = new JSDOM(html, { virtualConsole: silent });
  const walker = window.document.createTreeWalker(window.document.body, window.NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  return texts.join(" ");
}

// What an extractor made of one page, and how long it took, in seconds.
async function timed(extract, page) {
  const started = performance.now();
  const used = process.cpuUsage();
  let html = "";
  let error = null;
  try {
    html = await extract(page);
  } catch (cause) {
    error = String(cause);
  }
  const { user, system } = process.cpuUsage(used);
  return { html, error, clock: (performance.now() - started) / 1e3, processor: (user + system) / 1e6 };
}

async function answer(extract, page) {
  const { html, error, clock } = await timed(extract, page);
  return { text: textOf(html), error, seconds: clock };
}

// Each page as the bytes of its file, which the DOM decodes in the time of the page; reading the file is not in it.
async function answerFiles(extract, pages) {
  const answers = { processor: [], clock: [], characters: [], errors: [] };
  for (const page of pages) {
    const { html, error, clock, processor } = await timed(extract, { ...page, html: readFileSync(page.file) });
    answers.processor.push(processor);
    answers.clock.push(clock);
    answers.characters.push(html.length);
    answers.errors.push(error);
  }
  return answers;
}

// The manifest of a package may be hidden from import and require alike, so it is looked for beside its code.
function versionOf(name) {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name)) {
    try {
      return require(`${folder}/${name}/package.json`).version;
    } catch {
      continue;
    }
  }
  return "unknown";
}

const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
// Libraries print warnings; standard output is for answers alone.
console.log = console.info = console.debug = console.error;

const name = process.argv[2];
say({ version: versionOf(name) });
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const answering = request.pages ? answerFiles(extractors[name], request.pages) : answer(extractors[name], request);
  say(await answering);
}
