//! What is no question about legislation: a greeting, thanks, or something else altogether. Then the agent says what it is
//! and what it can do, and does not pretend.

use super::{Asked, Earlier};

const CAN: &str = "I am the agent that is built into Vitrine. I look things up in the bills and executive orders that are \
                   stored here, and I say only what I find.\n\n\
                   Ask me, for example:\n\n\
                   - **Which bills are about veterans?** or **What became of the HALT Fentanyl Act?**\n\
                   - **What is H.R. 4405?** or **Compare H.R. 27 with S. 331**\n\
                   - **Executive orders by Biden on artificial intelligence**\n\
                   - **How many bills became law this Congress?** or **Who sponsors the most bills?**\n\
                   - **Laws signed in 2025**, **bills by Ted Cruz** or **the latest executive order**\n\
                   - **Research fentanyl**, and then **only Democrats** or **the second one**";

const CONNECT: &str = "For anything else, connect a language model: set `VITRINE_MODEL_URL` and `VITRINE_MODEL`, as the \
                       README says.";

/// An answer, if this is not about legislation at all.
pub fn answer(asked: &Asked, earlier: &Earlier) -> Option<String> {
    let is = |any: &[&str]| any.contains(&asked.text());
    if is(&GREETINGS) || asked.begins(&GREETINGS) && asked.word_count() <= 3 {
        return Some(format!("Hello! {CAN}"));
    }
    if is(&THANKS) || asked.begins(&["thanks", "thank you", "that helps", "that helped"]) && asked.word_count() <= 7 {
        return Some("You are welcome. Ask on whenever you like.".into());
    }
    if is(&["bye", "goodbye", "see you", "good night"]) {
        return Some("Goodbye. This conversation stays here for when you come back.".into());
    }
    if is(&ABOUT_ITSELF) {
        return Some(format!("{CAN}\n\n{CONNECT}"));
    }
    if asked.text().is_empty() {
        return Some(format!("There is no word in that. {CAN}"));
    }
    if is(&["why", "are you sure", "really", "is that right", "is that true"]) && !earlier.searches.is_empty() {
        return Some(SURE.into());
    }
    let why = cannot(asked).or_else(|| is_something_else(asked).then_some("That is not something I can answer."))?;
    Some(format!("{why} {CAN}\n\n{CONNECT}"))
}

/// What asks for something, but does not say what.
pub fn about_nothing(asked: &Asked) -> String {
    let left_out: String = asked
        .not()
        .iter()
        .map(|not| format!("I left out “{not}”: I can search for what a bill is, not for what it is not. "))
        .collect();
    format!("{left_out}That leaves nothing to search for. Name a topic, a title, a sponsor or a bill's number.")
}

const SURE: &str = "I said what the search above found, and nothing else: its card shows every look that was taken and all \
                    results. What is stored here is not everything there is.";

const GREETINGS: [&str; 10] = [
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
];

const THANKS: [&str; 10] =
    ["thanks", "thank you", "ok", "okay", "great", "cool", "nice", "perfect", "great thanks", "got it"];

const ABOUT_ITSELF: [&str; 18] = [
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
    "reset",
    "start over",
];

/// What people ask about Congress that is not in bills or executive orders: it says so instead of searching for the words.
fn cannot(asked: &Asked) -> Option<&'static str> {
    const SAID: [(&[&str], &str); 9] = [
        (
            &[
                "my representative",
                "my congressman",
                "my congresswoman",
                "my senator",
                "my senators",
                "contact info",
                "phone number of",
                "email address of",
            ],
            "I do not know who represents whom, nor how to reach them: congress.gov/members does.",
        ),
        (&["should i vote", "vote for in"], "I do not recommend anyone, and hold no opinions."),
        (
            &["do you think", "your opinion", "do you like", "do you believe"],
            "I hold no opinions: I only look up what is stored here.",
        ),
        (
            &[
                "how does a bill become",
                "how do bills become",
                "how a bill becomes",
                "difference between a",
                "what is a bill",
                "what is an executive order",
                "what is a joint resolution",
                "what is a filibuster",
                "explain filibuster",
                "explain the filibuster",
                "how does congress work",
            ],
            "I look up bills and executive orders; I do not explain how Congress works. congress.gov/help does.",
        ),
        (
            &["who is the president", "who is president", "who is the speaker", "who is the vice president"],
            "Who holds which office is not stored here.",
        ),
        (
            &["are in the senate", "are in the house", "who controls the senate", "who controls the house"],
            "How many members a chamber has is not stored here: only who sponsored which bill.",
        ),
        (&["congress end", "next election", "when does congress"], "Calendars of Congress are not stored here."),
        (
            &["system prompt", "previous instructions", "your instructions"],
            "I am no language model: there is no prompt, and no instruction changes what I do.",
        ),
        (
            &["most cosponsors", "longest bill", "shortest bill", "which party sponsored more", "percentage of"],
            "I can neither sort by that nor calculate it.",
        ),
    ];
    if asked.has(&["cosponsors"]) && asked.has(&["more than", "at least", "fewer than", "over"]) {
        return Some("I cannot search by the number of cosponsors.");
    }
    let found = SAID.iter().find(|(any, _)| any.iter().any(|words| asked.has(&[words])));
    found.filter(|_| !asked.has(&["bills about", "bills on"])).map(|(_, why)| *why)
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
        "is it going to rain",
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
