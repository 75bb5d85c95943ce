#if SecretService
internal import CGLib
internal import Configuration
internal import Glibc
internal import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import Prompting

/// The name of this service beside its usual one: who has both is Lanyard.
private let ownName = "org.lanyard.SecretService"

/// Serves clients until a signal, the bus or idleness ends it.
///
/// - Throws: ``Status/notAvailable`` without a bus, or if another program is the Secret Service.
func serve(_ options: ServiceInvocation.Options) throws(KeychainError) {
    lanyard_wipe_freed_memory()
    // The user is not asked in this process.
    Keychain.isUserInteractionAllowed = false
    guard options.hasPrivateBus else {
        guard let address = SessionBus.address else {
            throw KeychainError(
                .notAvailable, "there is no message bus: DBUS_SESSION_BUS_ADDRESS is not set",
                hint: "lanyard exec --secret-service -- COMMAND makes a bus of its own")
        }
        return try serve(options, at: address) { () throws(KeychainError) in }
    }
    lanyard_end_with_parent()
    let bus = try PrivateBus()
    defer { bus.end() }
    try serve(options, at: bus.address) { () throws(KeychainError) in
        try writeAnswer(Secret("\(bus.address)\n"))
    }
}

/// - Parameter begin: Called once clients find the service.
private func serve(
    _ options: ServiceInvocation.Options, at address: String,
    _ begin: () throws(KeychainError) -> Void
) throws(KeychainError) {
    let connection = try BusConnection(address: address)
    let service = try SecretService(connection)
    let usualName = "org.freedesktop.secrets"
    let name =
        options.hasPrivateBus
        ? usualName : try Environment.value("SECRET_SERVICE_BUS_NAME") ?? usualName
    _ = connection.request(ownName, waits: true)
    guard case .owned = connection.request(name, replaces: options.replaces) else {
        throw KeychainError(
            .notAvailable, "another program is the Secret Service: it has the name \(name)",
            hint: "lanyard doctor tells which one")
    }
    MainLoop.stop(onSignals: [SIGTERM, SIGINT, SIGHUP])
    if options.exitsWhenIdle {
        endWhenIdle(service)
    }
    try begin()
    MainLoop.run()
    // What arrives from now on starts the service anew; what has arrived is answered.
    connection.release(name)
    MainLoop.takeWhatIsThere()
    connection.flush()
}

/// In milliseconds.
private let idleTime: Int64 = 60_000

/// Ends the loop after a minute without calls and without clients.
private func endWhenIdle(_ service: SecretService) {
    let rest = service.lastCall + idleTime - SystemCalls.monotonicMilliseconds()
    guard rest > 0 || !service.isIdle else {
        return MainLoop.stop()
    }
    let wait = rest > 0 ? rest : idleTime
    MainLoop.after(milliseconds: UInt32(clamping: wait)) { endWhenIdle(service) }
}
#endif
