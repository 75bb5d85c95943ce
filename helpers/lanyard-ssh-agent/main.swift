import SSHAgent

let name = "lanyard-ssh-agent"
let help = """
    usage: \(name) [--socket PATH] [--keychain NAME]
           \(name) --help|--version

    An SSH agent that signs with the private keys in an encrypted keychain. It runs
    until a signal ends it.

    examples:
      systemctl --user enable --now lanyard-ssh-agent.socket
      export SSH_AUTH_SOCK="$XDG_RUNTIME_DIR/lanyard/ssh-agent.socket"
    """

runSSHAgent(name: name, help: help)
