//! What is no question about legislation: a greeting, thanks, or something else altogether. Then the agent says what it is
//! and what it can do, and does not pretend.

use super::Asked;

const CAN: &str = "I am the agent that is built into Vitrine. I look things up in the bills and executive orders that are \
                   stored here, and I say only what I find.\n\n\
                   Ask me, for example:\n\n\
                   - **Which bills are about veterans?** or **What became of the HALT Fentanyl Act?**\n\
                   - **What is H.R. 4405?** or **Compare H.R. 27 with S. 331**\n\
                   - **Executive orders by Biden on artificial intelligence**\n\
                   - **How many bills became law this Congress?** or **Who sponsors the most bills?**\n\
                   - **Research fentanyl**, and then **only Democrats** or **the second one**";

const CONNECT: &str = "For anything else, connect a language model: set `VITRINE_MODEL_URL` and `VITRINE_MODEL`, as the \
                       README says.";

/// An answer, if this is not about legislation at all.
pub fn answer(asked: &Asked) -> Option<String> {
    let is = |any: &[&str]| any.contains(&asked.text());
    if is(&[
        "hi",
        "hello",
        "hey",
        "hello there",
        "hi there",
        "good morning",
        "good evening",
        "good afternoon",
        "moin",
        "hallo",
    ]) {
        return Some(format!("Hello! {CAN}"));
    }
    if is(&[
        "thanks",
        "thank you",
        "thanks a lot",
        "thank you very much",
        "great thanks",
        "ok thanks",
        "ok",
        "okay",
        "great",
        "cool",
        "nice",
    ]) {
        return Some("You are welcome. Ask on whenever you like.".into());
    }
    if is(&["bye", "goodbye", "see you", "good night"]) {
        return Some("Goodbye. This conversation stays here for when you come back.".into());
    }
    let about_itself = [
        "who are you",
        "what are you",
        "what can you do",
        "what do you do",
        "how do you work",
        "help",
        "help me",
        "what can i ask",
        "what can i ask you",
        "are you an ai",
        "are you a robot",
        "are you human",
        "what is vitrine",
        "what is this",
        "how are you",
        "how are you doing",
    ];
    if is(&about_itself) {
        return Some(format!("{CAN}\n\n{CONNECT}"));
    }
    is_something_else(asked).then(|| format!("That is not something I can answer. {CAN}\n\n{CONNECT}"))
}

/// What no bill is asked for with. Words that bills are about, such as weather, only count where they are asked about as
/// people ask an assistant.
fn is_something_else(asked: &Asked) -> bool {
    let begins = [
        "tell me a joke",
        "write a poem",
        "write me",
        "write a story",
        "sing",
        "translate",
        "play",
        "what time is it",
        "what is the time",
        "what day is it",
        "what is the weather",
        "what will the weather",
        "how is the weather",
        "will it rain",
        "recommend a",
        "give me a recipe",
        "how do i cook",
        "what is the capital of",
        "who won the",
        "calculate",
        "solve",
        "debug",
        "write code",
        "write a program",
        "write a function",
        "who is the best",
    ];
    let is_sum = asked.text().chars().all(|letter| letter.is_ascii_digit() || letter == ' ') && asked.word_count() > 1;
    asked.begins(&begins) || is_sum
}
