//! Texts, and what is in them. It does not matter how they are cut.

use serde_json::{Value, json};

use super::*;

/// A call: its name, and its arguments or what its complaint contains.
type Call = (&'static str, Result<Value, &'static str>);

#[derive(Debug, Default, PartialEq)]
struct Heard {
    text: String,
    /// Name, arguments as they came, arguments to start with, why it is broken.
    calls: Vec<(String, String, Option<Value>, Option<String>)>,
}

fn hear(chunks: &[&str]) -> Heard {
    let mut parser = MarkerParser::default();
    let mut pieces: Vec<Piece> = chunks.iter().flat_map(|chunk| parser.push(chunk)).collect();
    pieces.extend(parser.end());
    let mut heard = Heard::default();
    for piece in pieces {
        match piece {
            Piece::Text(text) => heard.text.push_str(&text),
            Piece::Call { nth, id, name } => {
                assert_eq!((nth, id), (heard.calls.len(), format!("call_{nth}")));
                heard.calls.push((name, String::new(), None, None));
            }
            Piece::Arguments { nth, chunk } => heard.calls[nth].1.push_str(&chunk),
            Piece::Ready { nth, args } => assert_eq!(heard.calls[nth].2.replace(args), None),
            Piece::Broken { nth, why } => assert_eq!(heard.calls[nth].3.replace(why), None),
            other => panic!("{other:?}"),
        }
    }
    heard
}

type Example = (String, &'static str, Vec<Call>);

fn one(whole: impl Into<String>, text: &'static str, calls: Vec<Call>) -> Example {
    (whole.into(), text, calls)
}

fn examples() -> Vec<Example> {
    let water = || ("search", Ok(json!({"q": "water"})));
    let call = r##"###:{"toolName":"search","parameters":{"q":"water"}}"##;
    let deep = format!("###:{{\"toolName\":\"a\",\"parameters\":{}{}}}\nOn.", "[".repeat(200), "]".repeat(200));
    let with_call = |before: &str, after: &str| format!("{before}{call}{after}");
    vec![
        one(call, "", vec![water()]),
        one(with_call("I look.\n", "\nDone."), "I look.\n\nDone.", vec![water()]),
        one(with_call("word", "word"), "wordword", vec![water()]),
        one(with_call("", call), "", vec![water(), water()]),
        one(with_call("```json\n", "\n```\n"), "```json\n\n```\n", vec![water()]),
        one(with_call("Grüße 東京 🎉", "🎉"), "Grüße 東京 🎉🎉", vec![water()]),
        one(with_call("## Plan\n### First\n#### ", ""), "## Plan\n### First\n#### ", vec![water()]),
        one(with_call("###: ", ""), "###: ", vec![water()]),
        one(with_call("###:\n#", ""), "###:\n####:{\"toolName\":\"search\",\"parameters\":{\"q\":\"water\"}}", vec![]),
        one(
            "### Heading\n####: four\n### : space\n###; ##:{} #:{}",
            "### Heading\n####: four\n### : space\n###; ##:{} #:{}",
            vec![],
        ),
        one("####:{\"toolName\":\"search\"}", "####:{\"toolName\":\"search\"}", vec![]),
        one("Ends with ###", "Ends with ###", vec![]),
        one("Ends with ###: ", "Ends with ###: ", vec![]),
        one("###: text {", "###: text {", vec![]),
        one(format!("###:{}{{", " ".repeat(20)), "###:                    {", vec![]),
        one(
            "###: \n {\n  \"toolName\": \"search\",\n  \"parameters\": {\n \"q\": \"water\" }\n}\nOn.",
            "\nOn.",
            vec![water()],
        ),
        one(r##"###:{"tool":"search","arguments":{"q":"water"}}"##, "", vec![water()]),
        one(r##"###:{"name":"search","args":{"q":"water"}}"##, "", vec![water()]),
        one(r##"###:{"parameters":{"q":"water"},"toolName":"search"}!"##, "!", vec![water()]),
        one(
            r##"###:{"id":7,"x":[1,{"name":"no"}],"toolName":"search","w":"}{","parameters":{"q":"water"},"z":null}"##,
            "",
            vec![water()],
        ),
        one(
            r##"###:{"toolName":"a","parameters":{"t":"} ###:{ \" \\","n":{"b":[{},[]]},"f":-1.5e3}} on"##,
            " on",
            vec![("a", Ok(json!({"t": "} ###:{ \" \\", "n": {"b": [{}, []]}, "f": -1500.0})))],
        ),
        one(r##"###:{"toolName":"a","parameters":{"t":"\u00e9\n"}}"##, "", vec![("a", Ok(json!({"t": "é\n"})))]),
        one(r##"###:{"toolName":"topics"}"##, "", vec![("topics", Ok(json!({})))]),
        one(r##"###:{"toolName":"topics","parameters":null} ok"##, " ok", vec![("topics", Ok(json!({})))]),
        one(r##"###:{"toolName":"topics","parameters":{}}"##, "", vec![("topics", Ok(json!({})))]),
        one(r##"###:{"toolName":"search","parameters":"{\"q\":\"water\"}"}"##, "", vec![water()]),
        one(r##"###:{"toolName":"search","parameters":{"q":"water"},"args":{"q":"air"}}"##, "", vec![water()]),
        one(r##"###:{"toolName":"a","parameters":[1]} on"##, " on", vec![("a", Err("no JSON object"))]),
        one(r##"###:{"toolName":"a","parameters":7} on"##, " on", vec![("a", Err("no JSON object"))]),
        one(r##"###:{"parameters":{"q":"water"}} on"##, " on", vec![("unknown", Err("which tool"))]),
        one(r##"###:{"toolName":"","parameters":{}} on"##, " on", vec![("unknown", Err("which tool"))]),
        one(r##"###:{"toolName":5} on"##, " on", vec![("unknown", Err("which tool"))]),
        one("###:{}", "", vec![("unknown", Err("which tool"))]),
        one("Cut: ###:{", "Cut: ", vec![("unknown", Err("ended before"))]),
        one(r##"###:{"toolName":"sea"##, "", vec![("unknown", Err("ended before"))]),
        one(r##"Cut ###:{"toolName":"search","parameters":{"q":"wa"##, "Cut ", vec![("search", Err("ended before"))]),
        one(r##"###:{"toolName":"search","parameters":{"q":"water"}"##, "", vec![("search", Err("ended before"))]),
        one("a ###:{bad} lost\nOn we go.", "a \nOn we go.", vec![("unknown", Err("“b” is not"))]),
        one("###:{'toolName':'a'}\r\nOn", "\nOn", vec![("unknown", Err("“'” is not"))]),
        one(
            "###:{\"toolName\":\"a\",\"parameters\":{\"q\":water}} lost\nOn.",
            "\nOn.",
            vec![("a", Err("“water” is not"))],
        ),
        one(
            "###:{\"toolName\":\"a\",\"parameters\":{\"q\":1}\n  Text on.",
            "\n  Text on.",
            vec![("a", Err("“T” is not"))],
        ),
        one(
            "###:{\"toolName\":\"a\",\"parameters\":{\"q\":\"two\nlines\"}}",
            "\nlines\"}}",
            vec![("a", Err("line break"))],
        ),
        one("###:{\"toolName\":\"a\",\"parameters\":{\"q\":\"\\x\"}}\nOn.", "\nOn.", vec![("a", Err("no meaning"))]),
        one(
            "###:{\"toolName\":\"a\",\"parameters\":{\"q\":\"\\ud800\"}} On.",
            " On.",
            vec![("a", Err("no JSON object"))],
        ),
        one("###:{\"toolName\":\"a\",}\nOn.", "\nOn.", vec![("a", Err("“}” is not"))]),
        one("###:{\"toolName\":\"a\"]\nOn.", "\nOn.", vec![("a", Err("brackets"))]),
        one(with_call("###:{bad ", " on"), " on", vec![("unknown", Err("“b”")), water()]),
        one(with_call("###:{bad\n", ""), "\n", vec![("unknown", Err("“b”")), water()]),
        one(deep, "\nOn.", vec![("a", Err("too deeply"))]),
        one(String::new(), "", vec![]),
    ]
}

#[test]
fn calls_are_told_from_text_however_it_is_cut() {
    let examples = examples();
    assert!(examples.len() >= 25);
    for (whole, text, calls) in examples {
        let heard = hear(&[&whole]);
        assert_eq!(heard.text, text, "{whole}");
        assert_eq!(heard.calls.len(), calls.len(), "{whole}: {heard:?}");
        for ((name, _, ready, broken), (expected_name, expected)) in heard.calls.iter().zip(&calls) {
            assert_eq!(name, expected_name, "{whole}");
            assert_eq!(ready.as_ref().ok_or(()), expected.as_ref().map_err(|_| ()), "{whole}: {broken:?}");
            let complaint = expected.as_ref().err().copied();
            assert_eq!(broken.is_some(), complaint.is_some(), "{whole}");
            assert!(
                broken.as_deref().unwrap_or_default().contains(complaint.unwrap_or_default()),
                "{whole}: {broken:?}"
            );
        }
        for (cut, _) in whole.char_indices() {
            assert_eq!(hear(&[&whole[..cut], &whole[cut..]]), heard, "{whole} cut at {cut}");
        }
        let letters: Vec<String> = whole.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert_eq!(hear(&letters), heard, "{whole} letter by letter");
    }
}

#[test]
fn everything_comes_as_early_as_it_can() {
    let mut parser = MarkerParser::default();
    let text = |text: &str| Piece::Text(text.to_owned());
    let chunk = |chunk: &str| Piece::Arguments { nth: 0, chunk: chunk.to_owned() };
    assert_eq!(parser.push("Hello #"), [text("Hello ")]);
    assert_eq!(parser.push("1 ##"), [text("#1 ")]);
    assert_eq!(parser.push("#:"), []);
    assert_eq!(
        parser.push("{\"toolName\":\"search\""),
        [Piece::Call { nth: 0, id: "call_0".to_owned(), name: "search".to_owned() }]
    );
    assert_eq!(parser.push(",\"parameters\": {\"q\""), [chunk("{\"q\"")]);
    assert_eq!(parser.push(":\"water\"}"), [chunk(":\"water\"}")]);
    assert_eq!(parser.push("} Bye"), [Piece::Ready { nth: 0, args: json!({"q": "water"}) }, text(" Bye")]);
    assert_eq!(parser.end(), []);
}

#[test]
fn what_is_far_too_large_is_broken_and_the_text_goes_on() {
    let huge = format!("###:{{\"toolName\":\"a\",\"parameters\":{{\"t\":\"{}\"}}}} on", "x".repeat(2_000_000));
    let heard = hear(&[&huge]);
    assert_eq!((heard.text.as_str(), heard.calls.len()), (" on", 1));
    assert!(heard.calls[0].3.as_deref().is_some_and(|why| why.contains("larger than 1 MiB")), "{:?}", heard.calls[0].3);
    let many = "###:{\"toolName\":\"a\"}\n".repeat(200);
    let heard = hear(&[&many]);
    assert_eq!((heard.text.len(), heard.calls.len()), (200, 128));
}
