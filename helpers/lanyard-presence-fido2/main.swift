import FIDO2Presence

let name = "lanyard-presence-fido2"
let help = """
    usage: \(name) [--help|--version]

    Asks for the touch of a FIDO2 security key. Lanyard starts it for items that ask
    at each use, and talks to it on standard input as lanyard-plugin(7) describes.

    example:
      lanyard presence add
    """

runFIDO2Presence(name: name, help: help)
