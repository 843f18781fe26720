//! What every generated Rust module starts with. `<...>` stands for what differs between modules.

/// Types, memory, and arithmetic that traps.
pub(super) const RUNTIME: &str = r"
type u=u32;type U=u64;type i=i32;type L=i64;type f=f32;type d=f64;
#[cfg(target_endian=<big>)]compile_error!(<endian>);
static mut M:*mut u8=std::ptr::null_mut();static mut P:u=<pages>;
#[cold]fn T()->!{<trap>}
#[inline(always)]unsafe fn C(a:u,o:u,n:u)->*mut u8{<check>M.add(a as usize+o as usize)}
pub unsafe fn memory()->&'static mut [u8]{std::slice::from_raw_parts_mut(M,(P as usize)<<16)}
unsafe fn Mg(n:u)->u{let p=P;if n><cap>-p{return !0}P+=n;p}
unsafe fn Mc(a:u,b:u,n:u){let(a,b)=(C(a,0,n),C(b,0,n));std::ptr::copy(b,a,n as usize)}
unsafe fn Mf(a:u,b:u,n:u){std::ptr::write_bytes(C(a,0,n),b as u8,n as usize)}
";

/// A pair of functions that read and write memory.
fn access(name: &str, ty: &str, bytes: u32) -> String {
    format!(
        "#[inline(always)]unsafe fn {name}(a:u,o:u)->{ty}{{(C(a,o,{bytes}) as *const {ty}).read_unaligned()}}\n\
         #[inline(always)]unsafe fn {name}s(a:u,o:u,v:{ty}){{(C(a,o,{bytes}) as *mut {ty}).write_unaligned(v)}}\n"
    )
}

/// All of them.
pub(super) fn accesses() -> String {
    let all = [
        ("W", "u", 4),
        ("Q", "U", 8),
        ("H", "u16", 2),
        ("E", "i16", 2),
        ("S", "i", 4),
        ("F", "f", 4),
        ("D", "d", 8),
        ("B", "u8", 1),
        ("A", "i8", 1),
    ];
    all.iter().map(|(name, ty, bytes)| access(name, ty, *bytes)).collect()
}

/// Functions on the two integer or float types.
pub(super) fn numeric() -> String {
    let mut out = String::new();
    for (ty, signed) in [("u", "i"), ("U", "L")] {
        out += &format!(
            "fn Dv{ty}(a:{ty},b:{ty})->{ty}{{if b==0{{T()}}a/b}}\n\
             fn Rm{ty}(a:{ty},b:{ty})->{ty}{{if b==0{{T()}}a%b}}\n\
             fn Ds{ty}(a:{ty},b:{ty})->{ty}{{match(a as {signed}).checked_div(b as {signed}){{Some(c)=>c as {ty},None=>T()}}}}\n\
             fn Rs{ty}(a:{ty},b:{ty})->{ty}{{if b==0{{T()}}(a as {signed}).wrapping_rem(b as {signed}) as {ty}}}\n"
        );
    }
    for (ty, whole) in [("f", "8388608.0"), ("d", "4503599627370496.0")] {
        out += &format!(
            "fn Mi{ty}(a:{ty},b:{ty})->{ty}{{if a!=a||b!=b{{a+b}}else if a<b||(a==b&&a.is_sign_negative()){{a}}else{{b}}}}\n\
             fn Ma{ty}(a:{ty},b:{ty})->{ty}{{if a!=a||b!=b{{a+b}}else if a>b||(a==b&&b.is_sign_negative()){{a}}else{{b}}}}\n\
             fn Ne{ty}(a:{ty})->{ty}{{let c=a.abs();if c<{whole}{{((c+{whole})-{whole}).copysign(a)}}else{{a+0.0}}}}\n"
        );
    }
    let ranges = [
        ("f", "i", "u", "a>=-2147483648.0&&a<2147483648.0"),
        ("d", "i", "u", "a>-2147483649.0&&a<2147483648.0"),
        ("f", "L", "U", "a>=-9223372036854775808.0&&a<9223372036854775808.0"),
        ("d", "L", "U", "a>=-9223372036854775808.0&&a<9223372036854775808.0"),
        ("f", "u", "u", "a>-1.0&&a<4294967296.0"),
        ("d", "u", "u", "a>-1.0&&a<4294967296.0"),
        ("f", "U", "U", "a>-1.0&&a<18446744073709551616.0"),
        ("d", "U", "U", "a>-1.0&&a<18446744073709551616.0"),
    ];
    for (from, target, to, range) in ranges {
        let sign = if target == to { 'u' } else { 's' };
        out += &format!(
            "fn T{sign}{from}{to}(a:{from})->{to}{{if !({range}){{T()}}a as {target} as {to}}}\n"
        );
    }
    out += "fn Mh(a:U,b:U)->U{(a as u128*b as u128>>64) as U}\n\
            fn Ms(a:U,b:U)->U{(a as L as i128*b as L as i128>>64) as U}\n";
    out
}

/// Reads the text that `data::encode` makes.
pub(super) const DECODER: &str = r"
struct Z{t:std::str::Bytes<'static>,n:u,w:u}
impl Z{fn b(&mut self)->u8{if self.n==0{let mut k=0;while k<5{let c=self.t.next().unwrap_or(35);
if c<35{continue}self.w=self.w.wrapping_mul(85).wrapping_add(if c==120{57}else if c==121{28}else{c as u-35});k+=1}self.n=4}
self.n-=1;let k=self.w>>24;self.w<<=8;k as u8}
fn v(&mut self)->usize{let(mut a,mut k)=(0,0);loop{let c=self.b();a|=((c&127) as usize)<<k;k+=7;if c<128{return a}}}}
unsafe fn Dc(t:&'static str){let mut z=Z{t:t.bytes(),n:0,w:0};let mut p=0;loop{p+=z.v();let l=z.v();if l==0{break}
for _ in 0..l{*M.add(p)=z.b();p+=1}}}
";
