#if SecretService
internal import CGLib
internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import LanyardPrompting

/// The name of this service beside its usual one: who has both is Lanyard.
let ownName = "org.lanyard.SecretService"

/// The name by which clients find the service.
let usualName = "org.freedesktop.secrets"

/// Serves clients until a signal, the bus or idleness ends it.
///
/// - Throws: ``Status/notAvailable`` without a bus, or if another program is the Secret Service.
func serve(_ options: ServiceInvocation.Options) throws(KeychainError) {
    lanyard_wipe_freed_memory()
    // The user is not asked in this process.
    Keychain.isUserInteractionAllowed = false
    guard let owner = options.privateBusOwner else {
        return try serve(options, on: sessionBus()) { () throws(KeychainError) in }
    }
    // A child would surprise a program that waits for all of its own.
    guard lanyard_leave_parent() == 0 else {
        throw KeychainError(.io, "the Secret Service can't get a process of its own")
    }
    let ownerEnds = lanyard_pidfd_open(owner)
    guard ownerEnds >= 0 else {
        throw KeychainError(
            .notAvailable, "the end of the program can't be waited for: this takes Linux 5.3")
    }
    _ = MainLoop.whenReadable(ownerEnds) {
        MainLoop.stop()
        return false
    }
    let bus = try PrivateBus()
    defer { bus.end() }
    try serve(options, on: bus.connect()) { () throws(KeychainError) in
        try writeAnswer(Secret("\(bus.address)\n"))
    }
}

/// Connects to the session's bus.
func sessionBus() throws(KeychainError) -> ProviderConnection {
    guard let address = SessionBus.address else {
        throw KeychainError(
            .notAvailable, "there is no message bus: DBUS_SESSION_BUS_ADDRESS is not set",
            hint: "lanyard exec --secret-service -- COMMAND makes a bus of its own")
    }
    return try ProviderConnection(address: address)
}

/// - Parameter begin: Called once clients find the service.
private func serve(
    _ options: ServiceInvocation.Options, on connection: ProviderConnection,
    _ begin: () throws(KeychainError) -> Void
) throws(KeychainError) {
    let service = try SecretService(connection, options.scope)
    let name =
        options.privateBusOwner != nil
        ? usualName : try Environment.value("SECRET_SERVICE_BUS_NAME") ?? usualName
    // Who sees the name may end the service.
    var isSignaled = false
    for signal in [SIGTERM, SIGINT, SIGHUP] {
        MainLoop.whenSignaled(signal) {
            isSignaled = true
            MainLoop.stop()
        }
    }
    _ = connection.request(ownName, waits: true)
    guard case .owned = connection.request(name, replaces: options.replaces) else {
        throw KeychainError(
            .notAvailable, "another program is the Secret Service: it has the name \(name)",
            hint: "lanyard doctor tells which one")
    }
    let idleness = options.idleSeconds.map { Idleness(of: service, seconds: $0) }
    try begin()
    var goesOn = true
    while goesOn {
        idleness?.wait()
        MainLoop.run()
        // What arrives from now on starts the service anew; what has arrived is answered.
        connection.release(name)
        MainLoop.takeWhatIsThere()
        connection.flush()
        // A client that has just opened a session needs it.
        goesOn = !isSignaled && idleness?.hasEndedLoop == true && !service.isIdle
        if goesOn, case .owned = connection.request(name) {} else { goesOn = false }
    }
    BackgroundExchange.start()
}

/// Ends the loop after some time without calls and without clients.
private final class Idleness {
    private let service: SecretService
    /// In milliseconds.
    private let limit: Int64
    /// Whether it, and no signal, has ended the loop.
    private(set) var hasEndedLoop = false

    init(of service: SecretService, seconds: UInt32) {
        self.service = service
        limit = Int64(seconds) * 1_000
    }

    func wait() {
        hasEndedLoop = false
        let rest = service.lastCall + limit - SystemCalls.monotonicMilliseconds()
        let time = max(rest > 0 ? rest : limit, Idleness.shortest)
        MainLoop.after(milliseconds: UInt32(clamping: time)) { [self] in
            let rest = service.lastCall + limit - SystemCalls.monotonicMilliseconds()
            guard rest <= 0, service.isIdle else {
                return wait()
            }
            hasEndedLoop = true
            MainLoop.stop()
        }
    }

    /// The shortest time between two looks, in milliseconds.
    private static let shortest: Int64 = 100
}
#endif
