import SecretServiceProvider

private let name = "lanyard-secret-service"
private let help = """
    usage: \(name) [--exit-when-idle] [--replace]
           \(name) --help|--version

    The Secret Service (org.freedesktop.secrets) with encrypted keychains behind
    it, for machines without a desktop. It runs until a signal ends it, with
    --exit-when-idle until no program has used it for a minute. With --replace it
    takes over from a service that allows that.

    examples:
      lanyard setup secret-service
      lanyard exec --secret-service -- gh auth login
    """

func runService() -> Never {
    runSecretService(name: name, help: help)
}
