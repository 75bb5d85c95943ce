internal import LinuxSystem

/// Checks whether Lanyard's programs can keep secrets out of the swap space.
struct MemoryCheck: SingleCheck {
    static let name = "locked memory"

    func finding(_ context: DiagnosisContext) -> Finding? {
        guard !SystemCalls.canLockMemory() else {
            return nil
        }
        return Finding(
            .memoryNotLocked, "programs may lock no memory here (RLIMIT_MEMLOCK)",
            advice: "raise the limit: ulimit -l, LimitMEMLOCK= in a unit of systemd,"
                + " or docker run --ulimit memlock=-1")
    }
}
