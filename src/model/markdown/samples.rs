//! For the tests: texts as models write them, and blocks as one short line.

use super::{Block, Inline, Target};

/// `h1[Title] p[see a:https://x.org[this]] ul[li[p[one]]]`
pub fn shape(blocks: &[Block]) -> String {
    join(blocks, " ", block)
}

fn join<T>(parts: &[T], between: &str, write: impl Fn(&T) -> String) -> String {
    parts.iter().map(write).collect::<Vec<_>>().join(between)
}

fn block(it: &Block) -> String {
    match it {
        Block::Paragraph(inlines) => format!("p[{}]", line(inlines)),
        Block::Heading(level, inlines) => format!("h{level}[{}]", line(inlines)),
        Block::Code { language, text, is_open } => {
            format!("code{}{language}[{text}]", if *is_open { "…" } else { ":" })
        }
        Block::Quote(blocks) => format!("q[{}]", shape(blocks)),
        Block::List { start, items } => {
            let items = join(items, " ", |item| {
                let mark = item.is_done.map_or("", |is_done| if is_done { "+" } else { "-" });
                format!("li{mark}[{}]", shape(&item.blocks))
            });
            start.map_or_else(|| format!("ul[{items}]"), |start| format!("ol{start}[{items}]"))
        }
        Block::Table { head, align, rows } => {
            let rows = join(rows, " / ", |row| join(row, " | ", |cell| line(cell)));
            format!("table{align:?}[{} // {rows}]", join(head, " | ", |cell| line(cell)))
        }
        Block::Rule => "hr".into(),
    }
}

fn line(inlines: &[Inline]) -> String {
    join(inlines, "", |inline| match inline {
        Inline::Text(text) => text.clone(),
        Inline::Code(code) => format!("`{code}`"),
        Inline::Strong(inside) => format!("b[{}]", line(inside)),
        Inline::Emphasis(inside) => format!("i[{}]", line(inside)),
        Inline::Strike(inside) => format!("s[{}]", line(inside)),
        Inline::Link { to: Target::Web(to), inside } => format!("a:{to}[{}]", line(inside)),
        Inline::Link { to: Target::Card(to), inside } => format!("a:#{to}[{}]", line(inside)),
        Inline::Image { to, alt } => format!("img:{to}[{alt}]"),
        Inline::Break => "⏎".into(),
    })
}

/// Every line of text in a text, wherever it is.
pub fn each_line<'a>(blocks: &'a [Block], visit: &mut impl FnMut(&'a [Inline])) {
    for block in blocks {
        match block {
            Block::Paragraph(inlines) | Block::Heading(_, inlines) => visit(inlines),
            Block::Quote(blocks) => each_line(blocks, visit),
            Block::List { items, .. } => items.iter().for_each(|item| each_line(&item.blocks, visit)),
            Block::Table { head, rows, .. } => head.iter().chain(rows.iter().flatten()).for_each(|cell| visit(cell)),
            Block::Code { .. } | Block::Rule => {}
        }
    }
}

/// How deep blocks and inlines nest.
pub fn depth(blocks: &[Block]) -> usize {
    let of = |block: &Block| match block {
        Block::Paragraph(inlines) | Block::Heading(_, inlines) => inline_depth(inlines),
        Block::Quote(blocks) => 1 + depth(blocks),
        Block::List { items, .. } => 1 + items.iter().map(|item| depth(&item.blocks)).max().unwrap_or(0),
        Block::Table { head, rows, .. } => {
            head.iter().chain(rows.iter().flatten()).map(|cell| inline_depth(cell)).max().unwrap_or(0)
        }
        Block::Code { .. } | Block::Rule => 0,
    };
    blocks.iter().map(of).max().unwrap_or(0)
}

fn inline_depth(inlines: &[Inline]) -> usize {
    let of = |inline: &Inline| match inline {
        Inline::Strong(inside) | Inline::Emphasis(inside) | Inline::Strike(inside) | Inline::Link { inside, .. } => {
            1 + inline_depth(inside)
        }
        Inline::Text(_) | Inline::Code(_) | Inline::Image { .. } | Inline::Break => 0,
    };
    inlines.iter().map(of).max().unwrap_or(0)
}

/// Used before they are defined, these stay text until the end.
pub const LATE_REFERENCES: [&str; 2] = [
    "See [the bill][b] and [Other].\n\nMore text here.\n\n\
    [b]: https://congress.gov/1\n[other]: https://x.org\n\nEnd.\n",
    "- [a][1]\n- [b][2]\n\n# Sources\n\n[1]: https://a.org 'A'\n[2]: <https://b.org>\n",
];

pub const SAMPLES: [&str; 32] = [
    "",
    "Hello",
    "Hello, **world**! This is *fine* and ~~not~~ `code`.\n",
    "# One\n\nText.\n\n## Two\nMore text\nover lines\n\n### Three ###\n",
    "Title\n=====\n\nSub\n---\n\nText\n",
    "Here:\n\n```rust\nfn main() {\n    println!(\"hi\");\n}\n```\n\nDone.\n",
    "```\nnever closed\n\n# not a heading\n- not a list\n",
    "~~~python title=x\n```\ninner\n```\n~~~\nafter\n",
    "````md\n```rust\nlet a = 1;\n```\n````\n\nNested fences.",
    "- one\n- two\n- three\n\nAfter the list.\n",
    "- one\n\n- two\n\n  more of two\n\n      code in two\n\n- three\n\n\nAfter.\n",
    "1. first\n2. second\n   - inner\n   - inner too\n3. third\n\n7) other\n8) list\n",
    "- [x] done\n- [ ] to do\n- plain\n  1. [x] deep\n",
    "* a\n* b\n- c\n- d\n+ e\n\n1. f\n",
    "> quote\nlazy line\n> more\n>\n> > inner\n\n> second quote\n\nText.\n",
    "> # Heading\n>\n> - list\n>   more\n>\n> ```js\n> x\n> ```\n\nout\n",
    "> ```\n> open in quote\n\nout of it\n",
    "| Bill | Status |\n|:-----|-------:|\n| HR 1 | **passed** |\n| S 2 | `open` |\n\nAfter.\n",
    "Text before\n\na | b | c\n:-: | --- | :--\n1 | 2\n3 | 4 | 5 | 6\nnot a table | but a row\n\n> end\n",
    "before\n| a |\n|---|\n| x \\| y | `a \\| b` |\n# heading\n",
    "Line one  \nline two\\\nline three\nline four\n",
    "See https://example.org/a_(b)?x=1&y=2. And (http://x.org), <https://y.org>, <me@z.org>.\n",
    "A [link](https://x.org \"title\"), a [card](#call_1-2), \
    an ![image](https://x.org/i.png) and [no](javascript:x).\n",
    "<div class=\"x\">\n  <b>raw</b>\n</div>\n\n<!-- comment\n\nstill comment -->\n\ntext <i>inline</i>\n",
    "<details>\n<summary>More</summary>\n\nInside **it**.\n\n</details>\n",
    "    indented code\n\n    still code\n\nnot code\n",
    "para\n\n---\n\n***\n\n_ _ _\n\npara\n- - -\n",
    "[early]: https://x.org\n\nNow [early] and [text][EARLY].\n\nAnd [ early ][] again.\n",
    "Ünïcödé — “quotes” 日本語。https://例え.jp/道。終 🎉 &amp; &lt;b&gt; &copy; &#35;\n",
    "Windows\r\nlines\r\n\r\n- a\r\n- b\r\n\r\n```\r\ncode\r\n```\r\n\r\nend\r\n",
    "a * b ** c _ d __ e ~ f ` g [ h ] i ( j ! k\n\n2 * 3 * 4 = 24, snake_case_name, 5 < 6 > 4\n\n**open\n\nclosed**",
    "1. Step:\n\n   ```sh\n   cargo test\n   ```\n\n\
    2. Next:\n\n   | a | b |\n   |---|---|\n   | 1 | 2 |\n\n   > note\n\nDone: [x](https://x.org)\n",
];
