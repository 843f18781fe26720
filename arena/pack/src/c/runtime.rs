//! Helper functions and macros of generated C; only those that a module uses are printed, with what they need.
//!
//! `@` stands for the prefix of file-scope names. Types: `u`, `U` (unsigned, 32 and 64 bits), `i`, `L` (signed),
//! `f`, `d` (floats).

use super::copies;
use std::collections::BTreeSet;

/// Adds what `names` need, directly and indirectly.
pub(super) fn close(names: &mut BTreeSet<String>, full: bool) {
    let mut todo: Vec<String> = names.iter().cloned().collect();
    while let Some(name) = todo.pop() {
        let text = definition(&name, full);
        for needed in mentioned(&text) {
            if needed != name && names.insert(needed.clone()) {
                todo.push(needed);
            }
        }
    }
}

fn mentioned(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('@').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        format!("@{}", &rest[..end])
    })
}

/// Prints helpers, each after those it needs.
pub(super) fn print(names: &BTreeSet<String>, full: bool) -> String {
    let mut out = String::new();
    let mut done = BTreeSet::new();
    for name in names {
        print_one(name, full, &mut done, &mut out);
    }
    out
}

fn print_one(name: &str, full: bool, done: &mut BTreeSet<String>, out: &mut String) {
    if !done.insert(name.to_string()) {
        return;
    }
    let text = definition(name, full);
    for needed in mentioned(&text) {
        print_one(&needed, full, done, out);
    }
    if !text.is_empty() {
        *out += &text;
        out.push('\n');
    }
}

/// The macro of a memory access: an lvalue of a type that may alias and need not be aligned.
fn access(name: &str, ty: &str, full: bool) -> String {
    let (bytes, alias) = match ty {
        "u" | "i" | "f" => (4, true),
        "U" | "d" => (8, true),
        "uint16_t" | "int16_t" => (2, true),
        _ => (1, false),
    };
    let place = if full { format!("@C((U)a,{bytes})") } else { "(@M+a)".to_string() };
    if ty == "unsigned char" {
        return format!("#define {name}(a) (*{place})");
    }
    if !alias {
        return format!("#define {name}(a) (*(signed char*){place})");
    }
    let alias = format!("{name}_");
    format!(
        "typedef {ty} {alias} __attribute__((aligned(1),may_alias));\n#define {name}(a) (*({alias}*){place})"
    )
}

/// The text of a helper; empty for what the module itself defines.
fn definition(name: &str, full: bool) -> String {
    let bare = name.trim_start_matches('@');
    let text: String = match bare {
        "W" => return access(name, "u", full),
        "Q" => return access(name, "U", full),
        "H" => return access(name, "uint16_t", full),
        "E" => return access(name, "int16_t", full),
        "S" => return access(name, "i", full),
        "F" => return access(name, "f", full),
        "D" => return access(name, "d", full),
        "B" => return access(name, "unsigned char", full),
        "A" => return access(name, "signed char", full),
        "Vs" => return copies::vector_type(name, 16),
        "Vl" => return copies::vector_type(name, 32),
        "C" => "static inline unsigned char*@C(U a,U n){if(a+n>(U)@P<<16)@T();return @M+a;}".into(),
        "Mg" => "static u @Mg(u n){u p=@P;if(n>@X-p)return -1;@P+=n;return p;}".into(),
        "Mc" if full => "static void @Mc(u a,u b,u n){memmove(@C(a,n),@C(b,n),n);}".into(),
        "Mf" if full => "static void @Mf(u a,u b,u n){memset(@C(a,n),(int)b,n);}".into(),
        "Mc" => "#define @Mc(a,b,n) memmove(@M+(a),@M+(b),n)".into(),
        "Mf" => "#define @Mf(a,b,n) memset(@M+(a),(int)(b),n)".into(),
        "Mi" => "static void @Mi(const unsigned char*s,u l,u a,u b,u n){if((U)b+n>l)@T();memcpy(@C(a,n),s+b,n);}".into(),
        "Dc" => DECODER.into(),
        "Fi" => "static inline u @Fi(f a){u b;memcpy(&b,&a,4);return b;}".into(),
        "If" => "static inline f @If(u a){f b;memcpy(&b,&a,4);return b;}".into(),
        "Du" => "static inline U @Du(d a){U b;memcpy(&b,&a,8);return b;}".into(),
        "Ud" => "static inline d @Ud(U a){d b;memcpy(&b,&a,8);return b;}".into(),
        _ => match (bare.strip_prefix('K'), bare.strip_prefix("Mk").and_then(|n| n.parse().ok())) {
            (Some(letters), _) if !letters.is_empty() => return copies::word_macro(name, letters),
            (_, Some(size)) => return copies::vector_function(name, size, full),
            _ => return numeric(name, bare),
        },
    };
    text
}

/// Reads the text that `data::encode` makes.
const DECODER: &str = "\
static u @Dn(const unsigned char**s,u*n,u*w){u k;if(!*n){*w=0;for(k=0;k<5;k++){u c=*(*s)++;*w=*w*85+(c==120?57:c==121?28:c-35);}*n=4;}--*n;k=*w>>24;*w<<=8;return k;}
static u @Dv(const unsigned char**s,u*n,u*w){u a=0,c,k=0;do{c=@Dn(s,n,w);a|=(c&127)<<k;k+=7;}while(c&128);return a;}
static void @Dc(const char*t){const unsigned char*s=(const unsigned char*)t;u n=0,w=0,p=0,l;for(;;){p+=@Dv(&s,&n,&w);l=@Dv(&s,&n,&w);if(!l)break;while(l--)@M[p++]=(unsigned char)@Dn(&s,&n,&w);}}";

fn numeric(name: &str, bare: &str) -> String {
    if bare.len() < 3 {
        return String::new();
    }
    let (stem, types) = bare.split_at(2);
    let ty = types.chars().next().unwrap_or('u');
    let wide = matches!(ty, 'U' | 'd');
    let bits = if wide { 64 } else { 32 };
    let suffix = if wide { "ll" } else { "" };
    let float = if wide { "" } else { "f" };
    let signed = if wide { "L" } else { "i" };
    match stem {
        "Pc" => format!("#define {name} __builtin_popcount{suffix}"),
        "Lz" => format!("static inline int {name}({ty} a){{return a?__builtin_clz{suffix}(a):{bits};}}"),
        "Tz" => format!("static inline int {name}({ty} a){{return a?__builtin_ctz{suffix}(a):{bits};}}"),
        "Rl" => format!("static inline {ty} {name}({ty} a,{ty} n){{return a<<(n&{m})|a>>(-n&{m});}}", m = bits - 1),
        "Rr" => format!("static inline {ty} {name}({ty} a,{ty} n){{return a>>(n&{m})|a<<(-n&{m});}}", m = bits - 1),
        "Dv" => format!("static inline {ty} {name}({ty} a,{ty} b){{if(!b)@T();return a/b;}}"),
        "Rm" => format!("static inline {ty} {name}({ty} a,{ty} b){{if(!b)@T();return a%b;}}"),
        "Ds" => format!(
            "static inline {ty} {name}({ty} a,{ty} b){{if(!b||(!(b+1)&&a=={ty}(1)<<{n}))@T();return ({signed})a/({signed})b;}}",
            n = bits - 1
        )
        .replace(&format!("{ty}(1)"), &format!("({ty})1")),
        "Rs" => format!(
            "static inline {ty} {name}({ty} a,{ty} b){{if(!b)@T();return b+1?({signed})a%({signed})b:0;}}"
        ),
        "Ab" => format!("#define {name} __builtin_fabs{float}"),
        "Cs" => format!("#define {name} __builtin_copysign{float}"),
        "Ce" => format!("#define {name} __builtin_ceil{float}"),
        "Fl" => format!("#define {name} __builtin_floor{float}"),
        "Tr" => format!("#define {name} __builtin_trunc{float}"),
        "Ne" => format!("#define {name} __builtin_rint{float}"),
        "Sq" => square_root(name, ty, float),
        "Mi" => format!("static inline {ty} {name}({ty} a,{ty} b){{return a!=a||b!=b?a+b:a<b?a:b<a?b:__builtin_signbit(a)?a:b;}}"),
        "Ma" => format!("static inline {ty} {name}({ty} a,{ty} b){{return a!=a||b!=b?a+b:a>b?a:b>a?b:__builtin_signbit(a)?b:a;}}"),
        "Mh" | "Ms" => wide_product(name, stem == "Ms"),
        "Ts" | "Tu" | "Ss" | "Su" => conversion(name, stem, types),
        _ => String::new(),
    }
}

/// The instruction, since the builtin calls the mathematical library for negative numbers, and C does not link that.
fn square_root(name: &str, ty: char, float: &str) -> String {
    let scalar = if float.is_empty() { "sd" } else { "ss" };
    format!(
        "#ifdef __SSE2__\n\
         typedef {ty} {name}_ __attribute__((vector_size(16)));static inline {ty} {name}({ty} a){{{name}_ b={{a}};return __builtin_ia32_sqrt{scalar}(b)[0];}}\n\
         #else\n#define {name} __builtin_sqrt{float}\n#endif"
    )
}

/// High half of a 64 by 64 bit product, also without a 128-bit type.
fn wide_product(name: &str, signed: bool) -> String {
    let fix = if signed { "-((L)a<0?b:0)-((L)b<0?a:0)" } else { "" };
    format!(
        "static inline U {name}(U a,U b){{\n\
         #ifdef __SIZEOF_INT128__\n\
         return (U)((unsigned __int128)a*b>>64){fix};\n\
         #else\n\
         U l=(u)a,h=a>>32,m=(u)b,n=b>>32,o=l*m,p=h*m+(o>>32),q=l*n+(u)p;return h*n+(p>>32)+(q>>32){fix};\n\
         #endif\n}}"
    )
}

/// Float to integer: trapping (`T`) or saturating (`S`), signed or unsigned.
fn conversion(name: &str, stem: &str, types: &str) -> String {
    let (from, to) = types.split_at(1);
    let signed = stem.ends_with('s');
    let target = match (to, signed) {
        ("u", true) => "i",
        ("U", true) => "L",
        ("u", false) => "u",
        _ => "U",
    };
    // the first values out of range below and above
    let (low, low_included, high) = match (from, target) {
        ("f", "i") => ("-2147483648.f", true, "2147483648.f"),
        ("d", "i") => ("-2147483649.", false, "2147483648."),
        ("f", "L") => ("-9223372036854775808.f", true, "9223372036854775808.f"),
        (_, "L") => ("-9223372036854775808.", true, "9223372036854775808."),
        ("f", "u") => ("-1.f", false, "4294967296.f"),
        (_, "u") => ("-1.", false, "4294967296."),
        ("f", _) => ("-1.f", false, "18446744073709551616.f"),
        _ => ("-1.", false, "18446744073709551616."),
    };
    let above = if low_included { ">=" } else { ">" };
    if stem.starts_with('T') {
        return format!(
            "static inline {to} {name}({from} a){{if(!(a{above}{low}&&a<{high}))@T();return ({target})a;}}"
        );
    }
    let (least, most) = match target {
        "i" => ("(u)1<<31", "~(u)0>>1"),
        "L" => ("(U)1<<63", "~(U)0>>1"),
        "u" => ("0", "~(u)0"),
        _ => ("0", "~(U)0"),
    };
    format!(
        "static inline {to} {name}({from} a){{return a{above}{low}?a<{high}?({target})a:{most}:a!=a?0:{least};}}"
    )
}
