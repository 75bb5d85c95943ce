import Glibc
import KeychainServices
import LinuxSystem

#if SecretService
import KeychainPlugin
import SecretServiceStore
#endif

let pluginName = "lanyard-keychain-secret-service"
private let help = """
    usage: \(pluginName) [--lock-on-signals|--help|--version]

    The plugin that stores lanyard's logins in the desktop's Secret Service.
    Lanyard starts it and talks to it on standard input. With --lock-on-signals it
    waits for logind instead, and locks keychains when the machine sleeps or the
    screen locks.

    examples:
      lanyard keychain create vault --kind secret-service --collection Vault
      systemctl --user enable --now lanyard-lock.service
    """

func runPlugin() {
    endInOneLineAtFaults(status: 1)
    do throws(KeychainError) {
        try hardenProcess()
    } catch {
        fail(error.reason)
    }
    switch CommandLine.arguments.dropFirst().first {
    case "--help", "-h": tell(help)
    case "--version", "-v": tell("\(pluginName) \(lanyardVersion)")
    case "--lock-on-signals": lockOnSignals()
    case nil: serve()
    default: fail("it takes no other arguments")
    }
}

private func serve() {
    #if SecretService
    servePlugin(kind: "secret-service") { _, settings in
        SecretServiceStore(collection: settings.last { $0.name == "collection" }?.value)
    }
    #else
    fail("this lanyard was built without the Secret Service")
    #endif
}

private func lockOnSignals() {
    #if SecretService
    do throws(KeychainError) {
        try LogindWatch.wait { event in
            do throws(KeychainError) {
                try runLockCommand(on: event.rawValue)
            } catch {
                report(error.reason)
            }
        }
    } catch {
        fail(error.reason)
    }
    #else
    fail("this lanyard was built without the Secret Service")
    #endif
}

private func tell(_ text: String) {
    do throws(SystemCallError) {
        try SystemCalls.writeAll(STDOUT_FILENO, Array("\(text)\n".utf8).span)
    } catch {
        fail("the answer can't be written: \(error.words)")
    }
}

private func fail(_ reason: String) -> Never {
    report(reason)
    exit(1)
}

private func report(_ reason: String) {
    let message = "lanyard: error: \(reason)\n"
    // Safe: the text's own bytes and count.
    _ = unsafe write(STDERR_FILENO, message, message.utf8.count)
}
