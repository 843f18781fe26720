#[cfg(any(target_os="linux",target_os="android",target_os="macos"))]
fn cpu_nanos_()->u64{
use std::os::raw::{c_int,c_long};
#[repr(C)]struct Time{seconds:c_long,nanos:c_long}
extern "C"{fn clock_gettime(clock:c_int,time:*mut Time)->c_int;}
let clock=if cfg!(target_os="macos"){12}else{2};
let mut time=Time{seconds:0,nanos:0};
if unsafe{clock_gettime(clock,&mut time)}!=0{return !0}
time.seconds as u64*1_000_000_000+time.nanos as u64}
#[cfg(not(any(target_os="linux",target_os="android",target_os="macos")))]
fn cpu_nanos_()->u64{!0}
thread_local!(static START_:std::time::Instant=std::time::Instant::now());
fn monotonic_nanos_()->u64{START_.with(|start|start.elapsed().as_nanos() as u64)}
fn put_(text:&[u8]){unsafe{let at=bot::m_input(text.len() as u32) as usize;bot::memory()[at..at+text.len()].copy_from_slice(text)}}
fn get_(at:u32,size:u32)->&'static [u8]{unsafe{&bot::memory()[at as usize..][..size as usize]}}
fn main(){
use std::io::{BufRead,Write};
let parameters=std::env::args().nth(1).unwrap_or_default();
let reports=std::env::var_os("BOT_REPORT").is_some();
let mut answers=0u64;
unsafe{bot::initialize()}
put_(parameters.as_bytes());
if unsafe{bot::m_start()}!=0{eprintln!("the bot refuses the parameters `{}`",parameters);std::process::exit(2)}
let (mut input,mut output,mut line)=(std::io::stdin().lock(),std::io::stdout(),Vec::new());
while input.read_until(b'\n',&mut line).unwrap_or(0)>0{
if line.last()==Some(&b'\n'){line.pop();}
line.truncate(65536);
put_(&line);
line.clear();
let size=unsafe{bot::m_line()} as i32;
if size== -1{continue}
if size<0{break}
let mut answer=get_(unsafe{bot::m_output()},size as u32).to_vec();
answer.push(b'\n');
if output.write_all(&answer).and_then(|()|output.flush()).is_err(){break}
answers+=1;
let size=unsafe{bot::m_report_length()};
if reports&&size>0{eprintln!("report answer={} {}",answers,String::from_utf8_lossy(get_(unsafe{bot::m_report()},size)))}
}}
