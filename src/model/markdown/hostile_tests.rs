//! Texts that want to do harm: what is seen stays, and no link leads where it must not.

use super::{Block, Inline, Target, blocks, samples::each_line};

/// A text without a link, and all that is seen of it.
const NO_LINK: [(&str, &str); 84] = [
    ("[a](javascript:alert(1))", "a"),
    ("[a](JAVASCRIPT:alert(1))", "a"),
    ("[a](JaVaScRiPt:alert(1))", "a"),
    ("[a](  javascript:alert(1)  )", "a"),
    ("[a](< javascript:alert(1)>)", "a"),
    ("[a](<java\tscript:alert(1)>)", "a"),
    ("[a](java&#9;script:alert(1))", "a"),
    ("[a](java&#10;script:alert(1))", "a"),
    ("[a](java&#x0D;script:alert(1))", "a"),
    ("[a](java&NewLine;script:alert(1))", "a"),
    ("[a](java&Tab;script:alert(1))", "a"),
    ("[a](&#1;javascript:alert(1))", "a"),
    ("[a](&#x6A;avascript:alert(1))", "a"),
    ("[a](&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1))", "a"),
    ("[a](javascript&colon;alert(1))", "a"),
    ("[a](javascript\\:alert(1))", "a"),
    ("[a](javascript://x.org/%0aalert(1))", "a"),
    ("[a](java%0ascript:alert(1))", "a"),
    ("[a](%6Aavascript:alert(1))", "a"),
    ("[a](javascript&#x3A;alert(1))", "a"),
    ("[a](\u{1}javascript:alert(1))", "[a](\u{1}javascript:alert(1))"),
    ("[a](\u{a0}javascript:alert(1))", "a"),
    ("[a](\u{200b}javascript:alert(1))", "a"),
    ("[a](javascript\u{200b}:alert(1))", "a"),
    ("[a](\u{feff}https://x.org)", "a"),
    ("[a](ｊavascript:alert(1))", "a"),
    ("[a](data:text/html,<script>alert(1)</script>)", "a"),
    ("[a](DATA:text/html;base64,PHNjcmlwdD4=)", "a"),
    ("[a](data&colon;text/html,x)", "a"),
    ("[a](vbscript:msgbox(1))", "a"),
    ("[a](VBScript:msgbox(1))", "a"),
    ("[a](file:///etc/passwd)", "a"),
    ("[a](FILE://c/x)", "a"),
    ("[a](ftp://x.org)", "a"),
    ("[a](blob:https://x.org/1)", "a"),
    ("[a](view-source:https://x.org)", "a"),
    ("[a](about:blank)", "a"),
    ("[a](ws://x.org)", "a"),
    ("[a](tel:123)", "a"),
    ("[a](intent://x#Intent;end)", "a"),
    ("[a](//evil.org)", "a"),
    ("[a](/path)", "a"),
    ("[a](path?q=https://x.org)", "a"),
    ("[a](../up)", "a"),
    ("[a](?q=1)", "a"),
    ("[a]()", "a"),
    ("[a](<>)", "a"),
    ("[a](\\\\evil.org)", "a"),
    ("[a](https:evil.org)", "a"),
    ("[a](https:/evil.org)", "a"),
    ("[a](https:\\\\evil.org)", "a"),
    ("[a](https://)", "a"),
    ("[a](https:///evil.org)", "a"),
    ("[a](https://good.org\\\\@evil.org)", "a"),
    ("[a](<https://x.org/a b>)", "a"),
    ("[a](ht&Tab;tps://x.org)", "a"),
    ("[a](https://x.org/&#10;b)", "a"),
    ("[a](https://x.org/&#x202E;b)", "a"),
    ("[a](:https://x.org)", "a"),
    ("[a](mailto:)", "a"),
    ("[a](mailto:?body=x)", "a"),
    ("[a](#)", "a"),
    ("[a](#top)", "a"),
    ("[a](#call_)", "a"),
    ("[a](#call_1/../x)", "a"),
    ("[a](#call_1&quot;onclick=x)", "a"),
    ("[a](#CALL_1)", "a"),
    ("[a](page#call_1)", "a"),
    ("[a][b]\n\n[b]: javascript:alert(1)", "a"),
    ("[b]\n\n[b]: <data:text/html,x>", "b"),
    ("<javascript:alert(1)>", "javascript:alert(1)"),
    ("<data:text/html,x>", "data:text/html,x"),
    ("<file:///etc/passwd>", "file:///etc/passwd"),
    ("[a **b**](javascript:x)", "a b"),
    ("[https://good.org](javascript:x)", "https://good.org"),
    ("![a](javascript:x)", "a"),
    ("![a](data:image/svg+xml,<svg/onload=alert(1)>)", "a"),
    ("![a](//evil.org/i.png)", "a"),
    ("[![a](data:x)](javascript:x)", "a"),
    ("# [a](javascript:x)", "a"),
    ("> - [a](javascript:x)", "a"),
    ("| a |\n|---|\n| [b](javascript:x) |", "a\nb"),
    ("javascript:alert(1) data:text/html,x", "javascript:alert(1) data:text/html,x"),
    ("javascript://x.org vbscript://x.org", "javascript://x.org vbscript://x.org"),
];

/// Raw HTML, which is seen exactly as it is.
const HTML: [&str; 27] = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.org/x.js></SCRIPT>",
    "<script>\n\nalert(1)\n\n</script>",
    "a <script>alert(1)</script> b",
    "<img src=x onerror=alert(1)>",
    "a <img src=\"x\" onerror=\"alert(1)\"> b",
    "<svg/onload=alert(1)>",
    "<svg onload=alert(1)>",
    "<iframe src=\"javascript:alert(1)\"></iframe>",
    "<a href=\"javascript:alert(1)\">a</a>",
    "<a href=\"https://evil.org\">a</a>",
    "a <a href='https://evil.org' onclick='x'>b</a>",
    "<style>body{display:none}</style>",
    "<style>\n@import 'https://evil.org/x.css';\n</style>",
    "<meta http-equiv=\"refresh\" content=\"0;url=https://evil.org\">",
    "<base href=\"https://evil.org/\">",
    "<form action=\"https://evil.org\">\n<input name=p>\n</form>",
    "<!-- a comment --> b",
    "<!--\n\n<script>alert(1)</script>\n\n-->",
    "a <!-- <b> --> c",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php echo 1; ?>",
    "<!DOCTYPE html>",
    "</p><p>&lt;b&gt;",
    "<div onmouseover=\"alert(1)\">\n**a** [b](javascript:x) `c`\n</div>",
    "<details open ontoggle=alert(1)>",
    "<math><mtext></form><form>a</math>",
];

fn visible(inlines: &[Inline]) -> String {
    inlines.iter().fold(String::new(), |all, inline| {
        all + &match inline {
            Inline::Text(text) | Inline::Code(text) => text.clone(),
            Inline::Strong(inside) | Inline::Emphasis(inside) | Inline::Strike(inside) => visible(inside),
            Inline::Link { inside, .. } => visible(inside),
            Inline::Image { alt, .. } => alt.clone(),
            Inline::Break => "\n".into(),
        }
    })
}

/// Every address in the text.
fn targets(inlines: &[Inline], all: &mut Vec<Target>) {
    for inline in inlines {
        match inline {
            Inline::Strong(inside) | Inline::Emphasis(inside) | Inline::Strike(inside) => targets(inside, all),
            Inline::Link { to, inside } => {
                all.push(to.clone());
                targets(inside, all);
            }
            Inline::Image { to, .. } => all.push(Target::Web(to.clone())),
            Inline::Text(_) | Inline::Code(_) | Inline::Break => {}
        }
    }
}

fn seen_and_linked(text: &str) -> (String, Vec<Target>) {
    let (mut seen, mut linked) = (Vec::new(), Vec::new());
    each_line(&blocks(text), &mut |inlines| {
        seen.push(visible(inlines));
        targets(inlines, &mut linked);
    });
    (seen.join("\n"), linked)
}

#[test]
fn hostile_links_lead_nowhere() {
    for (text, expected) in NO_LINK {
        assert_eq!(seen_and_linked(text), (expected.to_owned(), vec![]), "for {text:?}");
    }
}

#[test]
fn html_is_seen_and_does_nothing() {
    for text in HTML {
        // A line that starts an HTML block may end it, so that the rest is a paragraph of its own.
        assert_eq!(seen_and_linked(text), (text.to_owned(), vec![]), "for {text:?}");
        assert!(blocks(text).iter().all(|block| matches!(block, Block::Paragraph(_))), "for {text:?}");
    }
}

/// These are links, but only to where they may lead.
#[test]
fn odd_links_lead_where_they_say() {
    let web = |to: &str| vec![Target::Web(to.into())];
    for (text, expected) in [
        ("[a](https://x.org/\"onclick=alert(1))", web("https://x.org/\"onclick=alert(1)")),
        ("[a](https://x.org?u=javascript:x)", web("https://x.org?u=javascript:x")),
        ("[a](HTTP://X.ORG)", web("http://X.ORG")),
        ("[a](MAILTO:me@x.org)", web("mailto:me@x.org")),
        ("[a](https&colon;//x.org)", web("https://x.org")),
        ("[a](#call_1)", vec![Target::Card("call_1".into())]),
        ("[a](javascript:x) https://x.org", web("https://x.org")),
        ("[a](javascript:x \"https://x.org\")", vec![]),
        ("[[a](https://x.org)](javascript:x)", web("https://x.org")),
        ("[a](https://x.org)(javascript:x)", web("https://x.org")),
        ("https://x.org\u{0}javascript:x", web("https://x.org")),
        ("https://x.org\"onmouseover=\"alert(1)", web("https://x.org")),
        ("<https://x.org/'onclick='x>", web("https://x.org/'onclick='x")),
    ] {
        assert_eq!(seen_and_linked(text).1, expected, "for {text:?}");
    }
}
