//! Words that are nearly the same: what somebody may have meant who spelled a word that nothing has.

use sqlx::Row;

use super::Corpus;
use crate::server::{Error, db::StorageError};

/// Shorter words have too many neighbours.
const SHORTEST: usize = 6;

/// Whose words.
#[derive(Clone, Copy)]
pub enum Words {
    Bills,
    ExecutiveActions,
}

impl Corpus {
    /// The most frequent word of bills, or of executive actions, that begins like this one and differs from it by a
    /// letter or, in a long word, two.
    pub async fn word_like(&self, of: Words, word: &str) -> Result<Option<String>, Error> {
        let beginning: String = word.chars().take(2).collect();
        if word.chars().count() < SHORTEST {
            return Ok(None);
        }
        // The index holds stems, and people type endings.
        let stem = word.strip_suffix("es").or_else(|| word.strip_suffix('s')).unwrap_or(word);
        let sql = match of {
            Words::Bills => {
                "SELECT term FROM bills_words WHERE term >= ?1 AND term < ?1 || '~' ORDER BY doc DESC, term"
            }
            Words::ExecutiveActions => {
                "SELECT term FROM executive_actions_words WHERE term >= ?1 AND term < ?1 || '~' ORDER BY doc DESC, term"
            }
        };
        let rows =
            sqlx::query(sql).bind(beginning).fetch_all(&mut *self.reader().await?).await.map_err(StorageError::from)?;
        let most = if word.chars().count() >= 8 { 2 } else { 1 };
        let is_near = |term: &str, to: &str| term.len().abs_diff(to.len()) <= 1 && distance(term, to) <= most;
        let near = |term: &&str| term.len() >= SHORTEST - 1 && (is_near(term, stem) || is_near(term, word));
        Ok(rows.iter().map(|row| row.get::<&str, _>(0)).find(near).map(str::to_owned))
    }
}

/// How many letters must be changed, put in, left out or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn counts_what_must_be_changed() {
        for (a, b, expected) in [
            ("veteran", "vetran", 1),
            ("fentanyl", "fentanil", 1),
            ("coal", "coal", 0),
            ("taxes", "texas", 2),
            ("ab", "ba", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
        assert_eq!(distance("a", "abcdef"), usize::MAX);
    }
}
