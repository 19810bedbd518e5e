//! What one can choose from, each with a bar as long as its count.

use crate::{
    model::{
        legislation::{Choice, Options, plain::member},
        words::ContextType,
    },
    ui::view::{Element, View, li, p, rect, small, span, svg, ul},
};

pub fn choices(found: Options) -> View {
    let Options { context_type, total, options } = found;
    let (shown, most) = (options.len() as u64, options.iter().map(|each| each.bills).max().unwrap_or(1));
    let all = ul("choices").all(options.into_iter().map(|choice| line(choice, context_type, most)));
    let note = (shown < total).then(|| p("results__note").with(format!("Showing {shown} of {total}.")));
    [Some(all), note].into()
}

fn line(choice: Choice, context_type: ContextType, most: u64) -> Element {
    let (name, place) = match context_type {
        ContextType::Sponsors => member(&choice.name),
        ContextType::Topics | ContextType::Statuses => (choice.name, String::new()),
    };
    // Geometry is in attributes, because a strict policy allows no style.
    let width = format!("{}%", choice.bills * 100 / most.max(1));
    let bar = rect("").attr("width", width).attr("height", "100%").attr("rx", "2");
    li("")
        .with(span("choices__name").with(name).with(small("").with(place)))
        .with(svg("choices__bar").attr("aria-hidden", "true").with(bar))
        .with(span("choices__count").with(choice.bills.to_string()))
}
