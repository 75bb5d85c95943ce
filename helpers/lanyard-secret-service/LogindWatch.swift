#if SecretService
internal import CLibsecret
public import KeychainServices
internal import LinuxSystem

/// The signals of logind on the system bus that concern this user: the machine sleeps, or the screen was
/// locked.
@safe  // Safe: connection and loop are its own, and it stays until the process ends.
public final class LogindWatch {
    /// What a signal says.
    public enum Event: String, Sendable {
        /// The machine is about to sleep.
        case sleep
        /// The screen was locked.
        case screenLock = "screen-lock"
    }

    private let receive: (Event) -> Void
    private let bus: OpaquePointer
    private let loop: OpaquePointer
    /// Open while sleep waits for us; nil if logind refuses.
    private var delay: Descriptor?

    /// Waits for signals until the bus ends.
    ///
    /// - Parameter receive: Called for each of them; the machine sleeps when it returns.
    /// - Throws: ``Status/notAvailable`` without a system bus, or when it has ended.
    public static func wait(_ receive: @escaping (Event) -> Void) throws(KeychainError) -> Never {
        let signals = try LogindWatch(receive)
        signals.subscribe()
        // Safe: the loop is alive.
        unsafe g_main_loop_run(signals.loop)
        throw KeychainError(.notAvailable, "the system bus has ended")
    }

    private init(_ receive: @escaping (Event) -> Void) throws(KeychainError) {
        self.receive = receive
        // Safe: the reference is ours.
        guard let bus = unsafe g_bus_get_sync(G_BUS_TYPE_SYSTEM, nil, nil) else {
            throw KeychainError(.notAvailable, "the system bus can't be reached")
        }
        unsafe self.bus = bus
        unsafe loop = g_main_loop_new(nil, 0)
    }

    private func subscribe() {
        // Safe: this object stays until the process ends.
        let data = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe lanyard_subscribe_logind(
            bus,
            { _, _, path, _, signal, arguments, data in
                let signals = unsafe Unmanaged<LogindWatch>.fromOpaque(data!)
                    .takeUnretainedValue()
                unsafe signals.take(String(cString: signal!), path!, arguments!)
            },
            { _, _, _, data in
                let signals = unsafe Unmanaged<LogindWatch>.fromOpaque(data!)
                    .takeUnretainedValue()
                unsafe g_main_loop_quit(signals.loop)
            }, data)
        delaySleep()
    }

    /// - Parameter path: The session's object, or the manager's.
    @unsafe  // Safe: GLib owns what a signal brings, for the time of the call.
    private func take(
        _ signal: String, _ path: UnsafePointer<CChar>, _ arguments: OpaquePointer
    ) {
        // Safe: as the caller promises.
        switch signal {
        case "PrepareForSleep":
            if unsafe lanyard_begins(arguments) != 0 {
                receive(.sleep)
                delay = nil
            } else {
                delaySleep()
            }
        // Safe: as the caller promises.
        case "PropertiesChanged" where unsafe lanyard_says_locked(arguments) == 0: break
        default:
            // Safe: the connection is alive, and the path ends with NUL.
            if unsafe lanyard_is_session_of(bus, path, SystemCalls.effectiveUser) != 0 {
                receive(.screenLock)
            }
        }
    }

    private func delaySleep() {
        // Safe: the connection is alive.
        let descriptor = unsafe lanyard_delay_sleep(bus)
        delay = descriptor == -1 ? nil : Descriptor(owning: descriptor)
    }
}
#endif
