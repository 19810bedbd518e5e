//! What is sought, with how many documents know each of it: which are unknown, which were read otherwise, and fewer of them.

use crate::server::corpus::Concept;

/// The words that nothing here has.
pub fn unknown_of(counted: &[(u64, Concept)]) -> Vec<String> {
    counted.iter().filter(|(known, _)| *known == 0).map(|(_, concept)| concept.word.clone()).collect()
}

/// What was read as what.
pub fn read_otherwise(typed: &[(u64, Concept)], read: &[(u64, Concept)]) -> String {
    let changed = typed.iter().zip(read).filter(|((_, typed), (_, read))| typed.word != read.word);
    changed.map(|((_, typed), (_, read))| format!(" “{}” was read as “{}…”.", typed.word, read.word)).collect()
}

/// How many have the words as they were asked, and what the others have.
pub fn these_very_words(direct: usize, others: &str) -> String {
    match direct {
        0 => format!("None has these very words; these have {others}."),
        1 => format!("One has these very words; the others have {others}."),
        n => format!("{n} have these very words; the others have {others}."),
    }
}

pub fn kept(counted: &[(u64, Concept)]) -> Vec<Concept> {
    counted.iter().map(|(_, concept)| concept.clone()).collect()
}

/// The same with fewer of the concepts, the commonest of which come first: all but one, all but two, and so on. Of many,
/// only the rarest stay together, because there would be too many ways.
pub fn fewer(concepts: &[Concept]) -> Vec<Vec<Concept>> {
    const FEW: usize = 4;
    let n = concepts.len();
    if n > FEW {
        return (1..n).map(|from| concepts[from..].to_vec()).chain([concepts[..n - 1].to_vec()]).collect();
    }
    // Each set is a number whose bits say who is in it. The rarest has the highest bit, so larger numbers keep it longer.
    let mut sets: Vec<u32> = (1..(1_u32 << n).saturating_sub(1)).collect();
    sets.sort_by_key(|set| std::cmp::Reverse((set.count_ones(), *set)));
    let members = |set: u32| concepts.iter().enumerate().filter(move |(at, _)| set & (1 << at) != 0);
    sets.into_iter().map(|set| members(set).map(|(_, concept)| concept.clone()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::corpus::Match;

    #[test]
    fn the_rarest_stays_longest() {
        let all: Vec<Concept> = ["common", "usual", "rare"].into_iter().map(Concept::new).collect();
        let shown: Vec<String> = fewer(&all).iter().map(|set| Match::all(set).shown().to_owned()).collect();
        assert_eq!(shown, ["usual rare", "common rare", "common usual", "rare", "usual", "common"]);
        assert_eq!(fewer(&all[..1]), Vec::<Vec<Concept>>::new());
        let many: Vec<Concept> = (0..9).map(|n| Concept::new(n.to_string())).collect();
        assert_eq!(fewer(&many).len(), 9);
    }
}
