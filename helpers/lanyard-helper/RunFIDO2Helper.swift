import KeychainPlugin

/// Asks for the touch of a security key, and exits.
func runFIDO2Helper() -> Never {
    runFIDO2Presence(
        name: "lanyard-presence-fido2",
        help: """
            usage: lanyard-presence-fido2 [--help|--version]

            Asks for the touch of a FIDO2 security key. Lanyard starts it for items that ask
            at each use, and talks to it on standard input as lanyard-plugin(7) describes.

            example:
              lanyard presence add
            """)
}
