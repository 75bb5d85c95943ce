internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// Serves a keychain to the helper that started this program, until the helper closes the connection:
/// the whole of a plugin but for the keychain itself. The protocol is described in lanyard-plugin(7).
///
/// The program has to end soon after this returns. If the helper goes away while the keychain is
/// busy, for example with a person who does not answer, the process is ended a second later.
/// (`PR_SET_PDEATHSIG` would do so at the end of the thread that started the plugin, which need not be
/// the end of the helper; and it would leave no second to end by itself.)
///
/// - Parameters:
///   - kind: The kind of keychain that it is, told to the helper.
///   - input: The descriptor to read requests from, by custom 0.
///   - output: The descriptor to write answers to, by custom 1.
///   - transactions: Whether the keychain can take back what was done in a transaction.
///   - open: Gets the keychain's name and what is configured for it. It has to be quick: what takes
///     time belongs to the first request that needs it. What it throws is answered to the helper.
public func servePlugin<Served: ServedKeychain>(
    kind: String, input: Int32 = 0, output: Int32 = 1, transactions: Bool = true,
    open: (
        _ keychain: String, _ settings: [(name: String, value: String)]
    ) throws(KeychainError) -> Served
) {
    // By hand, requests may come from a file or a pipe that ends long before the last answer.
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
