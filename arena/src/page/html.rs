//! The page as text.

use super::GamePage;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("game.js");

/// The game as one HTML page that opens without a server and without a network.
///
/// # Panics
/// Never: plain data is JSON.
#[must_use]
pub fn game_page(page: &GamePage) -> String {
    let json = embedded(&serde_json::to_string(page).expect("plain data is JSON"));
    // No script but ours runs: its nonce depends on all that the page holds, which no bot can foresee.
    let nonce = blake3::hash(json.as_bytes()).to_hex();
    let title = escaped(&format!("{}, seed {}", page.game, page.seed));
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'; img-src data:; base-uri 'none'; \
         form-action 'none'"
    );
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title>\n<style>\n{STYLE}</style></head>\n<body>\n\
         <noscript>This page needs JavaScript.</noscript>\n<main id=\"page\"></main>\n\
         <script type=\"application/json\" id=\"game\">{json}</script>\n\
         <script nonce=\"{nonce}\">\n{SCRIPT}</script>\n</body></html>\n"
    )
}

/// JSON that cannot end the element that it stands in.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
