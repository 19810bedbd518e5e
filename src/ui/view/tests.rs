//! What is written, to the letter.

use leptos::prelude::*;

use super::{
    Refill, View, a, b, br, details, each, form, hidden, hr, html, input, lazy, li, many, option, own, p, pre, said,
    select, summary, textarea, ul, when,
};

fn check(view: impl Into<View>, expected: &str) {
    assert_eq!(html(view.into(), None), expected);
}

#[test]
fn everything_is_escaped() {
    let nasty = "<b>&amp;\"'\r\n\0</b>";
    check(p("").with(nasty), "<p>&lt;b&gt;&amp;amp;\"'&#13;\n\u{fffd}&lt;/b&gt;</p>");
    check(p("").attr("title", nasty), "<p title=\"&lt;b>&amp;amp;&quot;'&#13;\n\u{fffd}&lt;/b>\"></p>");
    check(p("").with(said(move || nasty)), "<p>&lt;b&gt;&amp;amp;\"'&#13;\n\u{fffd}&lt;/b&gt;<!></p>");
    check(p("").live("title", || "\"><script>"), "<p title=\"&quot;>&lt;script>\"></p>");
    check(textarea("").value(|| "</textarea><script>"), "<textarea>\n&lt;/textarea&gt;&lt;script&gt;</textarea>");
    check(input("").value(|| "\" onclick=\"x"), "<input value=\"&quot; onclick=&quot;x\">");
}

#[test]
fn seams_stand_where_a_browser_would_join_or_lose_something() {
    check(p("").with("a").with("b"), "<p>a<!>b</p>");
    check(p("").with("a").with(said(|| "b")).with("c"), "<p>a<!>b<!>c</p>");
    check(p("").with(said(|| "")), "<p><!></p>");
    check(p("").with(when(|| false, || b("").with("x"))), "<p><!></p>");
    check(p("").with("a").with(when(|| true, || b("").with("x"))).with("y"), "<p>a<b>x</b><!>y</p>");
    check(p("").with(when(|| true, || ["x", "y"])), "<p><!>x<!>y<!><!></p>");
    check(ul("").with(each(|| vec![1, 2], |n| li("").with(n.to_string()))), "<ul><li>1</li><li>2</li><!></ul>");
    check(ul("").with(each(|| vec![1], |_| many([b(""), b("")]))), "<ul><!><b></b><b></b><!><!></ul>");
    check(p("").with(lazy(|| false, || b("").with("x"))), "<p><b>x</b><!></p>");
    check(pre("").with("\nx"), "<pre>\n\nx</pre>");
}

#[test]
fn attributes_come_and_go() {
    check(a("x").attr("href", None::<String>).flag("hidden", true).flag("open", false), "<a class=\"x\" hidden></a>");
    check(input("").checked(|| true).live_flag("disabled", || false), "<input checked>");
    check(many([br(""), hr("")]), "<br><hr>");
}

#[test]
fn what_is_owned_can_be_found_inside() {
    let owner = Owner::new();
    owner.with(|| {
        provide_context(7_u32);
        check(own(|| b("").with(expect_context::<u32>().to_string())), "<b>7</b>");
        check(when(|| true, || expect_context::<u32>().to_string()), "<!>7<!><!>");
    });
}

#[test]
fn a_form_that_was_refused_is_as_it_was_filled_in() {
    let one = |call: &'static str| {
        let field = || input("").attr("name", "why").attr("value", "because");
        let tick = |value: &'static str| {
            input("").attr("type", "checkbox").attr("name", "some").attr("value", value).flag("checked", value == "b")
        };
        let choice = |value: &'static str| option("").attr("value", value).flag("selected", value == "1").with(value);
        let form = form("")
            .attr("action", "/api/x")
            .with(hidden("call_id", call))
            .with(p("").with(field()).with(textarea("").attr("name", "long").with("text")))
            .with(tick("a"))
            .with(tick("b"))
            .with(select("").attr("name", "one").with(choice("1")).with(choice("2")));
        details("").with(summary("")).with(form)
    };
    let sent = [("call_id", "2"), ("why", "\"not"), ("long", "</textarea>"), ("some", "a"), ("one", "2")];
    let fields = sent.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let written = html(many([one("1"), one("2")]), Some(Refill::new("/api/x".into(), fields)));
    let (first, second) = written.split_at(written.len() / 2 - 20);
    assert!(first.starts_with("<details><summary>") && first.contains("value=\"because\">"), "{first}");
    for part in [
        "<details open><summary>",
        "<input name=\"why\" value=\"&quot;not\">",
        "&lt;/textarea&gt;</textarea>",
        "value=\"a\" checked>",
        "value=\"b\">",
        "value=\"1\">1",
        "value=\"2\" selected>2",
    ] {
        assert!(second.contains(part), "no {part} in {second}");
    }
}
