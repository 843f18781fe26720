use games::icebreaking::{Cell, Diagram};
use proptest::prelude::*;

#[test]
fn errors_name_the_first_wrong_character() {
    let error = |text: &str| text.parse::<Diagram>().unwrap_err().to_string();
    let cells = "0".repeat(81);
    assert_eq!(error(""), r##"character 1: expected one of "#ab=-012", found the end"##);
    assert_eq!(error("012A"), r##"character 4: expected one of "#ab=-012", found 'A'"##);
    assert_eq!(error(&cells), "character 82: expected ' ', found the end");
    assert_eq!(
        error(&format!("{cells} c 0 0")),
        r#"character 83: expected one of "ab", found 'c'"#
    );
    assert_eq!(error(&format!("{cells} a 0")), "character 86: expected ' ', found the end");
    assert_eq!(error(&format!("{cells} a x 0")), "character 85: expected a digit, found 'x'");
    assert_eq!(
        error(&format!("{cells} a 0 00")),
        "character 87: expected a number without leading zero, found '0'"
    );
    assert_eq!(
        error(&format!("{cells} a 0 163")),
        "character 87: expected a total of -162 to 162, found '1'"
    );
    assert_eq!(error(&format!("{cells} a 0 0 ")), "character 88: expected the end, found ' '");
    let error = |text: &str| text.parse::<Cell>().unwrap_err().to_string();
    assert_eq!(error("MOVE 9 0"), r#"character 6: expected one of "012345678", found '9'"#);
    assert_eq!(error("PASS"), "character 1: expected 'M', found 'P'");
}

#[test]
fn every_action_reads_back() {
    for cell in Cell::all() {
        assert_eq!(cell.to_string().parse(), Ok(cell));
    }
}

proptest! {
    #[test]
    fn every_position_reads_back(
        cells in "[#ab=012-]{81}", side in "[ab]", a in -162..=162, b in -162..=162,
    ) {
        let text = format!("{cells} {side} {a} {b}");
        let diagram: Diagram = text.parse().unwrap();
        prop_assert_eq!(diagram.to_string(), text);
    }

    #[test]
    fn any_text_is_read_exactly_or_refused_at_a_place_inside_it(
        text in ".{0,90}|[#ab=012-]{80,82}( [ab]( -?[0-9]{1,20}){0,3})?",
    ) {
        match text.parse::<Diagram>() {
            Ok(diagram) => prop_assert_eq!(diagram.to_string(), text),
            Err(error) => {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.at));
                prop_assert_eq!(error.found, text.chars().nth(error.at - 1));
            }
        }
    }
}
