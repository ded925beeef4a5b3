// The library from Rust: the declarations that a binding generator would make of the headers, and a
// kernel compiled and launched with them. The argument is the device.
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::mem::size_of;
use std::ptr::{null, null_mut};

const CK_MAX_DIMS: usize = 8;
const CK_FLOAT32: c_int = 12;
const CK_RECORD: c_int = 19;

// Handles are opaque.
type Context = c_void;
type Module = c_void;
type Device = c_void;
type Kernel = c_void;
type Buffer = c_void;
type Stream = c_void;

#[repr(C)]
#[derive(Clone, Copy)]
struct Array {
    data: u64,
    dtype: c_int,
    ndim: c_int,
    shape: [i64; CK_MAX_DIMS],
    strides: [i64; CK_MAX_DIMS],
    record: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Complex {
    real: f64,
    imaginary: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
union Value {
    array: *const Array,
    i: i64,
    f: f64,
    c: Complex,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Arg {
    scalar: c_int,
    value: Value,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Dim3 {
    x: u32,
    y: u32,
    z: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Shape {
    grid: Dim3,
    block: Dim3,
    shared_bytes: u32,
    cluster: Dim3,
}

#[repr(C)]
struct BestBlock {
    threads: u32,
    blocks: u32,
}

#[link(name = "ck")]
extern "C" {
    fn ck_context_new(out: *mut *mut Context, options: *const c_void) -> c_int;
    fn ck_context_free(ctx: *mut Context);
    fn ck_context_error(ctx: *const Context) -> *const c_char;
    fn ck_status_name(status: c_int) -> *const c_char;
    fn ck_dtype_name(dtype: c_int) -> *const c_char;
    fn ck_compile(out: *mut *mut Module, ctx: *mut Context, source: *const c_char, length: usize, options: *const c_void) -> c_int;
    fn ck_module_free(module: *mut Module);
    fn ck_device_open(out: *mut *mut Device, ctx: *mut Context, name: *const c_char, options: *const c_void) -> c_int;
    fn ck_device_free(device: *mut Device);
    fn ck_kernel_get(out: *mut *mut Kernel, module: *mut Module, device: *mut Device, name: *const c_char) -> c_int;
    fn ck_kernel_best_block(out: *mut BestBlock, kernel: *mut Kernel, shared_bytes: u32) -> c_int;
    fn ck_buffer_new(out: *mut *mut Buffer, device: *mut Device, bytes: usize) -> c_int;
    fn ck_buffer_free(buffer: *mut Buffer);
    fn ck_buffer_address(buffer: *const Buffer) -> u64;
    fn ck_buffer_write(buffer: *mut Buffer, offset: usize, host: *const c_void, bytes: usize) -> c_int;
    fn ck_buffer_read_async(buffer: *const Buffer, offset: usize, host: *mut c_void, bytes: usize, stream: *mut c_void) -> c_int;
    fn ck_array_1d(data: u64, dtype: c_int, n: i64) -> Array;
    fn ck_stream_create(out: *mut *mut Stream, device: *mut Device) -> c_int;
    fn ck_stream_handle(stream: *const Stream) -> *mut c_void;
    fn ck_stream_synchronize(stream: *mut Stream) -> c_int;
    fn ck_stream_free(stream: *mut Stream);
    fn ck_launch(kernel: *mut Kernel, shape: *const Shape, args: *const Arg, n_args: usize, stream: *mut c_void) -> c_int;
}

fn text(of: *const c_char) -> String {
    unsafe { CStr::from_ptr(of) }.to_string_lossy().into_owned()
}

fn check(ctx: *const Context, status: c_int) -> Result<(), String> {
    if status == 0 {
        return Ok(());
    }
    unsafe { Err(format!("{}: {}", text(ck_status_name(status)), text(ck_context_error(ctx)))) }
}

const SOURCE: &str = "@kernel\ndef scale(a: float32, x: float32[::1]):\n    i = grid(1)\n    if i < len(x):\n        x[i] = a * x[i]\n";

unsafe fn run(ctx: *mut Context, device_name: &str) -> Result<Vec<f32>, String> {
    const N: usize = 1000;
    let (mut module, mut device, mut kernel, mut buffer, mut stream) = (null_mut(), null_mut(), null_mut(), null_mut(), null_mut());
    let (device_name, kernel_name) = (CString::new(device_name).unwrap(), CString::new("scale").unwrap());
    let mut host: Vec<f32> = (0..N).map(|i| i as f32).collect();
    let bytes = N * size_of::<f32>();
    check(ctx, ck_compile(&mut module, ctx, SOURCE.as_ptr().cast(), SOURCE.len(), null()))?;
    check(ctx, ck_device_open(&mut device, ctx, device_name.as_ptr(), null()))?;
    check(ctx, ck_kernel_get(&mut kernel, module, device, kernel_name.as_ptr()))?;
    check(ctx, ck_buffer_new(&mut buffer, device, bytes))?;
    check(ctx, ck_stream_create(&mut stream, device))?;
    check(ctx, ck_buffer_write(buffer, 0, host.as_ptr().cast(), bytes))?;
    let array = ck_array_1d(ck_buffer_address(buffer), CK_FLOAT32, N as i64);
    let args = [Arg { scalar: CK_FLOAT32, value: Value { f: 2.5 } }, Arg { scalar: 0, value: Value { array: &array } }];
    let mut best = BestBlock { threads: 0, blocks: 0 };
    check(ctx, ck_kernel_best_block(&mut best, kernel, 0))?;
    let block = Dim3 { x: best.threads, y: 1, z: 1 };
    let grid = Dim3 { x: (N as u32).div_ceil(best.threads), y: 1, z: 1 };
    let handle = ck_stream_handle(stream);
    check(ctx, ck_launch(kernel, &Shape { grid, block, ..Default::default() }, args.as_ptr(), args.len(), handle))?;
    check(ctx, ck_buffer_read_async(buffer, 0, host.as_mut_ptr().cast(), bytes, handle))?;
    check(ctx, ck_stream_synchronize(stream))?;
    ck_stream_free(stream);
    ck_buffer_free(buffer);
    ck_module_free(module);
    ck_device_free(device);
    Ok(host)
}

fn main() {
    let device = std::env::args().nth(1).unwrap_or("auto".to_string());
    let mut ctx = null_mut();
    unsafe {
        assert_eq!(ck_context_new(&mut ctx, null()), 0);
        assert_eq!((text(ck_dtype_name(CK_FLOAT32)).as_str(), text(ck_dtype_name(CK_RECORD)).as_str()), ("float32", "record"));
        match run(ctx, &device) {
            Ok(host) => println!("x[999] = {}", host[999]),
            Err(error) => println!("{error}"),
        }
        ck_context_free(ctx);
    }
}
