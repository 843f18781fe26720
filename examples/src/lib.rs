//! One question each, as cargo examples of this package. Its tests compile and run the code of the
//! pages in `docs`.

/// The code blocks of the README and of the pages, as tests.
#[cfg(doctest)]
mod pages {
    macro_rules! pages {
        ($($name:ident: $file:literal,)*) => {
            $(#[doc = include_str!(concat!("../../", $file))] mod $name {})*
        };
    }

    pages! {
        readme: "README.md",
        introduction: "docs/introduction.md",
        tutorial: "docs/tutorial.md",
        contest_bot: "docs/contest-bot.md",
        matches: "docs/matches.md",
        many_machines: "docs/many-machines.md",
        tuning: "docs/tuning.md",
        faq: "docs/faq.md",
        architecture: "docs/architecture.md",
        glossary: "docs/glossary.md",
        algorithms: "docs/algorithms.md",
        performance: "docs/performance.md",
        adding_a_game: "docs/adding-a-game.md",
        adding_an_algorithm: "docs/adding-an-algorithm.md",
    }
}
