//! Text that a model wrote, as it is meant: headings, lists, tables, code. Every piece of it is text to the browser; where
//! a link leads has been decided before.

use leptos::prelude::*;

use super::copy::CopyButton;
use crate::model::markdown::{Align, Block, Inline, Item, Stream, Target};

/// A text that may still grow. What is finished is rendered once and stays; only its end is rendered again.
#[component]
pub fn Markdown(
    #[prop(into)] text: Signal<String>,
    /// It does not grow any more.
    #[prop(into)]
    is_whole: Signal<bool>,
) -> impl IntoView {
    let stream = StoredValue::new(Stream::default());
    // A key for each block: the same for as long as the block is.
    let keys = Memo::new(move |before: Option<&Vec<Key>>| {
        let generation = before.and_then(|keys| keys.last()).map_or(0, |key| key.generation) + 1;
        stream
            .try_update_value(|stream| {
                take(stream, &text.read(), is_whole.get());
                let finished = stream.finished();
                let key = |nth| Key { nth, generation: if nth < finished { 0 } else { generation } };
                stream.blocks().map(|(nth, _)| key(nth)).collect()
            })
            .unwrap_or_default()
    });
    view! {
        <For each=move || keys.get() key=|key| *key let:key>
            {stream.with_value(|stream| stream.blocks().nth(key.nth).map(|(_, block)| render(block)))}
        </For>
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    nth: usize,
    /// Changes with every look, while the block may still change.
    generation: u64,
}

/// What is new goes on where the last left off; a text that turned out to be another is read anew.
fn take(stream: &mut Stream, text: &str, is_whole: bool) {
    match text.strip_prefix(stream.text()) {
        Some("") => {}
        Some(more) => stream.push(more),
        None => {
            *stream = Stream::default();
            stream.push(text);
        }
    }
    if is_whole {
        stream.finish();
    }
}

fn render(block: &Block) -> AnyView {
    match block {
        Block::Paragraph(inside) => view! { <p>{inlines(inside)}</p> }.into_any(),
        // The page has its own first and second level.
        Block::Heading(1 | 2, inside) => view! { <h3>{inlines(inside)}</h3> }.into_any(),
        Block::Heading(3, inside) => view! { <h4>{inlines(inside)}</h4> }.into_any(),
        Block::Heading(_, inside) => view! { <h5>{inlines(inside)}</h5> }.into_any(),
        Block::Code { language, text, .. } => {
            let copied = text.clone();
            view! {
                <figure class="codeblock">
                    <figcaption>
                        <span>{if language.is_empty() { "text".to_owned() } else { language.clone() }}</span>
                        <CopyButton label="Copy code" text=move || copied.clone() />
                    </figcaption>
                    <pre class="code" tabindex="0"><code>{text.clone()}</code></pre>
                </figure>
            }
            .into_any()
        }
        Block::Quote(inside) => view! { <blockquote>{all(inside)}</blockquote> }.into_any(),
        Block::List { start: None, items } => view! { <ul>{list(items)}</ul> }.into_any(),
        Block::List { start: Some(start), items } => {
            view! { <ol start=start.to_string()>{list(items)}</ol> }.into_any()
        }
        Block::Table { head, align, rows } => {
            let cells = |row: &[Vec<Inline>]| {
                let cell =
                    |(cell, align): (&Vec<Inline>, &Align)| view! { <td data-align=side(*align)>{inlines(cell)}</td> };
                row.iter().zip(align).map(cell).collect_view()
            };
            let named =
                |(cell, align): (&Vec<Inline>, &Align)| view! { <th data-align=side(*align)>{inlines(cell)}</th> };
            view! {
                <div class="tablewrap" tabindex="0">
                    <table>
                        <thead>
                            <tr>{head.iter().zip(align).map(named).collect_view()}</tr>
                        </thead>
                        <tbody>{rows.iter().map(|row| view! { <tr>{cells(row)}</tr> }).collect_view()}</tbody>
                    </table>
                </div>
            }
            .into_any()
        }
        Block::Rule => view! { <hr /> }.into_any(),
    }
}

fn all(blocks: &[Block]) -> Vec<AnyView> {
    blocks.iter().map(render).collect()
}

fn list(items: &[Item]) -> Vec<AnyView> {
    items.iter().map(item).collect()
}

fn item(item: &Item) -> AnyView {
    // A line of its own needs no paragraph.
    let inside = match &item.blocks[..] {
        [Block::Paragraph(line)] => inlines(line),
        blocks => all(blocks),
    };
    match item.is_done {
        None => view! { <li>{inside}</li> }.into_any(),
        Some(is_done) => {
            let (mark, label) = if is_done { ("☑ ", "Done: ") } else { ("☐ ", "To do: ") };
            view! {
                <li class="task">
                    <span aria-hidden="true">{mark}</span>
                    <span class="sr-only">{label}</span>
                    {inside}
                </li>
            }
            .into_any()
        }
    }
}

fn inlines(inside: &[Inline]) -> Vec<AnyView> {
    inside.iter().map(inline).collect()
}

fn inline(inline: &Inline) -> AnyView {
    match inline {
        Inline::Text(text) => view! { <span>{text.clone()}</span> }.into_any(),
        Inline::Code(text) => view! { <code>{text.clone()}</code> }.into_any(),
        Inline::Strong(inside) => view! { <strong>{inlines(inside)}</strong> }.into_any(),
        Inline::Emphasis(inside) => view! { <em>{inlines(inside)}</em> }.into_any(),
        Inline::Strike(inside) => view! { <s>{inlines(inside)}</s> }.into_any(),
        Inline::Break => view! { <br /> }.into_any(),
        // Past the router: it would look for a page.
        Inline::Link { to: Target::Card(id), inside } => {
            view! { <a class="cite" href=format!("#{id}") rel="external">{inlines(inside)}</a> }.into_any()
        }
        Inline::Link { to: Target::Web(to), inside } => view! {
            <a href=to.clone() rel="external noopener noreferrer nofollow" target="_blank">
                {inlines(inside)}
            </a>
        }
        .into_any(),
        // Loading it would tell its host that somebody reads this.
        Inline::Image { to, alt } => view! {
            <a href=to.clone() rel="external noopener noreferrer nofollow" target="_blank">
                {if alt.is_empty() { "Image".to_owned() } else { format!("Image: {alt}") }}
            </a>
        }
        .into_any(),
    }
}

const fn side(align: Align) -> Option<&'static str> {
    match align {
        Align::None | Align::Left => None,
        Align::Center => Some("center"),
        Align::Right => Some("right"),
    }
}
