//! Games as pages for the browser, opened in one where Chromium is installed.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn arena(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the arena starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("page-{name}"))
}

/// Plays a game and returns the file of its record.
fn record(name: &str, game: &str, bots: &[&str]) -> PathBuf {
    let file = file(&format!("{name}.json"));
    let path = file.to_str().expect("a plain path");
    arena(&[&["play", game], bots, &["--quiet", "--json", path]].concat());
    file
}

/// Writes the page of a record, and returns its file and its text.
fn page(record: &std::path::Path) -> (PathBuf, String) {
    let page = record.with_extension("html");
    let [from, to] = [record, &page].map(|path| path.to_str().expect("a plain path"));
    arena(&["view", from, "--html", to]);
    let text = fs::read_to_string(&page).expect("it was written");
    (page, text)
}

/// The document after its scripts ran, and what the browser wrote on its console; `None` without a browser.
fn opened(page: &std::path::Path) -> Option<(String, String)> {
    let profile = page.with_extension("profile");
    let output = Command::new("chromium")
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=3000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .output();
    let _ = fs::remove_dir_all(&profile);
    let Ok(output) = output else {
        let skipped = "skipped: no page was opened, because Chromium is not installed\n";
        let _ = std::io::Write::write_all(&mut std::io::stderr(), skipped.as_bytes());
        return None;
    };
    let [document, log] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let console: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    Some((document, console.join("\n")))
}

#[test]
fn the_page_of_a_whole_game_is_small_and_runs_from_the_disk() {
    let bots = ["--first", "mcts:playouts=300", "--second", "mcts:playouts=100"];
    let (file, text) = page(&record("reversi", "reversi", &bots));
    assert!(text.len() < 500_000, "{} bytes", text.len());
    assert!(!text.contains("src=") && !text.contains("href="), "nothing is loaded");
    let Some((document, console)) = opened(&file) else { return };
    assert_eq!(console, "", "no message on the console");
    assert!(document.contains("Start of "), "the script ran");
    assert!(document.contains("<svg"), "the board is drawn");
    assert!(document.contains("Value, by the view of each bot"), "the curve is drawn");
}

#[test]
fn every_game_has_a_page() {
    for (game, bots) in [
        ("icebreaking", &["--first", "greedy", "--second", "random"][..]),
        ("promotion-chess", &["--first", "random", "--second", "random"]),
        ("maze", &["--first", "greedy"]),
        ("tic-tac-toe", &["--first", "random", "--second", "random"]),
        ("connect-four", &["--first", "random", "--second", "random"]),
    ] {
        let (_, text) = page(&record(game, game, bots));
        assert!(text.contains(r"\u003csvg"), "{game} is drawn");
    }
}

#[test]
fn what_bots_and_records_say_is_text_that_neither_runs_nor_floods_the_page() {
    let clean = record("hostile", "tic-tac-toe", &["--first", "random", "--second", "random"]);
    let bytes = fs::read(&clean).expect("it was written");
    let mut json: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    let attack = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">";
    json["seats"][0]["name"] = attack.into();
    json["seats"][0]["last_errors"] = serde_json::json!([attack]);
    json["description"] = attack.into();
    let message =
        |text: &str| serde_json::json!({"at_us": 1, "seat": 0, "from": "report", "text": text});
    let mut messages = vec![message(attack), message(&format!("value={attack} top1={attack}"))];
    messages.extend((0..20_000).map(|_| message(&"value=0.5 x ".repeat(100))));
    json["messages"] = messages.into();
    fs::write(&clean, json.to_string()).expect("it is written");
    let (file, text) = page(&clean);
    assert!(text.len() < 500_000, "{} bytes", text.len());
    assert_eq!(text.matches("<script").count(), 2, "the data and the page's own script");
    let Some((document, console)) = opened(&file) else { return };
    assert!(document.contains("<title>tic-tac-toe"), "no script of a bot ran");
    assert!(document.contains("&lt;/script&gt;"), "the name is shown as it is");
    assert_eq!(console, "");
}

#[test]
fn a_replay_writes_the_picture_of_a_position() {
    let record = record("picture", "reversi", &["--first", "greedy", "--second", "greedy"]);
    let path = record.to_str().expect("a plain path");
    let start = arena(&["replay", path, "--svg", "--at", "0"]).stdout;
    let start = String::from_utf8(start).expect("text");
    assert!(start.starts_with("<svg") && start.contains("2 to 2 discs"), "{start}");
    assert_ne!(arena(&["replay", path, "--svg"]).stdout, start.into_bytes());
}
