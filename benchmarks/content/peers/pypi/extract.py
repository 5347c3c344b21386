"""One main-content extractor from PyPI as a program: pages come in, texts go out, a line of JSON each.

    extract.py NAME

The protocol is that of ../../README.md. Settings are the defaults of each library; where one must be chosen, it is chosen
below. Time is taken here and not by the caller, so that neither the pipe nor the start of Python is in it.
"""
import importlib.metadata
import json
import sys
import time


def trafilatura():
    import trafilatura

    return lambda page: trafilatura.extract(page["html"], url=page["url"])


def trafilatura_without_comments():
    import trafilatura

    return lambda page: trafilatura.extract(page["html"], url=page["url"], include_comments=False)


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def extract(page):
        html = page["html"]
        if isinstance(html, bytes):
            html = HTMLTree.parse_from_bytes(html, detect_encoding(html, from_html_meta=True))
        return extract_plain_text(html, main_content=True)

    return extract


def rs_trafilatura():
    import rs_trafilatura

    def extract(page):
        html = page["html"]
        call = rs_trafilatura.extract_bytes if isinstance(html, bytes) else rs_trafilatura.extract
        return call(html, url=page["url"]).main_content

    return extract


def readability_lxml():
    from readability import Document

    return lambda page: Document(page["html"], url=page["url"]).summary()


def justext():
    import justext

    stop_lists = {name: justext.get_stoplist(name) for name in {*STOP_LISTS.values(), "English"}}

    def extract(page):
        stop_list = stop_lists[STOP_LISTS.get(page["language"], "English")]
        paragraphs = justext.justext(page["html"], stop_list)
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return extract


def boilerpy3():
    from boilerpy3.extractors import ArticleExtractor

    return lambda page: ArticleExtractor().get_content(page["html"])


def turbohtml():
    import turbohtml

    return lambda page: turbohtml.parse(page["html"]).main_text()


# By the language of the site, as jusText names them. It has none for Chinese and Japanese.
STOP_LISTS = {
    "ar": "Arabic",
    "cs": "Czech",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
}

EXTRACTORS = {
    "trafilatura": trafilatura,
    "trafilatura without comments": trafilatura_without_comments,
    "resiliparse": resiliparse,
    "rs-trafilatura": rs_trafilatura,
    "readability-lxml": readability_lxml,
    "jusText": justext,
    "boilerpy3": boilerpy3,
    "turbohtml": turbohtml,
}


GIVES_HTML = {"readability-lxml"}


def text_of(html):
    """The texts of a piece of HTML, for libraries that give no plain text; texts of two elements are never one word."""
    from lxml.html import document_fromstring

    return " ".join(document_fromstring(html).itertext())


class Timed:
    """What an extractor made of one page, and how long it took."""

    def __init__(self, extract, page):
        clock, processor = time.perf_counter(), time.process_time()
        try:
            self.text, self.error = extract(page) or "", None
        except Exception as cause:  # whatever it is, this page has no text, and the next one comes
            self.text, self.error = "", f"{type(cause).__name__} {cause}".strip()
        self.processor = time.process_time() - processor
        self.clock = time.perf_counter() - clock


def answer(name, extract, page):
    timed = Timed(extract, page)
    text = text_of(timed.text) if timed.text and name in GIVES_HTML else timed.text
    return {"text": text, "error": timed.error, "seconds": timed.clock}


def answer_files(extract, pages):
    """Each page as the bytes of its file, which the extractor decodes in its time; reading the file is not in it."""
    answers = {"processor": [], "clock": [], "characters": [], "errors": []}
    for page in pages:
        with open(page["file"], "rb") as file:
            timed = Timed(extract, {**page, "html": file.read()})
        answers["processor"].append(timed.processor)
        answers["clock"].append(timed.clock)
        answers["characters"].append(len(timed.text))  # the texts themselves would be counted as its memory
        answers["errors"].append(timed.error)
    return answers


def main():
    name = sys.argv[1]
    extract = EXTRACTORS[name]()
    # Libraries print warnings; the line to the caller must be ours alone.
    answers, sys.stdout = sys.stdout, sys.stderr

    def say(line):
        print(json.dumps(line), file=answers, flush=True)

    say({"version": importlib.metadata.version(name.split()[0])})
    for line in sys.stdin:
        request = json.loads(line)
        if "pages" in request:
            say(answer_files(extract, request["pages"]))
        else:
            say(answer(name, extract, request))


if __name__ == "__main__":
    main()
