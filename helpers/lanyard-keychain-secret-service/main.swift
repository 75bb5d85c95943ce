import Glibc
import LinuxSystem

#if SecretService
import Keychain
import KeychainPlugin
import SecretServiceStore
#endif

let name = "lanyard-keychain-secret-service"
let help = """
    usage: \(name) [--help|--version]

    The plugin by which lanyard keeps logins in the desktop's Secret Service. Lanyard starts it, and
    speaks with it on its standard input.
    """

switch CommandLine.arguments.dropFirst().first {
case "--help", "-h": print(help)
case "--version", "-v": print("\(name) \(version)")
case nil: serve()
default: fail("it takes no arguments")
}

func serve() {
    #if SecretService
    do throws(KeychainError) {
        try hardenProcess()
        servePlugin(kind: "secret-service") { _, settings in
            let store = SecretServiceStore(
                collection: settings.last { $0.name == "collection" }?.value)
            store.connectAhead()
            return store
        }
    } catch {
        fail(error.reason)
    }
    #else
    fail("this lanyard was built without the Secret Service")
    #endif
}

func fail(_ reason: String) -> Never {
    let message = "lanyard: error: \(reason)\n"
    // Safe: the text's own bytes and count.
    _ = unsafe write(STDERR_FILENO, message, message.utf8.count)
    exit(1)
}
