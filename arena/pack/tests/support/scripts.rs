//! Scripts of the WebAssembly specification's tests as programs.

#![allow(unreachable_pub, reason = "a part of the test support")]

use super::{Case, Program, Step, Value, Want};
use std::collections::HashMap;
use wasm_to_source::{Error, Language, translate};
use wast::core::{NanPattern, WastArgCore, WastRetCore};
use wast::{QuoteWat, WastArg, WastDirective, WastExecute, WastInvoke, WastRet};

/// The result of a script.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Number of calls whose result is compared.
    pub calls: usize,
    /// Number of modules that must be rejected and are.
    pub refused: usize,
    /// Skipped directives, by reason.
    pub skipped: HashMap<String, usize>,
}

/// A script.
#[derive(Debug, Clone, Copy)]
pub struct Text<'t> {
    pub name: &'t str,
    pub text: &'t str,
}

/// Adds a script to a program.
pub fn add(
    program: &mut Program,
    language: Language,
    text: Text<'_>,
    directives: Vec<WastDirective<'_>>,
) -> Outcome {
    let mut script = Script {
        program,
        language,
        name: text.name,
        text: text.text,
        current: None,
        named: HashMap::new(),
        outcome: Outcome::default(),
    };
    for directive in directives {
        script.directive(directive);
    }
    script.outcome
}

struct Script<'p, 't> {
    program: &'p mut Program,
    language: Language,
    name: &'t str,
    text: &'t str,
    current: Option<usize>,
    named: HashMap<String, Option<usize>>,
    outcome: Outcome,
}

impl Script<'_, '_> {
    fn skip(&mut self, why: &str) {
        *self.outcome.skipped.entry(why.to_string()).or_default() += 1;
    }

    fn place(&self, span: wast::token::Span) -> String {
        format!("{}.wast:{}", self.name, span.linecol_in(self.text).0 + 1)
    }

    fn directive(&mut self, directive: WastDirective<'_>) {
        let span = directive.span();
        match directive {
            WastDirective::Module(mut module) => {
                let id = match &module {
                    QuoteWat::Wat(wast::Wat::Module(module)) => {
                        module.id.map(|id| id.name().to_string())
                    }
                    _ => None,
                };
                let wasm = module.encode().expect("a valid module of the specification");
                self.current = self.module(&wasm, span);
                if let Some(id) = id {
                    self.named.insert(id, self.current);
                }
            }
            WastDirective::AssertInvalid { mut module, .. }
            | WastDirective::AssertMalformed { mut module, .. } => {
                if let Ok(wasm) = module.encode() {
                    let options = super::options(self.language, 0);
                    let place = self.place(span);
                    match translate(&wasm, &options) {
                        Err(Error::Invalid { .. }) => self.outcome.refused += 1,
                        // later versions of the specification allow it
                        _ => self.skip(&format!("valid today: {place}")),
                    }
                }
            }
            WastDirective::Invoke(invoke) => self.invoke(invoke, Want::Returns(Vec::new()), span),
            WastDirective::AssertReturn { exec: WastExecute::Invoke(invoke), results, .. } => {
                match results.iter().map(expected).collect::<Option<Vec<Value>>>() {
                    Some(results) => self.invoke(invoke, Want::Returns(results), span),
                    None => self.skip("reference or vector result"),
                }
            }
            WastDirective::AssertTrap { exec: WastExecute::Invoke(invoke), .. } => {
                self.invoke(invoke, Want::Traps, span);
            }
            WastDirective::AssertTrap { exec: WastExecute::Wat(mut module), .. } => {
                let wasm = module.encode().expect("a valid module of the specification");
                match self.program.add(self.language, &wasm) {
                    Ok(number) => self.program.steps.push(Step::Start(number, Want::Traps)),
                    Err(Error::Invalid { .. }) => self.outcome.refused += 1,
                    Err(error) => self.skip(&error.to_string()),
                }
            }
            _ => self.skip("directive"),
        }
    }

    fn module(&mut self, wasm: &[u8], span: wast::token::Span) -> Option<usize> {
        match self.program.add(self.language, wasm) {
            Ok(number) => {
                self.program.steps.push(Step::Start(number, Want::Returns(Vec::new())));
                Some(number)
            }
            Err(error @ Error::Invalid { .. }) => panic!("{}: {error}", self.place(span)),
            Err(error) => {
                let text = error.to_string();
                let text = text.split(" (at").next().unwrap_or_default();
                self.skip(text);
                None
            }
        }
    }

    fn invoke(&mut self, invoke: WastInvoke<'_>, want: Want, span: wast::token::Span) {
        let module = match invoke.module {
            Some(id) => self.named.get(id.name()).copied().flatten(),
            None => self.current,
        };
        let Some(module) = module else { return self.skip("call of an unsupported module") };
        let arguments: Option<Vec<Value>> = invoke.args.iter().map(argument).collect();
        let (Some(arguments), Some(symbol)) = (arguments, self.program.symbol(module, invoke.name))
        else {
            return self.skip("reference or vector argument");
        };
        self.outcome.calls += 1;
        let place = self.place(span);
        self.program.steps.push(Step::Call(Case { place, module, symbol, arguments, want }));
    }
}

fn argument(argument: &WastArg<'_>) -> Option<Value> {
    let WastArg::Core(argument) = argument else { return None };
    Some(match argument {
        WastArgCore::I32(value) => Value::I32(value.cast_unsigned()),
        WastArgCore::I64(value) => Value::I64(value.cast_unsigned()),
        WastArgCore::F32(value) => Value::F32(value.bits),
        WastArgCore::F64(value) => Value::F64(value.bits),
        _ => return None,
    })
}

fn expected(result: &WastRet<'_>) -> Option<Value> {
    let WastRet::Core(result) = result else { return None };
    Some(match result {
        WastRetCore::I32(value) => Value::I32(value.cast_unsigned()),
        WastRetCore::I64(value) => Value::I64(value.cast_unsigned()),
        WastRetCore::F32(NanPattern::Value(value)) => Value::F32(value.bits),
        WastRetCore::F64(NanPattern::Value(value)) => Value::F64(value.bits),
        WastRetCore::F32(_) => Value::Nan32,
        WastRetCore::F64(_) => Value::Nan64,
        _ => return None,
    })
}
