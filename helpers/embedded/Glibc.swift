internal import Glibc

// What Swift's own module Glibc adds to the C library: macros that are expressions, and variadic functions.

var errno: Int32 {
    // Safe: each thread has an errno.
    get { unsafe __errno_location().pointee }
    set { unsafe __errno_location().pointee = newValue }
}

func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 {
    lanyard_fcntl(descriptor, command, 0)
}

func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 {
    lanyard_fcntl(descriptor, command, Int(value))
}

func fcntl(_ descriptor: Int32, _ command: Int32, _ value: UnsafeMutableRawPointer) -> Int32 {
    // Safe: as the caller says.
    unsafe lanyard_fcntl_pointer(descriptor, command, value)
}

func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    // Safe: as the caller says.
    unsafe lanyard_open(path, flags, mode)
}

func openat(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t = 0
) -> Int32 {
    // Safe: as the caller says.
    unsafe lanyard_openat(folder, path, flags, mode)
}

func ioctl(_ descriptor: Int32, _ request: UInt, _ value: Int32) -> Int32 {
    lanyard_ioctl(descriptor, request, Int(value))
}

func ioctl(_ descriptor: Int32, _ request: UInt, _ value: UnsafeMutableRawPointer) -> Int32 {
    // Safe: as the caller says.
    unsafe lanyard_ioctl_pointer(descriptor, request, value)
}

var SIG_DFL: __sighandler_t? { nil }
// Safe: a number that signal(2) takes for a function.
var SIG_IGN: __sighandler_t { unsafe unsafeBitCast(1, to: __sighandler_t.self) }

var S_IFMT: mode_t { 0o170000 }
var S_IFIFO: mode_t { 0o010000 }
var S_IFCHR: mode_t { 0o020000 }
var S_IFDIR: mode_t { 0o040000 }
var S_IFREG: mode_t { 0o100000 }
var S_IFLNK: mode_t { 0o120000 }
var S_IFSOCK: mode_t { 0o140000 }
var S_ISVTX: mode_t { 0o1000 }
