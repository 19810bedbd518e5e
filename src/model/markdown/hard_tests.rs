//! Texts that are broken, deep or long.

use std::time::{Duration, Instant};

use super::{
    Block, Inline, MAX_DEPTH, Stream, blocks,
    samples::{depth, shape},
};

/// Xorshift: the same texts in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn text(&mut self, words: &[&str]) -> String {
        (0..self.below(60)).map(|_| words[self.below(words.len())]).collect()
    }
}

#[rustfmt::skip]
const WORDS: [&str; 62] = [
    "\n", "\n", "\n", "\n", "\n\n", " ", " ", "  ", "    ", "\t", "\r\n", "a", "b", "word", "é", "日", "🎉",
    "\u{0}", "*", "**", "_", "~", "~~", "`", "```", "~~~", "#", "## ", "-", "- ", "+ ", "* ", "1. ", "2) ", "> ", ">",
    "|", "|-|-|", "|---|\n", ":-:", "---", "===", "[", "]", "(", ")", "](", "](https://x.org)", "![", "<", ">", "<div>",
    "</div>", "<!--", "-->", "<b", "&", "&amp;", "\\", "https://x.org/", "- [x] ", "!",
];

#[test]
fn nothing_panics_and_streams_agree() {
    const SEED: u64 = 0x5eed_cafe_f00d;
    eprintln!("seed {SEED:#x}");
    let mut random = Random(SEED);
    for case in 0..20_000 {
        let text = random.text(&WORDS);
        let whole = blocks(&text);
        assert!(depth(&whole) <= MAX_DEPTH);
        let mut stream = Stream::default();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let size = rest.char_indices().nth(1 + random.below(12)).map_or(rest.len(), |(at, _)| at);
            stream.push(&rest[..size]);
            rest = &rest[size..];
        }
        assert!(!stream.finish(), "a finished block changed in case {case}: {text:?}");
        let shown = stream.blocks().map(|(_, block)| block.clone()).collect::<Vec<_>>();
        assert_eq!(shown, whole, "case {case}: {text:?}");
    }
}

#[track_caller]
fn within(limit: Duration, what: &str, text: &str) {
    let start = Instant::now();
    let blocks = blocks(text);
    assert!(depth(&blocks) <= MAX_DEPTH, "{what} is too deep");
    drop(blocks);
    let took = start.elapsed();
    eprintln!("{took:>10.0?} {what}");
    assert!(took < limit, "{what} took {took:?}");
}

#[test]
fn deep_nesting() {
    const MANY: usize = 10_000;
    for opening in [
        ">",
        "> ",
        "[",
        "![",
        "*",
        "**",
        "*a ",
        "_",
        "~~",
        "~~a ",
        "`",
        "- ",
        "1. ",
        "+ > ",
        "(",
        "<",
        "<!--",
        "<a ",
        "[a](",
        "![a](",
        "\\",
        "&",
        "**a *b ",
        "[a *b ",
        "https://x.org/(",
        "| ",
        "\n> ",
        "\n- ",
        "[a]: ",
        "[a][",
    ] {
        within(Duration::from_secs(1), opening, &opening.repeat(MANY));
        within(Duration::from_secs(1), &format!("{opening} with an end"), &format!("{}x\n\ny\n", opening.repeat(MANY)));
    }
    for (opening, closing) in [
        ("[", "](https://x.org)"),
        ("**a ", " b**"),
        ("*", "*"),
        ("~~a ", "~~"),
        ("![", "](https://x.org)"),
        ("(", ")"),
        ("<b>", "</b>"),
    ] {
        let text = format!("{}x{}", opening.repeat(MANY), closing.repeat(MANY));
        within(Duration::from_secs(1), &format!("{opening} and {closing}"), &text);
    }
}

/// What is too deep keeps its text.
#[test]
fn depth_has_an_end() {
    let quotes = shape(&blocks(&format!("{}deep", "> ".repeat(40))));
    assert_eq!(quotes, format!("{}p[deep]{}", "q[".repeat(32), "]".repeat(32)));

    let tasks = (0..40).map(|n| format!("{}- [x] {n}\n", "  ".repeat(n))).collect::<String>();
    let tasks = shape(&blocks(&tasks));
    assert_eq!(tasks.matches("ul[").count(), 32);
    assert!(tasks.contains("li+[p[31] p[[x] 32] p[[x] 33]"), "{tasks}");

    let emphasis = shape(&blocks(&format!("{}x{}", "*a **c ".repeat(20), " d** e*".repeat(20))));
    let deepest = format!("{}a c {}x{}", "i[a b[c ".repeat(16), "a c ".repeat(3), " d e".repeat(4));
    assert!(emphasis.contains(&deepest), "{emphasis}");

    let link = shape(&blocks(&format!("{}[a](https://x.org) https://y.org", "> ".repeat(32))));
    assert!(link.contains("p[a https://y.org]"), "{link}");
}

#[test]
fn a_megabyte_in_one_block() {
    let fill = |part: &str| part.repeat((1 << 20) / part.len());
    for part in [
        "word ",
        "line of words\n",
        "**a** *b* `c` ",
        "[a](https://x.org) ",
        "https://x.org/a?b=c ",
        "http://(",
        "http://a(",
        "a",
        "&amp;",
        "<b>",
        "\\*",
        "- item\n",
        "> quote\n",
        "[",
        "*",
        "_a ",
        "`",
        "|",
    ] {
        within(Duration::from_secs(2), part, &fill(part));
    }
    within(Duration::from_secs(2), "a fence", &format!("```\n{}", fill("let x = 1;\n")));
    within(Duration::from_secs(2), "a table", &format!("|a|b|\n|-|-|\n{}", fill("| 1 | 2 |\n")));
}

/// Every lazy line is compared with every quote.
#[test]
fn deep_and_long() {
    for opening in [">", "- ", "1. ", "> + "] {
        let text = format!("{}a\n{}", opening.repeat(20_000), "b\n".repeat(200_000));
        within(Duration::from_secs(2), opening, &text);
        assert_eq!(blocks(&text), [Block::Paragraph(vec![Inline::Text(text)])]);
    }
    let honest = format!("> - a\n{}", "b\n".repeat(20_000));
    assert!(shape(&blocks(&honest)).starts_with("q[ul["));
}

#[test]
fn a_long_block_streams() {
    for (opening, line) in [("```\n", "let x = 1;\n"), ("", "- item\n"), ("", "word **word**\n")] {
        let mut stream = Stream::default();
        let start = Instant::now();
        stream.push(opening);
        while stream.text().len() < 1 << 17 {
            stream.push(&line.repeat(20));
        }
        stream.finish();
        eprintln!("{:>10.0?} {line:?}", start.elapsed());
        assert!(start.elapsed() < Duration::from_secs(10));
        assert_eq!(stream.blocks().count(), 1);
    }
}

/// Code that is only appended is the code that would have been read.
#[test]
fn code_grows() {
    const SEED: u64 = 0xc0de;
    eprintln!("seed {SEED:#x}");
    let mut random = Random(SEED);
    for _ in 0..2000 {
        let mut stream = Stream::default();
        stream.push(["```", "~~~~", "Text.\n\n```rs", " ```", "- a\n  ```"][random.below(5)]);
        stream.push("\n");
        for _ in 0..random.below(20) {
            stream.push(
                ["a", "\n", "\n", "  ", "\t", "`", "``", "```", "~~~~\n", "b\n", "> ", "\u{0}", "\r\n"]
                    [random.below(13)],
            );
            stream.push("\n");
            let shown = stream.blocks().map(|(_, block)| block.clone()).collect::<Vec<_>>();
            if matches!(shown.last(), Some(Block::Code { .. })) {
                assert_eq!(shown, blocks(stream.text()), "for {:?}", stream.text());
            }
        }
    }
}
