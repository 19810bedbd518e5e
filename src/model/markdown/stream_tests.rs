//! A text in pieces ends like the whole, and what is finished stays.

use super::{
    Block, Stream, blocks,
    samples::{LATE_REFERENCES, SAMPLES, shape},
};

const CHUNKS: [usize; 5] = [1, 2, 3, 5, 11];

fn shown(stream: &Stream) -> Vec<Block> {
    stream.blocks().map(|(_, block)| block.clone()).collect()
}

fn pieces(text: &str, size: usize) -> Vec<String> {
    text.chars().collect::<Vec<_>>().chunks(size).map(|piece| piece.iter().collect()).collect()
}

fn stream(text: &str) -> Stream {
    let mut stream = Stream::default();
    pieces(text, 1).iter().for_each(|piece| stream.push(piece));
    stream
}

#[test]
fn ends_like_the_whole() {
    for text in SAMPLES.into_iter().chain(LATE_REFERENCES) {
        for size in CHUNKS {
            let mut stream = Stream::default();
            pieces(text, size).iter().for_each(|piece| stream.push(piece));
            let is_changed = stream.finish();
            assert_eq!(shown(&stream), blocks(text), "for {text:?} by {size}");
            assert_eq!(is_changed, LATE_REFERENCES.contains(&text), "for {text:?} by {size}");
            assert_eq!(stream.text(), text);
            assert!(!stream.finish(), "a second end changes nothing");
        }
    }
}

#[test]
fn finished_blocks_stay() {
    for text in SAMPLES.into_iter().chain(LATE_REFERENCES) {
        for size in CHUNKS {
            let mut stream = Stream::default();
            let mut finished: Vec<Block> = Vec::new();
            for piece in pieces(text, size) {
                stream.push(&piece);
                let now = shown(&stream);
                assert!(stream.finished() >= finished.len());
                assert_eq!(now[..finished.len()], finished, "for {text:?} by {size}");
                finished = now[..stream.finished()].to_vec();
            }
            if !LATE_REFERENCES.contains(&text) {
                assert_eq!(blocks(text)[..finished.len()], finished, "for {text:?} by {size}");
            }
        }
    }
}

/// A paragraph may turn out to be a table or a heading; nothing else changes its kind, but for definitions, which
/// are not seen once they are whole.
#[test]
fn kinds_do_not_flicker() {
    for text in SAMPLES.into_iter().chain(LATE_REFERENCES) {
        let mut stream = Stream::default();
        let mut before: Vec<Block> = Vec::new();
        for piece in pieces(text, 1) {
            stream.push(&piece);
            let now = shown(&stream);
            for (old, new) in before.iter().zip(&now) {
                let is_paragraph = matches!(old, Block::Paragraph(_));
                let may_become = is_paragraph && matches!(new, Block::Table { .. } | Block::Heading(..));
                let is_same = std::mem::discriminant(old) == std::mem::discriminant(new);
                assert!(is_same || may_become, "{old:?} became {new:?} in {:?}", stream.text());
            }
            assert!(now.len() >= before.len() || text.contains("]: "), "a block vanished in {:?}", stream.text());
            before = now;
        }
    }
}

#[test]
fn only_the_open_end_is_read_again() {
    let mut stream = Stream::default();
    for n in 0..2000 {
        stream.push(&format!("Paragraph {n} with **text**.\n\n- a\n\n- b\n\n"));
        assert!(stream.text().len() - stream.open_from() < 100);
    }
    assert_eq!(stream.finished(), 3999);
}

#[test]
fn a_list_goes_on_after_blank_lines() {
    let mut stream = stream("- a\n\n- b\n\n");
    assert_eq!(stream.finished(), 0);
    stream.push("  c\n\nText");
    assert_eq!(stream.finished(), 0, "the line may go on");
    stream.push("\n");
    assert_eq!((stream.finished(), shape(&shown(&stream))), (1, "ul[li[p[a]] li[p[b] p[c]]] p[Text]".into()));
}

#[test]
fn earlier_definitions_serve_later_text() {
    let stream = stream("[a b]: https://x.org\n\nOne.\n\nTwo.\n\n[A  B] and [c][a b]");
    assert_eq!(stream.finished(), 1);
    assert_eq!(shape(&shown(&stream)), "p[One.] p[Two.] p[a:https://x.org[A  B] and a:https://x.org[c]]");
}

#[test]
fn goes_on_after_its_end() {
    let mut stream = stream("# a\n\nb **c");
    stream.finish();
    assert_eq!(shape(&shown(&stream)), "h1[a] p[b **c]");
    stream.push("** d\n\ne\n");
    assert_eq!(shape(&shown(&stream)), "h1[a] p[b b[c] d] p[e]");
}

/// What is shown of a text that has not ended.
#[test]
fn unfinished_ends() {
    for (text, expected) in [
        ("```", "code…[]"),
        ("```rust\nlet x", "code…rust[let x]"),
        ("```\na\n``", "code…[a]"),
        ("```\na\n```", "code:[a]"),
        ("| a | b |", "p[| a | b |]"),
        ("| a | b |\n|", "p[| a | b |]"),
        ("| a | b |\n|--", "p[| a | b |]"),
        ("| a | b |\n|---|---|\n", "table[None, None][a | b // ]"),
        ("| a | b |\n|---|---|\n| 1 | **2", "table[None, None][a | b // 1 | 2]"),
        ("Intro:\n-", "p[Intro:]"),
        ("Intro:\n- ", "p[Intro:]"),
        ("Intro:\n- a", "p[Intro:] ul[li[p[a]]]"),
        ("- a\n\n2", "ul[li[p[a]]]"),
        ("- a\n  1. **", "ul[li[p[a]]]"),
        ("- [ ] ", ""),
        ("#", ""),
        ("## ", ""),
        ("> ", ""),
        ("a **b", "p[a b]"),
        ("a **b*", "p[a b]"),
        ("a **b** c", "p[a b[b] c]"),
        ("a *b `c` d", "p[a b `c` d]"),
        ("a `b", "p[a b]"),
        ("a ~~b", "p[a b]"),
        ("a ** b 2*3 c_d", "p[a ** b 2*3 c_d]"),
        ("a [", "p[a]"),
        ("a [b", "p[a b]"),
        ("a [b](", "p[a b]"),
        ("a [b](https://x.or", "p[a b]"),
        ("a ![b](https://x.or", "p[a b]"),
        ("a [**b** c](https://x.or", "p[a b[b] c]"),
        ("a [b](https://x.org)", "p[a a:https://x.org[b]]"),
        ("> - # a **b", "q[ul[li[h1[a b]]]]"),
    ] {
        assert_eq!(shape(&shown(&stream(text))), expected, "for {text:?}");
    }
}
