//! Instructions that are not control flow.

use super::Decoder;
use crate::Checks;
use crate::error::{Error, unsupported};
use crate::ir::{BinaryOp, Expr, Local, Stmt, Type};
use crate::operators;
use wasmparser::{MemArg, Operator};

impl Decoder<'_, '_> {
    pub(super) fn instruction(
        &mut self,
        operator: &Operator<'_>,
        offset: u64,
    ) -> Result<(), Error> {
        if let Some((op, from, to)) = operators::unary(operator) {
            let operand = self.pop();
            self.push(Expr::Unary(op, from, to, Box::new(operand)));
        } else if let Some((op, ty)) = operators::binary(operator) {
            let right = self.pop();
            let left = self.pop();
            self.push(op.of(ty, left, right));
        } else if let Some((access, memarg)) = operators::load(operator) {
            let address = self.pop();
            self.push(Expr::Load(access, static_offset(memarg), Box::new(address)));
        } else if let Some((access, memarg)) = operators::store(operator) {
            let value = self.pop();
            let address = self.pop();
            self.effect(Stmt::Store(access, static_offset(memarg), address, value));
        } else if !self.constant(operator) && !self.variable(operator) && !self.wide(operator) {
            self.other(operator, offset)?;
        }
        Ok(())
    }

    /// Emits a statement that changes memory or globals.
    fn effect(&mut self, statement: Stmt) {
        self.spill(|pending| pending.effects.reads || pending.effects.writes);
        self.emit(statement);
    }

    fn constant(&mut self, operator: &Operator<'_>) -> bool {
        let (ty, bits) = match operator {
            Operator::I32Const { value } => (Type::I32, u64::from(value.cast_unsigned())),
            Operator::I64Const { value } => (Type::I64, value.cast_unsigned()),
            Operator::F32Const { value } => (Type::F32, u64::from(value.bits())),
            Operator::F64Const { value } => (Type::F64, value.bits()),
            _ => return false,
        };
        self.push(Expr::Const(crate::ir::Constant { ty, bits }));
        true
    }

    fn variable(&mut self, operator: &Operator<'_>) -> bool {
        match *operator {
            Operator::LocalGet { local_index } => self.push(Expr::Local(local_index)),
            Operator::LocalSet { local_index } => self.set_local(local_index),
            Operator::LocalTee { local_index } => {
                self.set_local(local_index);
                self.push(Expr::Local(local_index));
            }
            Operator::GlobalGet { global_index } => {
                let global = &self.module.globals[global_index as usize];
                let value = match global.mutable {
                    true => Expr::Global(global_index),
                    false => Expr::Const(global.initial),
                };
                self.push(value);
            }
            Operator::GlobalSet { global_index } => {
                let value = self.pop();
                self.effect(Stmt::SetGlobal(global_index, value));
            }
            _ => return false,
        }
        true
    }

    fn set_local(&mut self, local: Local) {
        let value = self.pop();
        self.spill(|pending| pending.reads_local(local));
        self.emit(Stmt::Set(local, value));
    }

    /// Wide arithmetic: results of 128 bits as two of 64, the low one first.
    fn wide(&mut self, operator: &Operator<'_>) -> bool {
        match operator {
            Operator::I64MulWideS | Operator::I64MulWideU => {
                let high = match operator {
                    Operator::I64MulWideS => BinaryOp::MulHighS,
                    _ => BinaryOp::MulHigh,
                };
                let [left, right] = self.pop_copies();
                self.push(BinaryOp::Mul.of(Type::I64, left.clone(), right.clone()));
                self.push(high.of(Type::I64, left, right));
            }
            Operator::I64Add128 | Operator::I64Sub128 => {
                let op = match operator {
                    Operator::I64Add128 => BinaryOp::Add,
                    _ => BinaryOp::Sub,
                };
                let [left_low, left_high, right_low, right_high] = self.pop_copies();
                self.push(op.of(Type::I64, left_low.clone(), right_low));
                let [low] = self.pop_copies();
                self.push(low.clone());
                // a carry makes the sum smaller than an operand, a borrow the difference larger
                let (less, more) =
                    if op == BinaryOp::Add { (low, left_low) } else { (left_low, low) };
                let carry = BinaryOp::Lt.of(Type::I64, less, more);
                let carry =
                    Expr::Unary(crate::ir::UnaryOp::ExtendU, Type::I32, Type::I64, Box::new(carry));
                let high = op.of(Type::I64, left_high, right_high);
                self.push(op.of(Type::I64, high, carry));
            }
            _ => return false,
        }
        true
    }

    /// The youngest values, the oldest first, cheap enough to be used more than once.
    fn pop_copies<const N: usize>(&mut self) -> [Expr; N] {
        let start = self.stack.len() - N;
        for at in start..self.stack.len() {
            self.spill_at(at);
        }
        self.pop_many(N).try_into().expect("as many as asked for")
    }

    fn other(&mut self, operator: &Operator<'_>, offset: u64) -> Result<(), Error> {
        match *operator {
            Operator::Drop => {
                let pending = self.stack.pop().expect("validated");
                let full = self.checks == Checks::Full;
                if pending.effects.writes || (full && pending.effects.reads) {
                    self.emit(Stmt::Do(pending.expr));
                }
            }
            Operator::Select => self.select(),
            Operator::TypedSelect { ty } if !ty.is_reference_type() => self.select(),
            Operator::Call { function_index } => {
                let signature = self.module.signature(function_index);
                let (params, results) = (signature.params.len(), signature.results.clone());
                let arguments = self.pop_many(params);
                self.call(Expr::Call(function_index, arguments), &results);
            }
            Operator::CallIndirect { type_index, table_index: 0 } => {
                let signature = &self.module.signatures[type_index as usize];
                let (params, results) = (signature.params.len(), signature.results.clone());
                let index = self.pop();
                let arguments = self.pop_many(params);
                self.call(Expr::CallIndirect(type_index, arguments, Box::new(index)), &results);
            }
            Operator::MemorySize { mem: 0 } => self.push(Expr::MemorySize),
            Operator::MemoryGrow { mem: 0 } => {
                let pages = self.pop();
                self.push(Expr::MemoryGrow(Box::new(pages)));
            }
            Operator::MemoryCopy { dst_mem: 0, src_mem: 0 } => {
                let three = self.pop_three();
                self.effect(Stmt::MemoryCopy(three));
            }
            Operator::MemoryFill { mem: 0 } => {
                let three = self.pop_three();
                self.effect(Stmt::MemoryFill(three));
            }
            Operator::MemoryInit { data_index, mem: 0 } => {
                let three = self.pop_three();
                self.effect(Stmt::MemoryInit(data_index, three));
            }
            Operator::DataDrop { data_index } => self.effect(Stmt::DataDrop(data_index)),
            _ => return Err(unsupported(format!("instruction {}", name(operator)), offset)),
        }
        Ok(())
    }

    fn pop_three(&mut self) -> [Expr; 3] {
        self.pop_many(3).try_into().expect("three")
    }

    /// `select` evaluates both values, the conditional operator only one of them.
    fn select(&mut self) {
        let full = self.checks == Checks::Full;
        for at in [self.stack.len() - 3, self.stack.len() - 2] {
            let effects = self.stack[at].effects;
            if effects.writes || (full && effects.reads) {
                self.spill_at(at);
            }
        }
        let [yes, no, condition] = self.pop_three();
        self.push(Expr::Select(Box::new([condition, yes, no])));
    }

    fn call(&mut self, call: Expr, results: &[Type]) {
        match results {
            [] => self.effect(Stmt::Do(call)),
            [_] => self.push(call),
            [_, further @ ..] => {
                self.push(call);
                self.spill_at(self.stack.len() - 1);
                for (index, ty) in further.iter().enumerate() {
                    self.push(Expr::Result(*ty, index as u32 + 1));
                    self.spill_at(self.stack.len() - 1);
                }
            }
        }
    }
}

fn static_offset(memarg: &MemArg) -> u32 {
    u32::try_from(memarg.offset).expect("validated for a 32-bit memory")
}

/// The name of an instruction, without its immediates.
fn name(operator: &Operator<'_>) -> String {
    let text = format!("{operator:?}");
    let end = text.find([' ', '{', '(']).unwrap_or(text.len());
    text[..end].to_string()
}
