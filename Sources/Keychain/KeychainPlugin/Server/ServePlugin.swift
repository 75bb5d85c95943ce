internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// Serves a keychain to the helper that started this program, until the helper closes the
/// connection: a complete plugin except for the keychain. The man page lanyard-plugin(7) describes
/// the protocol.
///
/// The program must end soon after this returns. If the helper ends while the keychain is busy, for
/// example waiting for the user, this process is ended a second later. (`PR_SET_PDEATHSIG` would do
/// so when the thread that started the plugin ends, perhaps before the helper, and would leave no
/// second for an orderly end.)
///
/// - Parameters:
///   - kind: The kind of keychain, for the helper.
///   - input: The descriptor to read requests from, usually 0.
///   - output: The descriptor to write answers to, usually 1.
///   - transactions: Whether the keychain can undo the changes of a transaction.
///   - open: Gets the keychain's name and configuration. It must be quick: slow work belongs to the
///     first request that needs it. Its error is sent to the helper.
public func servePlugin<Served: ServedKeychain>(
    kind: String, input: Int32 = 0, output: Int32 = 1, transactions: Bool = true,
    open: (
        _ keychain: String, _ settings: [(name: String, value: String)]
    ) throws(KeychainError) -> Served
) {
    // When run by hand, requests may come from a file or a pipe that ends long before the last
    // answer.
    if SystemCalls.isSocket(input) {
        HangUpWatch.start(input) {
            SystemCalls.sleep(milliseconds: 1000)
            _exit(1)
        }
    }
    withoutActuallyEscaping(open) { open in
        let server = PluginServer(
            kind: kind, input: input, output: output, transactions: transactions, open: open)
        server.run()
    }
}
