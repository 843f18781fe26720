use games::reversi::{Action, Position};
use proptest::prelude::*;

#[test]
fn errors_name_the_first_wrong_character() {
    let error = |text: &str| text.parse::<Position>().unwrap_err().to_string();
    let board = ".".repeat(64);
    assert_eq!(error(""), r#"character 1: expected one of ".BW", found the end"#);
    assert_eq!(error("..b"), r#"character 3: expected one of ".BW", found 'b'"#);
    assert_eq!(error(&board), "character 65: expected ' ', found the end");
    assert_eq!(error(&format!("{board} w")), r#"character 66: expected one of "BW", found 'w'"#);
    assert_eq!(error(&format!("{board} W ")), "character 67: expected the end, found ' '");
    assert_eq!(error("é"), r#"character 1: expected one of ".BW", found 'é'"#);
    let error = |text: &str| text.parse::<Action>().unwrap_err().to_string();
    assert_eq!(error("MOVE 3 9"), r#"character 8: expected one of "12345678", found '9'"#);
    assert_eq!(error("MOVE 3  4"), r#"character 8: expected one of "12345678", found ' '"#);
    assert_eq!(error("PASS!"), "character 5: expected the end, found '!'");
    assert_eq!(error("move 3 4"), "character 1: expected 'M', found 'm'");
}

#[test]
fn every_action_reads_back() {
    for action in (0..64).map(Action::on).chain([Action::PASS]) {
        assert_eq!(action.to_string().parse(), Ok(action));
    }
}

proptest! {
    #[test]
    fn every_position_reads_back(text in "[.BW]{64} [BW]") {
        let position: Position = text.parse().unwrap();
        prop_assert_eq!(position.to_string(), text);
    }

    #[test]
    fn any_text_is_read_exactly_or_refused_at_a_place_inside_it(text in ".{0,80}|[.BW]{60,66} ?[BWbw ]{0,3}") {
        match text.parse::<Position>() {
            Ok(position) => prop_assert_eq!(position.to_string(), text),
            Err(error) => {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.at));
                prop_assert_eq!(error.found, text.chars().nth(error.at - 1));
            }
        }
    }

    #[test]
    fn any_text_is_an_action_exactly_or_refused(text in ".{0,12}|(MOVE|PASS) ?[0-9]{0,2} ?[0-9]{0,2}") {
        if let Ok(action) = text.parse::<Action>() {
            prop_assert_eq!(action.to_string(), text);
        }
    }
}
