"""Generates broken HTML, as lists of tokens; the same seed and number always give the same document."""
import random

FORMATTING = "a b big code em font i nobr s small strike strong tt u".split()
BLOCK = ("p div h1 h2 h3 ul ol li dl dt dd blockquote pre listing center address article section nav main aside header footer "
         "fieldset details summary figure dialog hr menu search hgroup dir xmp plaintext").split()
TABLE = "table caption colgroup col tbody thead tfoot tr td th".split()
FORM = "form select option optgroup button input textarea label fieldset legend datalist output hr isindex keygen".split()
FOREIGN = ("svg math foreignObject desc title mi mo mn ms mtext annotation-xml mglyph malignmark g path lineargradient "
           "font p div br span table image a").split()
HEAD = "html head body title base link meta style script noscript template frameset frame noframes bgsound basefont".split()
RAW = "textarea title style script xmp iframe noembed noframes noscript plaintext".split()
INLINE = ("span img br wbr embed area param source track object applet marquee ruby rb rt rp rtc image picture video audio "
          "canvas del ins kbd sub sup abbr cite custom-tag x:y").split() + ["q\u2028r", "xÉ"]
TEMPLATE = "template table tr td col caption select option p div script".split()
FRAMES = "frameset frame noframes html body head p".split()
THEMES = [
    FORMATTING, FORMATTING + BLOCK, TABLE, TABLE + FORMATTING, FORM, FORM + BLOCK, FOREIGN, FOREIGN + BLOCK, HEAD, TEMPLATE,
    TEMPLATE + TABLE, FRAMES, INLINE + BLOCK, TABLE + FORM, TABLE + FOREIGN, "ul ol li dl dt dd p div b".split(),
    "button p form div a".split(), "ruby rb rt rp rtc span p".split(), "select option optgroup hr b p div".split(),
    "h1 h2 h6 p a nobr b".split(), "applet object marquee p b a td table".split(),
]
ALL = sorted(set(FORMATTING + BLOCK + TABLE + FORM + FOREIGN + HEAD + INLINE + FRAMES) - {"plaintext"})

DOCTYPES = [
    "<!DOCTYPE html>", "<!doctype HTML>", "<!DOCTYPE>", "<!DOCTYPE html SYSTEM 'about:legacy-compat'>",
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">', '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2//EN">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Frameset//EN" "x">', "<!DOCTYPE potato>", "<!DOCTYPE html bogus>",
    "<!DOCTYPE html PUBLIC 'x>", "<!DOCTYPEhtml>", "<!DOCTYPE html SYSTEM>",
]
COMMENTS = ["<!--", "<!-- c -->", "<!--c\r\nd-->", "<!-- \0 -->"]
BOGUS = ["<!-->", "<!--->", "<!-- a -- b -->", "<!--x--!>", "<!--<!--y-->", "<!x>", "<!>", "</ z>", "</>", "</%>",
         "<![CDATA[c]]>", "<!-", "<?x y?>", "<?", "<?>", "<?xml version='1.0'?>", "<?1>", "<?x a='>'?>"]
SNIPPETS = [
    "<select><button><selectedcontent></button>", "<b><i><p></b>", "<table>a<tr>b<td>c", "<svg><![CDATA[x\0y]]>",
    "<math><annotation-xml encoding=text/html><p>", "<svg><foreignObject><p>", "<a><table><a>", "<option><optgroup>",
    "<table><tr><input type=hidden>", "<form></table><form>", "<ruby>a<rt>b<rp>c", "</p></br>", "<li><li></ul><dd>",
]
TEXTS = [
    "x", "yz", " ", "\n", "  \t\n", "\r\n", "\r", " a ", "é", "𝄞", "\0", "a\0b", " \0 ", "\0\0", "<", "<3", "< b", "a<", "]]>",
    "\f", "\x01", "\ufffd", "a\n\nb", "\n\nq", "&amp;", "&lt;b&gt;", "&notit;", "&not", "&#0;", "&#x80;", "&#xD800;",
    "&#x110000;", "&#65", "&nbsp;", "&nbsp", "&ampx=1", "&;", "&#;", "&#x;", "&CounterClockwiseContourIntegral;", "&bogus;",
    "&NotEqualTilde;",
]
ATTRIBUTES = [
    "a=1", "a=2", "A='3'", 'class="c d"', "id=x", "type=hidden", "type=HIDDEN", "type=text", "href=#", "selected", "multiple",
    "color=red", "size=1", "face", "encoding=text/html", 'encoding="application/xhtml+xml"', "encoding=x", "definitionurl=u",
    "xlink:href=#a", "xml:lang=en", "viewbox='0 0 1 1'", "=b", "a==c", "a='x\ty'", 'b"c', "x=&amp;y", "x='&notit;'", "\0=\0",
    "title='>'", "/", "a/b", "charset=utf-8",
]
RAW_TEXT = ["r", "<b>", "</b>", "&amp;", "<!--", "-->", "</", "</scrip", "<script>", "</script >", "<!-- <script>", "\n", "\0",
            "</p>", "<p>", "]]>", "\r\nz"]
STRUCTURE = ["<head>", "<body class=q>", "<html lang=x>", "</head>", "</body>", "</html>", "<!DOCTYPE html>"]
OPENINGS = ["<html>", "<head>", "<body>", "<html><head></head>", "</head>", "\n<!-- c -->\n"]
CUT_OFF = ["<", "<b", "<b a", "<b a=", "<b a='x", "</", "</b", "<!--", "<!", "<!d", "&", "&am", "&#", "<!DOCTYPE h"]


def attributes(rng):
    count = rng.choice([0, 0, 0, 0, 0, 1, 1, 2, 3])
    return "".join(rng.choice([" ", " ", " ", "\n", "/", " \t"]) + rng.choice(ATTRIBUTES) for _ in range(count))


def spell(rng, name):
    return name.upper() if rng.random() < 0.05 else name


def start_tag(rng, name):
    return f"<{spell(rng, name)}{attributes(rng)}{'/' if rng.random() < 0.05 else ''}>"


def raw_element(rng):
    """An element with content that looks like markup, sometimes with a wrong end tag, or without one."""
    name = rng.choice([name for name in RAW if name != "plaintext"] * 4 + ["plaintext"])
    inside = "".join(rng.choice(RAW_TEXT) for _ in range(rng.randrange(5)))
    wrong = [f"</{name.upper()} >", f"</{name}/>", f"</{name}x>", f"</{name}", f"</{name} a=b>", ""]
    return f"<{name}{attributes(rng)}>{inside}{rng.choice([f'</{name}>'] * 8 + wrong)}"


def token(rng, theme, opened):
    names = theme if rng.random() < 0.85 else ALL
    kind = rng.random()
    if kind < 0.45:
        opened.append(rng.choice(names))
        return start_tag(rng, opened[-1])
    if kind < 0.58 and opened:  # the end tag that is due
        return f"</{opened.pop()}>"
    if kind < 0.68 and opened:  # one that is not
        return f"</{opened.pop(rng.randrange(len(opened)))}>"
    if kind < 0.74:  # one that may have no start tag
        name = rng.choice(names + ["p", "br", "body", "html"])
        return f"</{spell(rng, name)}{attributes(rng) if rng.random() < 0.1 else ''}>"
    if kind < 0.93:
        return rng.choice(TEXTS)
    if kind < 0.96:
        return rng.choice(BOGUS if rng.random() < 0.3 else COMMENTS)
    if kind < 0.985:
        return raw_element(rng)
    if kind < 0.995:
        return rng.choice(SNIPPETS)
    if kind < 0.997:
        return start_tag(rng, rng.choice(theme)) * rng.randrange(2, 60)
    return rng.choice(STRUCTURE)


def document(seed, number):
    """The tokens of document `number` of this seed."""
    rng = random.Random(f"{seed}/{number}")
    theme = sum(rng.sample(THEMES, rng.choice([1, 1, 2])), [])
    tokens, opened = [], []
    if rng.random() < 0.6:
        tokens.append(rng.choice(DOCTYPES[:1] * 8 + DOCTYPES))
    if rng.random() < 0.2:
        tokens.append(rng.choice(OPENINGS))
    tokens += [token(rng, theme, opened) for _ in range(rng.choice([4, 8, 12, 20, 30, 50, 120]))]
    if rng.random() < 0.05:
        tokens.append(rng.choice(CUT_OFF))
    return tokens
