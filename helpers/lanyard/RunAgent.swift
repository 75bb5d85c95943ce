import SSHAgent

let agentName = "lanyard-ssh-agent"

private let help = """
    usage: \(agentName) [--socket PATH] [--keychain NAME]
           \(agentName) --help|--version

    An SSH agent that signs with the private keys in an encrypted keychain. It runs
    until a signal ends it.

    examples:
      systemctl --user enable --now lanyard-ssh-agent.socket
      export SSH_AUTH_SOCK="$XDG_RUNTIME_DIR/lanyard/ssh-agent.socket"
    """

func runAgent() -> Never {
    runSSHAgent(name: agentName, help: help)
}
