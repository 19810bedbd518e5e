//! Other words for what people look for: a small thesaurus of legislation. Words of a line stand for each other.

const LINES: &str = "
    abortion, reproductive health, unborn
    agriculture, farm, farming, farmers, crop
    ai, artificial intelligence, machine learning
    alcohol, liquor, beer, wine
    appropriations, spending, funding
    army, navy, air force, armed forces, military, defense
    aviation, airline, airport, aircraft, faa
    bank, banking, financial institutions, credit union
    border, immigration, immigrant, alien, asylum, visa
    broadband, internet, telecommunications
    budget, deficit, reconciliation, fiscal
    cannabis, marijuana, hemp
    child, children, kids, minors, youth
    china, chinese, people's republic of china
    climate, greenhouse gas, emissions, carbon
    college, university, higher education, student
    consumer, customer
    court, courts, judicial, judiciary, judge
    crime, criminal, offense
    crypto, cryptocurrency, digital asset, digital assets, stablecoin, stablecoins, bitcoin, digital commodity
    cyber, cybersecurity, information security
    debt, loan, loans, borrowing
    disability, disabilities, disabled
    disaster, hurricane, flood, wildfire, emergency
    drug, drugs, controlled substances, narcotics, opioid, opioids
    dues, fees, fee
    education, school, schools, teacher
    elderly, seniors, older americans, aging
    election, elections, voting, voter, ballot
    electricity, grid, power
    emergency, disaster
    endangered, wildlife, species
    energy, oil, gas, petroleum, coal, nuclear
    environment, environmental, pollution
    family, families, parents
    farm bill, agricultural improvement
    fentanyl, opioid, opioids
    firearm, firearms, gun, guns, weapon, weapons
    fish, fishery, fisheries, fishing
    food, nutrition, snap
    forest, forests, forestry, timber
    government, federal agency
    health, healthcare, medical, medicine
    hospital, hospitals, clinic, medical facility
    housing, home, mortgage, rent, homelessness
    hunting, hunters
    indian, tribe, tribes, tribal, native american
    infrastructure, highway, highways, roads, bridges
    insurance, coverage
    job, jobs, employment, labor, worker, workers, workforce
    journalists, press, media
    lands, land, public lands
    lgbt, transgender, gender
    medal, gold medal
    military base, installation
    mine, mines, mining, minerals
    navigation, waterway, waterways
    obamacare, affordable care act
    park, parks, monument, wilderness
    pension, retirement, social security
    police, law enforcement, officer, officers
    post office, postal, postal service
    prescription, pharmaceutical, drug
    president, executive
    prison, prisons, inmates, incarceration
    privacy, surveillance, personal data
    puerto rico, territory, territories
    rail, railroad, train, amtrak
    refugee, refugees, asylum
    regulation, regulations, rule, rulemaking
    russia, russian federation
    sanction, sanctions
    science, research, technology
    ship, ships, vessel, vessels, maritime
    small business, entrepreneur
    space, nasa, satellite
    sports, athletes
    suicide, mental health
    tariff, tariffs, trade, customs, duties
    tax, taxes, taxation, internal revenue
    terror, terrorism, terrorist
    tobacco, smoking, vaping
    tourism, travel
    trafficking, smuggling
    va, veterans affairs, department of veterans affairs
    vaccine, vaccines, immunization
    veteran, veterans, servicemembers
    violence, assault, abuse
    war powers, hostilities
    water, drinking water, river, rivers
    woman, women, girls
";

/// Words of which some belong together, as the thesaurus has them: `artificial intelligence` is one thing.
pub fn phrases(words: &[String]) -> Vec<String> {
    const LONGEST: usize = 3;
    let is_entry = |phrase: &str| LINES.split([',', '\n']).any(|entry| entry.trim() == phrase);
    let mut phrases = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let ends = (at + 2..=(at + LONGEST).min(words.len())).rev();
        let phrase = ends.map(|end| (end, words[at..end].join(" "))).find(|(_, phrase)| is_entry(phrase));
        let (end, phrase) = phrase.unwrap_or_else(|| (at + 1, words[at].clone()));
        phrases.push(phrase);
        at = end;
    }
    phrases
}

/// Other words for this one, in quotable form.
pub fn synonyms(word: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in LINES.lines() {
        let entries: Vec<&str> = line.split(',').map(str::trim).collect();
        if !entries.contains(&word) {
            continue;
        }
        for other in entries.into_iter().filter(|other| *other != word && !other.is_empty()) {
            // An apostrophe is no letter to FTS5, and a quote would end the phrase.
            let other = other.replace(|letter: char| !letter.is_alphanumeric(), " ");
            if !found.contains(&other) {
                found.push(other);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_are_found_from_both_sides() {
        assert!(synonyms("gun").contains(&"firearm".to_owned()));
        assert!(synonyms("firearm").contains(&"gun".to_owned()));
        assert_eq!(synonyms("zebra"), Vec::<String>::new());
    }

    #[test]
    fn some_words_belong_together() {
        let words = ["rural", "artificial", "intelligence", "small", "business"].map(str::to_owned);
        assert_eq!(phrases(&words), ["rural", "artificial intelligence", "small business"]);
        assert_eq!(phrases(&[]), Vec::<String>::new());
    }

    #[test]
    fn every_entry_can_be_quoted() {
        for word in LINES.split([',', '\n']).map(str::trim).filter(|word| !word.is_empty()) {
            assert_eq!(word, word.to_lowercase(), "words are compared in lower case");
            for synonym in synonyms(word) {
                assert!(!synonym.contains('"'), "{synonym}");
            }
        }
    }
}
