import Keychains

/// Unlocks a keychain with the password of a login, for pam_exec(8), and exits.
func runPAMHelper() -> Never {
    runLoginUnlocking(
        name: "lanyard-pam",
        help: """
            usage: lanyard-pam [--service NAME]
                   lanyard-pam --help|--version

            Unlocks the keychain 'login' with the password of a login. pam_exec(8) starts
            it, with the lines
            auth [success=ignore default=1] pam_unix.so use_first_pass nodelay
            auth optional pam_exec.so expose_authtok quiet /usr/libexec/lanyard/lanyard-pam
            session optional pam_exec.so quiet /usr/libexec/lanyard/lanyard-pam

            example:
              pam-auth-update --enable lanyard
            """)
}
