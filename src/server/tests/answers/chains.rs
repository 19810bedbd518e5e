//! Conversations: what is asked next is about what was found before. The facts were checked against the sample by hand.

use super::pairs::Pair;

pub const CHAINS: &[&[Pair]] = &[
    &[
        ("Which bills are about veterans?", &["**20 bills**"], "search_bills"),
        ("only Democrats", &["**4 bills** about “veterans” by Democrats"], "search_bills"),
        ("and in the Senate?", &["**2 bills**", "in the Senate"], "search_bills"),
        ("the second one", &["S. 469"], "get_bill_details"),
        ("who sponsored it?", &["Sponsor of ", "Patty Murray (D-WA)"], "get_bill_details"),
        ("when was it signed?", &["was not signed into law", "in committee"], "get_bill_details"),
        ("compare the first two", &["S. 1320", "S. 469"], "compare_bills"),
        ("what about broadband?", &["“broadband” by Democrats in the Senate"], "search_bills"),
        ("thank you", &["welcome"], ""),
    ],
    &[
        ("veterans", &["**20 bills**"], "search_bills"),
        ("Republicans only", &["**16 bills** about “veterans” by Republicans"], "search_bills"),
        ("that became law", &["**8 bills**", "that became law"], "search_bills"),
        ("from Alaska", &["S. 423", "H.R. 410", "from Alaska"], "search_bills"),
    ],
    &[
        ("Research fentanyl", &["**3 bills**", "S. 331"], "research_topic"),
        ("only Democrats", &["no bill about “fentanyl” by Democrats"], "search_bills"),
        ("the second one", &["S. 331", "Became law"], "get_bill_details"),
        ("compare it with S. 5", &["S. 331", "Laken Riley Act"], "compare_bills"),
        ("which one became law?", &["Public Law 119-26", "Public Law 119-1 "], "compare_bills"),
    ],
    &[
        ("What is H.R. 27?", &["HALT Fentanyl Act"], "get_bill_details"),
        ("did it become law?", &["No: ", "passed House"], "get_bill_details"),
        ("and S. 331?", &["Public Law 119-26"], "get_bill_details"),
        ("compare both", &["H.R. 27", "S. 331"], "compare_bills"),
    ],
    &[
        ("Laken Riley Act", &["S. 5", "H.R. 29"], "search_bills"),
        ("is it law", &["Yes: ", "Public Law 119-1 on Jan 29, 2025"], "get_bill_details"),
        ("what party is she from", &["Katie Boyd Britt (R-AL)"], "get_bill_details"),
        ("what else did she sponsor?", &["**2 bills** by Sen. Katie Boyd Britt (R-AL)", "Lulu’s Law"], "search_bills"),
        ("what about H.R. 29", &["Mike Collins"], "get_bill_details"),
        ("the sponsor?", &["Sponsor of ", "Mike Collins (R-GA)"], "get_bill_details"),
    ],
    &[
        ("executive orders on climate", &["**5 executive orders**"], "search_executive_actions"),
        ("only Trump", &["no executive order about “climate” by Trump"], "search_executive_actions"),
        ("what about Obama", &["**3 executive orders** about “climate” by Obama"], "search_executive_actions"),
        ("the first one", &["Climate-Resilient International Development"], "get_executive_action_details"),
        ("who signed it?", &["was signed by Barack Obama"], "get_executive_action_details"),
        ("when was it signed?", &["Sep 23, 2014"], "get_executive_action_details"),
    ],
    &[
        ("latest executive order", &["EO 14381"], "search_executive_actions"),
        ("what does it say?", &["The text of ", "is not stored here"], "get_executive_action_details"),
        ("the one before that", &["EO 14380"], "get_executive_action_details"),
    ],
    &[
        ("tax bills in the 115th Congress", &["115th Congress"], "search_bills"),
        ("and the 119th?", &["**12 bills**", "119th Congress"], "search_bills"),
        ("next page", &["from number 6"], "search_bills"),
        ("how many are there in total?", &["**12 bills**", "of the 362 stored here"], "search_bills"),
        ("sort by newest", &["The latest is", "H.R. 9496"], "search_bills"),
    ],
    &[
        ("bills on education in 2017", &["**10 bills**"], "search_bills"),
        ("since 2018", &["**14 bills**", "since 2018"], "search_bills"),
        ("only 2023", &["no bill about “education” introduced in 2023"], "search_bills"),
        ("ok and since 2024", &["**11 bills**"], "search_bills"),
    ],
    &[
        ("bills by Ted Cruz", &["**6 bills**"], "search_bills"),
        ("which became law?", &["**2 bills**", "TAKE IT DOWN Act"], "search_bills"),
        ("and Massie?", &["no bill by “massie” that became law"], "search_bills"),
        ("remove the status filter", &["**one bill** by Rep. Thomas Massie (R-KY)"], "search_bills"),
        ("list them", &["**one bill** by Rep. Thomas Massie (R-KY)"], "search_bills"),
        ("what about energy", &["“energy” by “massie”"], "search_bills"),
    ],
    &[
        ("bills and executive orders about AI", &["S. 321", "**10 executive orders**"], "search_bills"),
        ("only 2025", &["**one bill**", "**7 executive orders**"], "search_bills"),
        ("the second one", &["EO 14320"], "get_executive_action_details"),
        ("the tenth one", &["Which one do you mean?"], ""),
    ],
    &[
        ("Trump executive orders", &["**391 executive orders** by Trump"], "search_executive_actions"),
        ("on tariffs", &["**13 executive orders** about “tariffs” by Trump"], "search_executive_actions"),
        ("what about Biden and Obama", &["“tariffs” by Obama", "“tariffs” by Biden"], "search_executive_actions"),
    ],
    &[
        ("Texas senators' bills", &["**8 bills** from Texas in the Senate"], "search_bills"),
        ("only laws", &["**3 bills**", "Jocelyn Nungaray"], "search_bills"),
        ("and Florida?", &["no bill from Florida in the Senate that became law"], "search_bills"),
        ("what about the House", &["**one bill** from Florida in the House", "H.R. 3497"], "search_bills"),
    ],
    &[
        ("bills on AI", &["S. 321"], "search_bills"),
        ("any laws?", &["no bill about “ai” that became law"], "search_bills"),
        ("executive orders on it", &["about “ai”"], "search_executive_actions"),
    ],
    &[
        ("executive orders by Biden on health", &["**3 executive orders**"], "search_executive_actions"),
        ("and bills?", &["about “health”"], "search_bills"),
    ],
    &[
        ("H.R. 1", &["Public Law 119-21"], "get_bill_details"),
        ("and in the 117th?", &["For the People Act of 2021"], "get_bill_details"),
    ],
    &[
        ("bills about Puerto Rico", &["“Puerto Rico”"], "search_bills"),
        ("who sponsored it?", &["Which one do you mean?"], ""),
        ("are you sure?", &["I said what the search above found"], ""),
        ("no, I meant drug prices", &["“drug prices”"], "search_bills"),
        ("not the senate", &["in the House"], "search_bills"),
    ],
    &[
        ("Which topics are there?", &["topics"], "get_available_topics"),
        ("the first one", &["I do not know what that is about"], ""),
        ("who sponsored it?", &["I do not know what that is about"], ""),
        ("only Republican laws of 2025", &["**42 bills** by Republicans"], "search_bills"),
    ],
    &[
        ("S. 331", &["HALT Fentanyl Act"], "get_bill_details"),
        ("is there a house version", &["The other chamber has ", "H.R. 27"], "search_bills"),
    ],
];
