//! Each rule: a text and the blocks it becomes.

use super::{Align, Block, Inline, Item, Target, blocks, samples::shape};

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shape(&blocks(text)), *expected, "for {text:?}");
    }
}

#[test]
fn plain_data() {
    let text = |text: &str| vec![Inline::Text(text.into())];
    let expected = vec![
        Block::Heading(2, text("Bills")),
        Block::List {
            start: Some(3),
            items: vec![Item { is_done: Some(true), blocks: vec![Block::Paragraph(text("read"))] }],
        },
        Block::Table { head: vec![text("a")], align: vec![Align::Center], rows: vec![vec![text("1")]] },
        Block::Code { language: "rust".into(), text: "x".into(), is_open: false },
        Block::Paragraph(vec![
            Inline::Link { to: Target::Card("call_1".into()), inside: text("card") },
            Inline::Image { to: "https://x.org/i".into(), alt: "alt".into() },
        ]),
    ];
    let source =
        "## Bills\n3. [x] read\n\n| a |\n|:-:|\n| 1 |\n```rust\nx\n```\n[card](#call_1)![alt](https://x.org/i)";
    assert_eq!(blocks(source), expected);
}

#[test]
fn paragraphs_and_headings() {
    check(&[
        ("", ""),
        (" \n\t\n", ""),
        ("one\ntwo\n\nthree", "p[one two] p[three]"),
        ("# a\n###### b\n####### c", "h1[a] h6[b] p[####### c]"),
        ("a\n===\nb\n---", "h1[a] h2[b]"),
        ("#", "h1[]"),
        ("one  \ntwo\\\nthree", "p[one⏎two⏎three]"),
        ("a\n\n---\n\nb", "p[a] hr p[b]"),
        ("&lt;b&gt; &amp; &copy; &#35; \\*", "p[<b> & © # *]"),
    ]);
}

#[test]
fn emphasis() {
    check(&[
        ("**a** *b* ~~c~~ `d`", "p[b[a] i[b] s[c] `d`]"),
        ("***a** b*", "p[i[b[a] b]]"),
        ("snake_case_name 2 * 3 * 4", "p[snake_case_name 2 * 3 * 4]"),
        ("`` a ` b ``", "p[`a ` b`]"),
        ("**a", "p[**a]"),
    ]);
}

#[test]
fn code() {
    check(&[
        ("```rust\nlet x;\n```", "code:rust[let x;]"),
        ("```rust,ignore title\nx\n\n```\nafter", "code:rust[x\n] p[after]"),
        ("~~~\n```\n~~~", "code:[```]"),
        ("```\n```", "code:[]"),
        ("```\n\n```", "code:[]"),
        ("    a\n\n    b\n", "code:[a\n\nb]"),
        ("```\n<b>&amp; https://x.org **a**\n```", "code:[<b>&amp; https://x.org **a**]"),
        ("```{.rust}\nx\n```", "code:rust[x]"),
        ("a\r\n\r\n```\r\nb\r\nc\r\n```\r\n", "p[a] code:[b\nc]"),
    ]);
}

#[test]
fn open_code() {
    check(&[
        ("```", "code…[]"),
        ("```rust", "code…rust[]"),
        ("```rust\n", "code…rust[]"),
        ("```rust\nlet `x", "code…rust[let `x]"),
        ("```\na\n\n", "code…[a\n]"),
        ("````\n```\n", "code…[```]"),
        ("```\n    ```\n", "code…[    ```]"),
        ("```\n~~~\n", "code…[~~~]"),
        ("```\n> ```\n", "code…[> ```]"),
        ("```\n``` x\n", "code…[``` x]"),
        ("> ```\n> a", "q[code…[a]]"),
        ("> ```\n> a\n> ```", "q[code:[a]]"),
        ("> ```\n> a\n\nb", "q[code:[a]] p[b]"),
        ("- ```\n  a\n  ```\n- b", "ul[li[code:[a]] li[p[b]]]"),
        ("- ```\n  a\n- b", "ul[li[code:[a]] li[p[b]]]"),
        ("- ```\n  a", "ul[li[code…[a]]]"),
        ("  ```\n  a\n  ```  ", "code:[a]"),
    ]);
}

#[test]
fn quotes_and_lists() {
    check(&[
        ("> # a\n> b\nc", "q[h1[a] p[b c]]"),
        ("> > a\n\nb", "q[q[p[a]]] p[b]"),
        ("- a\n- b", "ul[li[p[a]] li[p[b]]]"),
        ("- a\n\n- b", "ul[li[p[a]] li[p[b]]]"),
        ("- a\n  - b\n- c", "ul[li[p[a] ul[li[p[b]]]] li[p[c]]]"),
        ("- a\n\n  b\n- c", "ul[li[p[a] p[b]] li[p[c]]]"),
        ("- **a** b\n  # h\n  c", "ul[li[p[b[a] b] h1[h] p[c]]]"),
        ("7. a\n8. b", "ol7[li[p[a]] li[p[b]]]"),
        ("0) a", "ol0[li[p[a]]]"),
        ("- a\n* b\n1. c", "ul[li[p[a]]] ul[li[p[b]]] ol1[li[p[c]]]"),
        ("- [x] a\n- [ ] b\n- c", "ul[li+[p[a]] li-[p[b]] li[p[c]]]"),
        ("- [x] a\n\n- [ ] b", "ul[li+[p[a]] li-[p[b]]]"),
        ("- [x] a\n  - [ ] b", "ul[li+[p[a] ul[li-[p[b]]]]]"),
        ("-\n- a", "ul[li[] li[p[a]]]"),
        ("[x] a", "p[[x] a]"),
    ]);
}

#[test]
fn tables() {
    check(&[
        ("| a | b |\n|---|:-:|\n|  1  | **2** |", "table[None, Center][a | b // 1 | b[2]]"),
        ("a|b\n:-|-:\n1", "table[Left, Right][a | b // 1 | ]"),
        ("|a|\n|-|\n|1|2|", "table[None][a // 1]"),
        ("|a|\n|-|\n| `x \\| y` \\| z |", "table[None][a // `x | y` | z]"),
        ("|a|b|\n|-|-|\n\nc", "table[None, None][a | b // ] p[c]"),
        ("|a|\n|-|\n|https://x.org|", "table[None][a // a:https://x.org[https://x.org]]"),
        ("|a|b|\n|-|\n", "p[|a|b| |-|]"),
    ]);
}

#[test]
fn links() {
    check(&[
        ("[a](https://x.org)", "p[a:https://x.org[a]]"),
        ("[a](HTTPS://X.org/A)", "p[a:https://X.org/A[a]]"),
        ("[a **b** `c`](http://x.org 'title')", "p[a:http://x.org[a b[b] `c`]]"),
        ("[a](mailto:me@x.org?subject=b)", "p[a:mailto:me@x.org?subject=b[a]]"),
        ("[a](#call_0-9_Z)", "p[a:#call_0-9_Z[a]]"),
        ("<https://x.org> <me@x.org>", "p[a:https://x.org[https://x.org] a:mailto:me@x.org[me@x.org]]"),
        ("[a][b] [b] [B][]\n\n[b]: https://x.org", "p[a:https://x.org[a] a:https://x.org[b] a:https://x.org[B]]"),
        ("[a][b]\n\n[b]: javascript:x", "p[a]"),
        ("x [a](/path) y", "p[x a y]"),
        ("x [a **b**](path) y", "p[x a b[b] y]"),
        ("[](https://x.org)", ""),
        ("[![a](https://x.org/i)](https://y.org)", "p[a:https://y.org[img:https://x.org/i[a]]]"),
        ("![a *b* `c`\nd <i> ![e](f)](https://x.org/i)", "p[img:https://x.org/i[a b c d <i> e]]"),
        ("![a *b*](i.png) c", "p[a b c]"),
        ("![](i.png)", ""),
    ]);
}

#[test]
fn bare_addresses() {
    let link = |url: &str| format!("a:{url}[{url}]");
    let u = "https://x.org/a";
    for (text, expected) in [
        (u.to_owned(), link(u)),
        (format!("see {u}."), format!("see {}.", link(u))),
        (format!("({u})"), format!("({})", link(u))),
        (format!("({u}), b"), format!("({}), b", link(u))),
        (format!("\"{u}\"?!"), format!("\"{}\"?!", link(u))),
        (format!("[{u}]"), format!("[{}]", link(u))),
        (format!("{{{u}}}"), format!("{{{}}}", link(u))),
        (format!("{u}_(b)"), link(&format!("{u}_(b)"))),
        (format!("({u}_(b))."), format!("({}).", link(&format!("{u}_(b)")))),
        (format!("{u}("), format!("{}(", link(u))),
        (format!("{u})b"), format!("{})b", link(u))),
        (format!("**{u}**"), format!("b[{}]", link(u))),
        (format!("{u}?b=c&amp;d=e_f_g#h"), link(&format!("{u}?b=c&d=e_f_g#h"))),
        (format!("{u}。b"), format!("{}。b", link(u))),
        (format!("“{u}”"), format!("“{}”", link(u))),
        (format!("{u}\u{202e}gpj"), format!("{}\u{202e}gpj", link(u))),
        (format!("{u}\nb"), format!("{} b", link(u))),
        (format!("{u} {u}"), format!("{0} {0}", link(u))),
        ("HTTP://X.org:80/".into(), "a:http://X.org:80/[HTTP://X.org:80/]".into()),
        ("見http://x.org".into(), "見a:http://x.org[http://x.org]".into()),
        ("xhttps://x.org shttp://x.org".into(), "xhttps://x.org shttp://x.org".into()),
        ("http:// https://. http://-".into(), "http:// https://. http://-".into()),
        ("ftp://x.org javascript://x.org".into(), "ftp://x.org javascript://x.org".into()),
        ("ttp://x.org ://x.org é://x".into(), "ttp://x.org ://x.org é://x".into()),
        (format!("`{u}`"), format!("`{u}`")),
        (format!("[b {u}](http://y.org)"), format!("a:http://y.org[b {u}]")),
        (format!("[b {u}](data:x)"), format!("b {u}")),
        (format!("<a href=\"{u}\">"), format!("<a href=\"{u}\">")),
    ] {
        assert_eq!(shape(&blocks(&text)), format!("p[{expected}]"), "for {text:?}");
    }
}

#[test]
fn html_is_text() {
    check(&[
        ("a <b class='x'>b</b> <!-- c --> d", "p[a <b class='x'>b</b> <!-- c --> d]"),
        ("<div>\n  &amp; **b**\n</div>\n\nc", "p[<div>\n  &amp; **b**\n</div>] p[c]"),
        ("<!-- a\n\nb -->\nc", "p[<!-- a\n\nb -->] p[c]"),
        ("<script>\nalert(1)\n\n</script>", "p[<script>\nalert(1)\n\n</script>]"),
        ("- <div>\n  a\n  </div>", "ul[li[p[<div>\na\n</div>]]]"),
        ("> <div>\n> a", "q[p[<div>\na]]"),
        ("a<br>b<br/>c", "p[a<br>b<br/>c]"),
    ]);
}
