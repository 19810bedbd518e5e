//! Imports of made-up files of every form, and of the official ones where they are at hand.

use std::{
    collections::HashMap,
    fs,
    io::Write,
    sync::{Arc, Mutex},
};

use super::*;
use crate::{
    model::legislation::{Bill, BillNumber, BillStatus},
    server::corpus::{ActionFilters, BillFilters, tests::dump},
};

/// Official data, in the form of `../shared/data`; another folder can be named by `VITRINE_DATA`.
pub mod official;

fn quiet() -> Progress {
    Progress::new(Box::new(std::io::sink()), false)
}

async fn run(kind: Kind, paths: &[&Path], corpus: &Path) -> Report {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    import(kind, &paths, corpus, &mut quiet()).await.unwrap()
}

async fn bill(corpus: &Path, id: &str) -> Option<Bill> {
    let corpus = Corpus::open(corpus).await.unwrap();
    corpus.bills_numbered(BillNumber::only(id).unwrap(), &BillFilters::default()).await.unwrap().into_iter().next()
}

/// A file as schema 3.0.0 has it.
fn version_3(number: u32, title: &str, updated: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>
        <billStatus><version>3.0.0</version><bill>
          <number>{number}</number><type>HR</type><congress>118</congress><updateDate>{updated}</updateDate>
          <introducedDate>2023-01-09</introducedDate><title>{title}</title>
          <titles><item><title>{title}</title></item><item><title>Another name of {number}</title></item></titles>
          <sponsors><item><bioguideId>T000001</bioguideId><fullName>Rep. Test, Ann [D-OR-2]</fullName><party>D</party>
            <state>OR</state></item></sponsors>
          <cosponsors><item><bioguideId>T000002</bioguideId><fullName>Rep. Other, Bob [R-UT-1]</fullName>
            <sponsorshipDate>2023-02-01</sponsorshipDate></item></cosponsors>
          <actions>
            <item><actionDate>2023-03-02</actionDate><text>On passage Passed by voice vote.</text><actionCode>8000</actionCode></item>
            <item><actionDate>2023-03-02</actionDate><text>On passage Passed by voice vote.</text></item>
            <item><actionDate>2023-01-09</actionDate><text>Referred to the House Committee on Testing.</text>
              <actionCode>H11100</actionCode></item>
          </actions>
          <committees><item><chamber>House</chamber><name>Testing Committee</name></item></committees>
          <policyArea><name>Science</name></policyArea>
          <subjects><legislativeSubjects><item><name>Zebras</name></item></legislativeSubjects></subjects>
          <summaries><summary><actionDate>2023-01-09</actionDate><cdata><text>&lt;p&gt;About &lt;b&gt;zebras&lt;/b&gt;.&lt;/p&gt;</text></cdata>
            </summary></summaries>
          <latestAction><actionDate>2023-03-02</actionDate><text>On passage Passed by voice vote.</text></latestAction>
        </bill></billStatus>"
    )
}

/// The same facts in the places where older schemas had them.
fn older(from: &str) -> String {
    from.replace("<version>3.0.0</version>", "")
        .replace("<number>", "<billNumber>")
        .replace("</number>", "</billNumber>")
        .replace("<type>", "<billType>")
        .replace("</type>", "</billType>")
        .replace("<committees><item>", "<committees><billCommittees><item>")
        .replace("</item></committees>", "</item></billCommittees></committees>")
        .replace("<policyArea>", "<primarySubject>")
        .replace("</policyArea>", "</primarySubject>")
        .replace("<subjects><legislativeSubjects>", "<subjects><billSubjects><otherSubjects>")
        .replace("</legislativeSubjects></subjects>", "</otherSubjects></billSubjects></subjects>")
        .replace("<summaries><summary>", "<summaries><billSummaries><item>")
        .replace("</summary></summaries>", "</item></billSummaries></summaries>")
        .replace("<bioguideId>T000001</bioguideId>", "<identifiers><bioguideId>T000001</bioguideId></identifiers>")
        .replace("<party>D</party>", "")
        .replace("<state>OR</state>", "")
}

#[test]
fn every_schema_version_tells_the_same() {
    let new = version_3(5, "Zebra Act", "2023-05-01");
    let old = older(&new);
    assert_ne!(new, old);
    let (new, old) = (billstatus::parse(new.as_bytes(), 1).unwrap(), billstatus::parse(old.as_bytes(), 1).unwrap());
    assert_eq!(new, old);
    let details = &new.details;
    assert_eq!(details.bill.status, BillStatus::PassedHouse);
    assert_eq!((&*new.party, &*new.state, &*details.bill.sponsor_id), ("D", "OR", "T000001"));
    assert_eq!(details.summary, "About zebras.");
    assert_eq!(details.actions.len(), 2, "what is told twice is kept once");
    assert_eq!(
        (&details.subjects[..], &details.committees[..]),
        (&["Zebras".into()][..], &["House Testing Committee".into()][..])
    );
    assert_eq!((&details.other_titles[..], details.cosponsor_count), (&["Another name of 5".into()][..], 1));
}

#[tokio::test]
async fn files_folders_and_archives_are_read_and_bad_ones_named() {
    let folder = tempfile::tempdir().unwrap();
    let (place, corpus) = (folder.path().join("in"), folder.path().join("corpus.db"));
    fs::create_dir_all(place.join("deep/er")).unwrap();
    let write = |name: &str, text: &str| fs::write(place.join(name), text).unwrap();
    write("deep/er/BILLSTATUS-118hr1.xml", &version_3(1, "In a folder", "2023"));
    write("readme.txt", "not for us");
    write("torn.xml", &version_3(2, "Torn", "2023")[..300]);
    write("other.xml", "<rss><channel/></rss>");
    write("empty.xml", "");
    write("binary.xml", "\u{0}\u{1}");
    write("strange.xml", &version_3(3, "x", "2023").replace("<type>HR</type>", "<type>XX</type>"));
    write("nothing.zip", "PK");
    let mut archive = zip::ZipWriter::new(fs::File::create(place.join("BILLSTATUS-118-hr.zip")).unwrap());
    for number in 10..13 {
        archive.start_file(format!("BILLSTATUS-118hr{number}.xml"), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(version_3(number, "In an archive", "2023").as_bytes()).unwrap();
    }
    archive.finish().unwrap();

    let missing = folder.path().join("missing.xml");
    let report = run(Kind::Bills, &[&place, &missing], &corpus).await;
    let mut bad: Vec<&str> = report.bad.iter().map(|(name, _)| name.rsplit('/').next().unwrap()).collect();
    bad.sort_unstable();
    assert_eq!(bad, ["binary.xml", "empty.xml", "missing.xml", "nothing.zip", "other.xml", "strange.xml", "torn.xml"]);
    let reasons: HashMap<_, _> = report.bad.iter().map(|(name, why)| (name.rsplit('/').next().unwrap(), why)).collect();
    assert!(reasons["torn.xml"].contains("not well-formed"), "{reasons:?}");
    assert!(reasons["other.xml"].contains("<rss>"), "{reasons:?}");
    assert!(reasons["strange.xml"].contains("XX"), "{reasons:?}");
    assert_eq!(report.changed, 4);
    assert!(report.to_string().contains("7 skipped"), "{report}");
    assert_eq!(bill(&corpus, "118-hr-1").await.unwrap().title, "In a folder");
    assert_eq!(bill(&corpus, "118-hr-12").await.unwrap().title, "In an archive");
    assert_eq!(bill(&corpus, "119-hr-1").await.unwrap().congress, 119, "the sample is still there");
}

#[tokio::test]
async fn a_second_import_changes_nothing_and_a_newer_record_wins_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let (place, corpus) = (folder.path().join("in"), folder.path().join("corpus.db"));
    fs::create_dir(&place).unwrap();
    fs::write(place.join("a.xml"), version_3(1, "Newer", "2024-01-01T00:00:00Z")).unwrap();
    fs::write(place.join("b.xml"), version_3(1, "Older", "2023-01-01T00:00:00Z")).unwrap();
    run(Kind::Bills, &[&place], &corpus).await;
    let (first, made) = (dump(&corpus).await, fs::metadata(&corpus).unwrap().modified().unwrap());
    assert_eq!(bill(&corpus, "118-hr-1").await.unwrap().title, "Newer");

    let again = run(Kind::Bills, &[&place], &corpus).await;
    assert_eq!((again.unchanged, again.changed), (2, 0));
    assert_eq!(dump(&corpus).await, first);
    assert_eq!(fs::metadata(&corpus).unwrap().modified().unwrap(), made, "not even the file");

    let other = folder.path().join("other.db");
    run(Kind::Bills, &[&place.join("b.xml")], &other).await;
    run(Kind::Bills, &[&place.join("a.xml")], &other).await;
    assert_eq!(dump(&other).await, first);

    fs::write(place.join("a.xml"), version_3(1, "Newest", "2025-01-01T00:00:00Z")).unwrap();
    assert_eq!(run(Kind::Bills, &[&place], &corpus).await.changed, 1);
    assert_eq!(bill(&corpus, "118-hr-1").await.unwrap().title, "Newest");
}

#[tokio::test]
async fn documents_fill_each_others_gaps_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let (json, csv) = (folder.path().join("a.json"), folder.path().join("b.csv"));
    fs::write(
        &json,
        r#"{"results": [{"document_number": "2030-1", "executive_order_number": "15000", "title": "On Zebras",
            "president": {"name": "Ann Test"}, "signing_date": "2030-01-02"}]}"#,
    )
    .unwrap();
    fs::write(
        &csv,
        "citation,document_number,type,subtype,publication_date,title,executive_order_number\n\
         95 FR 1, 2030-1,Presidential Document,Executive Order,01/05/2030,On Zebras,15000\n",
    )
    .unwrap();
    let mut dumps = Vec::new();
    for (name, order) in [("one.db", [&json, &csv]), ("two.db", [&csv, &json])] {
        let corpus = folder.path().join(name);
        for path in order {
            run(Kind::ExecutiveActions, &[path], &corpus).await;
        }
        let found = Corpus::open(&corpus)
            .await
            .unwrap()
            .executive_actions_numbered("15000", &ActionFilters::default())
            .await
            .unwrap();
        assert_eq!(
            (&*found[0].citation, &*found[0].signed, &*found[0].published),
            ("95 FR 1", "2030-01-02", "2030-01-05")
        );
        dumps.push(dump(&corpus).await);
    }
    assert_eq!(dumps[0], dumps[1]);
}

#[tokio::test]
async fn what_a_file_says_anew_holds() {
    let folder = tempfile::tempdir().unwrap();
    let (file, corpus) = (folder.path().join("a.json"), folder.path().join("corpus.db"));
    for day in ["2030-01-03", "2030-01-02"] {
        let document = format!(
            r#"{{"document_number": "2030-1", "executive_order_number": "15000", "title": "T", "signing_date": "{day}"}}"#
        );
        fs::write(&file, document).unwrap();
        assert_eq!(run(Kind::ExecutiveActions, &[&file], &corpus).await.changed, 1, "{day}");
        let corpus = Corpus::open(&corpus).await.unwrap();
        let found = corpus.executive_actions_numbered("15000", &ActionFilters::default()).await.unwrap();
        assert_eq!(found[0].signed, day);
    }
}

#[tokio::test]
async fn a_file_with_hundreds_of_actions_on_a_day_is_read_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let (file, corpus) = (folder.path().join("many.xml"), folder.path().join("corpus.db"));
    let action = |n: u32| {
        let time = if n.is_multiple_of(3) {
            String::new()
        } else {
            format!("<actionTime>{:02}:00:00</actionTime>", n * 7 % 24)
        };
        format!("<item><actionDate>2023-04-01</actionDate>{time}<text>Action {n}</text></item>")
    };
    let actions: String = (0..300).map(action).collect();
    fs::write(&file, version_3(7, "Many", "2023").replace("<actions>", &format!("<actions>{actions}"))).unwrap();
    let report = run(Kind::Bills, &[&file], &corpus).await;
    assert_eq!((report.changed, report.bad.len()), (1, 0), "{:?}", report.bad);
}

#[tokio::test]
async fn nothing_to_import_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let refused = import(Kind::Bills, &[folder.path().into()], &folder.path().join("corpus.db"), &mut quiet()).await;
    assert!(refused.unwrap_err().to_string().contains("nothing to import"));
}

#[cfg(unix)]
#[test]
fn links_inside_a_folder_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.xml"), "x").unwrap();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
    let (list, bad) = sources::list(Kind::Bills, &[folder.path().into()]);
    assert_eq!((list.len(), bad.len()), (1, 0));
}

#[tokio::test]
async fn another_import_does_not_publish_what_was_broken_off() {
    let folder = tempfile::tempdir().unwrap();
    let (corpus, file) = (folder.path().join("corpus.db"), folder.path().join("a.xml"));
    let version = Corpus::open(&corpus).await.unwrap().version();
    let task = Task { version, kind: Kind::Bills, paths: 1 };
    let mut left = draft(&corpus, &task).await.unwrap();
    let record = billstatus::parse(version_3(77, "Broken off", "2023").as_bytes(), 1).unwrap();
    left.put_bill(&record).await.unwrap();
    drop(left);
    fs::write(&file, version_3(78, "Another", "2023")).unwrap();
    run(Kind::Bills, &[&file], &corpus).await;
    assert!(bill(&corpus, "118-hr-78").await.is_some());
    assert!(bill(&corpus, "118-hr-77").await.is_none());
}

/// Where an import writes its errors, and what is told when it does.
struct Trap(Arc<Mutex<Option<tokio::sync::oneshot::Sender<()>>>>);

impl Write for Trap {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if let Some(sprung) = self.0.lock().unwrap().take() {
            let _ = sprung.send(());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn broken_off_in_the_middle_nobody_sees_a_half_and_the_rest_is_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let (place, corpus) = (folder.path().join("in"), folder.path().join("corpus.db"));
    fs::create_dir(&place).unwrap();
    for number in 1..=1200 {
        fs::write(place.join(format!("{number:04}.xml")), version_3(number, "Zebra Act", "2023")).unwrap();
    }
    // The one that cannot be read is where the plug is pulled.
    fs::write(place.join("0900.xml"), "no XML").unwrap();
    let whole = folder.path().join("whole.db");
    run(Kind::Bills, &[&place], &whole).await;

    drop(Corpus::open(&corpus).await.unwrap());
    let before = dump(&corpus).await;
    let (sprung, pulled) = tokio::sync::oneshot::channel();
    let mut progress = Progress::new(Box::new(Trap(Arc::new(Mutex::new(Some(sprung))))), false);
    let paths = [place.clone()];
    tokio::select! {
        biased;
        _ = pulled => {}
        _ = import(Kind::Bills, &paths, &corpus, &mut progress) => panic!("it should have been broken off"),
    }
    assert_eq!(dump(&corpus).await, before, "nobody sees a half");
    assert!(beside(&corpus, "draft").exists());

    let rest = run(Kind::Bills, &[&place], &corpus).await;
    assert!(rest.unchanged >= 500, "what was committed is not read again: {rest}");
    assert_eq!(dump(&corpus).await, dump(&whole).await);
    assert!(!beside(&corpus, "draft").exists());
}

#[tokio::test]
async fn one_import_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus.db");
    let _first = lock(&beside(&corpus, "lock")).unwrap();
    let refused = import(Kind::Bills, &[folder.path().into()], &corpus, &mut quiet()).await.err().unwrap();
    assert!(refused.to_string().contains("another import"), "{refused}");
}
