//! A bot as a WebAssembly module: the functions that it exports and imports, and its allocator.
//!
//! [`program!`] writes the exports of a module into a `cdylib` crate; `arena pack` generates such a
//! crate.
//!
//! | export | meaning |
//! |---|---|
//! | `memory` | the module's memory; every address below is an offset into it |
//! | `input(length) -> address` | reserves the input buffer; the caller writes `length` bytes there |
//! | `start() -> status` | builds the bot, once; the input buffer holds further parameters (`name=value,...`, or nothing); 0, or 1 if they are rejected |
//! | `line() -> length` | passes the input buffer to the bot as one line; returns the length of its answer, [`NOTHING`] or [`LEAVE`] |
//! | `output() -> address` | the answer, without a line feed |
//! | `report_length() -> length`, `report() -> address` | the report of the search behind the answer; empty if the bot did not search |
//!
//! Lengths and addresses are 32-bit integers. The module imports `host.monotonic_nanos() -> i64`
//! and `host.cpu_nanos() -> i64` (negative where processor time is not known) and nothing else.
//! Addresses are valid until the next call.
#![no_std]

extern crate alloc;

pub mod heap;
mod session;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use session::{LEAVE, NOTHING, Session, find};

/// Exports the bot `$name` of `$game`, one of `$bots`, with the parameters `$parameters`, from this crate.
///
/// `$bots` is a constant `&[&[BotEntry]]`, so that no other bot is linked.
#[macro_export]
macro_rules! program {
    ($bots:expr, $game:literal, $name:literal, $parameters:literal) => {
        #[cfg(target_arch = "wasm32")]
        #[global_allocator]
        static HEAP: $crate::wasm::Heap = $crate::wasm::Heap::new();

        #[cfg(target_arch = "wasm32")]
        static SESSION: $crate::wasm::Single<$crate::Session> =
            $crate::wasm::Single::new($crate::Session::new());

        /// Reserves the input buffer.
        #[cfg(target_arch = "wasm32")]
        #[unsafe(no_mangle)]
        pub extern "C" fn input(length: usize) -> *mut u8 {
            SESSION.with(|session| session.input(length).as_mut_ptr())
        }

        /// Builds the bot.
        #[cfg(target_arch = "wasm32")]
        #[unsafe(no_mangle)]
        pub extern "C" fn start() -> i32 {
            const BUILD: $crate::wasm::Build = $crate::find($bots, $game, $name).build;
            SESSION.with(|session| session.start(BUILD, $parameters))
        }

        /// Passes a line to the bot.
        #[cfg(target_arch = "wasm32")]
        #[unsafe(no_mangle)]
        pub extern "C" fn line() -> i32 {
            SESSION.with(|session| session.line(&$crate::wasm::HostClock))
        }

        /// The answer to the last line.
        #[cfg(target_arch = "wasm32")]
        #[unsafe(no_mangle)]
        pub extern "C" fn output() -> *const u8 {
            SESSION.with(|session| session.output().as_ptr())
        }

        /// Length of the report on the last answer, in bytes.
        #[cfg(target_arch = "wasm32")]
        #[unsafe(no_mangle)]
        pub extern "C" fn report_length() -> usize {
            SESSION.with(|session| session.report().len())
        }

        /// The report on the last answer.
        #[cfg(target_arch = "wasm32")]
        #[unsafe(no_mangle)]
        pub extern "C" fn report() -> *const u8 {
            SESSION.with(|session| session.report().as_ptr())
        }
    };
}

/// Ends the module on a panic, without a message; for crates that do not link the standard library.
#[macro_export]
macro_rules! panic_ends_the_module {
    () => {
        #[cfg(target_arch = "wasm32")]
        #[panic_handler]
        fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
            core::arch::wasm32::unreachable()
        }
    };
}
