//! Measurements on made-up data: how fast bills are imported, and how fast they are searched. `cargo xtask bench corpus`
//! takes 20,000 of them and an optimised build; as a test a few will do, to see that it still measures what it says.

use std::{fmt::Write as _, io::Write as _, time::Instant};

use super::*;
use crate::{
    model::Metadata,
    server::{
        corpus::{BillFilters, Concept, Match, Order},
        tools::{Reporter, registry},
    },
};

const SEED: u64 = 20_261_116;

/// Enough of randomness for data, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    /// A word out of some thousands, few of them frequent and most of them rare, as words are.
    fn word(&mut self) -> String {
        const VOCABULARY: usize = 8_000;
        let most = self.next(VOCABULARY) + 1;
        let rank = self.next(most);
        let mut word = String::new();
        let mut rest = rank * 7 + 13;
        for _ in 0..3 {
            word.push(b"bcdfghklmnprstvw"[rest % 16] as char);
            word.push(b"aeiou"[rest / 16 % 5] as char);
            rest /= 11;
        }
        word
    }

    fn words(&mut self, n: usize) -> String {
        (0..n).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

/// A file about as long as the official ones are: 60 KB on average, most of it actions and cosponsors.
fn file(number: u32, dice: &mut Dice) -> String {
    let mut xml = format!(
        "<billStatus><version>3.0.0</version><bill><number>{number}</number><type>HR</type><congress>118</congress>
         <updateDate>2024-01-01</updateDate><introducedDate>2023-0{}-11</introducedDate><title>{} Act</title>
         <sponsors><item><bioguideId>B{:06}</bioguideId><fullName>Rep. {}, {} [R-TX-1]</fullName></item></sponsors>
         <policyArea><name>{}</name></policyArea><actions>",
        dice.next(9) + 1,
        dice.words(6),
        dice.next(435),
        dice.word(),
        dice.word(),
        dice.word()
    );
    for n in 0..dice.next(60) + 5 {
        let _ = write!(
            xml,
            "<item><actionDate>2023-05-{:02}</actionDate><text>{}</text><type>Floor</type><actionCode>H30000</actionCode>
             <sourceSystem><code>2</code><name>House floor actions</name></sourceSystem><committees/></item>",
            n % 28 + 1,
            dice.words(14)
        );
    }
    xml.push_str("</actions><cosponsors>");
    for n in 0..dice.next(80) {
        let _ = write!(
            xml,
            "<item><bioguideId>C{n:06}</bioguideId><fullName>Rep. {}, {} [D-CA-{n}]</fullName><firstName>A</firstName>
             <lastName>B</lastName><party>D</party><state>CA</state><sponsorshipDate>2023-03-03</sponsorshipDate>
             <isOriginalCosponsor>True</isOriginalCosponsor></item>",
            dice.word(),
            dice.word()
        );
    }
    xml.push_str("</cosponsors><subjects><legislativeSubjects>");
    for _ in 0..dice.next(20) {
        let _ = write!(xml, "<item><name>{}</name></item>", dice.words(2));
    }
    let _ = write!(
        xml,
        "</legislativeSubjects></subjects><summaries><summary><text>&lt;p&gt;{}&lt;/p&gt;</text></summary></summaries>
         <amendments>{}</amendments></bill></billStatus>",
        dice.words(200),
        "<amendment><number>1</number><description>padding as there is in the official files</description></amendment>"
            .repeat(dice.next(300))
    );
    xml
}

fn percentile(sorted_ms: &[f64], of_hundred: usize) -> f64 {
    sorted_ms[(sorted_ms.len() * of_hundred / 100).min(sorted_ms.len() - 1)]
}

#[tokio::test(flavor = "multi_thread")]
async fn corpus() {
    let bills: u32 = std::env::var("VITRINE_BENCH_BILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let searches = (bills / 10) as usize;
    eprintln!("seed {SEED}");
    let folder = tempfile::tempdir().unwrap();
    let (archive, corpus) = (folder.path().join("bills.zip"), folder.path().join("corpus.db"));
    let mut dice = Dice(SEED);
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&archive).unwrap());
    let mut bytes = 0;
    for number in 1..=bills {
        let xml = file(number, &mut dice);
        bytes += xml.len();
        zip.start_file(format!("BILLSTATUS-118hr{number}.xml"), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(xml.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    eprintln!("{bills} files, {} KB on average, in one archive", bytes / 1024 / bills as usize);
    let mut progress = Progress::new(Box::new(std::io::sink()), false);
    let report = import(Kind::Bills, &[archive], &corpus, &mut progress).await.unwrap();
    eprintln!("import: {report}");
    assert_eq!((report.files, report.changed, report.bad.len()), (bills.into(), bills.into(), 0));

    let corpus = Corpus::open(&corpus).await.unwrap();
    let (mut single, mut found) = (Vec::new(), 0);
    for _ in 0..searches {
        let words = dice.next(3) + 1;
        let concepts: Vec<Concept> = (0..words).map(|_| Concept::new(dice.word())).collect();
        let query = Match::all(&concepts);
        let started = Instant::now();
        found += corpus.count_bills(&query, &BillFilters::default()).await.unwrap();
        corpus.search_bills(&query, &BillFilters::default(), Order::Best, 10, 0).await.unwrap();
        single.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    assert!(found > 0, "a search that finds nothing measures nothing");
    single.sort_by(f64::total_cmp);
    eprintln!(
        "a search, count and first ten: p50 {:.2} ms, p99 {:.2} ms, most {:.2} ms",
        percentile(&single, 50),
        percentile(&single, 99),
        single[single.len() - 1]
    );

    let tools = registry(&corpus);
    let mut whole = Vec::new();
    let mut looks = 0;
    for _ in 0..searches / 4 {
        let (reporter, _) = Reporter::recording(tools.clone());
        let words = dice.next(4) + 1;
        let args = serde_json::json!({ "query": dice.words(words) });
        let started = Instant::now();
        let done = tools.get("search_bills").unwrap().tool.run(args, &reporter).await.unwrap();
        whole.push(started.elapsed().as_secs_f64() * 1000.0);
        let Metadata { iteration, .. } = done.metadata;
        looks += iteration.unwrap_or(0);
    }
    whole.sort_by(f64::total_cmp);
    eprintln!(
        "search_bills with all its looks ({:.1} on average): p50 {:.2} ms, p99 {:.2} ms",
        f64::from(looks) / whole.len() as f64,
        percentile(&whole, 50),
        percentile(&whole, 99)
    );
}
