//! Search reports as data.

use super::PageCandidate;

/// Most candidates of a step that a page holds.
const MOST_CANDIDATES: usize = 12;

/// Most bytes of a principal variation that a page holds.
const MOST_LINE_BYTES: usize = 200;

/// The value of a `key=value` word.
pub(super) fn word<'a>(report: &'a str, key: &str) -> Option<&'a str> {
    report.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

/// A finite number of a `key=value` word.
pub(super) fn number(report: &str, key: &str) -> Option<f64> {
    finite(word(report, key)?)
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The candidates of a report (`topN=ACTION;KEY:VALUE;...`), best first.
#[must_use]
pub fn candidates(report: &str) -> Vec<PageCandidate> {
    let text_of = |word: &'_ str| {
        let (rank, text) = word.strip_prefix("top")?.split_once('=')?;
        rank.parse::<u8>().ok().map(|_| text.to_owned())
    };
    let texts = report.split_whitespace().filter_map(text_of);
    texts.take(MOST_CANDIDATES).map(|text| candidate(&text)).collect()
}

fn candidate(text: &str) -> PageCandidate {
    let mut fields = text.split(';');
    let action = fields.next().unwrap_or_default().to_owned();
    let fields: Vec<(&str, &str)> = fields.filter_map(|field| field.split_once(':')).collect();
    let of = |name: &str| fields.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    PageCandidate {
        action,
        visits: of("visits").and_then(|visits| visits.parse().ok()),
        value: of("value").and_then(finite),
        error: of("error").and_then(finite),
        prior: of("prior").and_then(finite),
        proof: of("proof").map(str::to_owned),
        line: clipped(&of("line").unwrap_or_default().replace('>', " "), MOST_LINE_BYTES),
    }
}

/// The start of a text, not longer than this many bytes.
pub(super) fn clipped(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most);
    format!("{}... ({} bytes left out)", &text[..end], text.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_becomes_candidates_and_numbers_that_are_none_are_left_out() {
        let report = "value=0.5 playouts=9 top1=3,4;visits:7;value:+0.5000;proof:+1.0000/3;line:3,4>2,2 top2=1,1;visits:x;value:NaN";
        let found = candidates(report);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].action.as_str(), found[0].visits), ("3,4", Some(7)));
        assert_eq!((found[0].value, found[0].line.as_str()), (Some(0.5), "3,4 2,2"));
        assert_eq!((found[1].visits, found[1].value), (None, None));
        assert_eq!(number(report, "value"), Some(0.5));
        assert_eq!(number("value=inf", "value"), None);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(clipped("abc", 3), "abc");
        assert_eq!(clipped("aéb", 2), "a... (3 bytes left out)");
    }
}
