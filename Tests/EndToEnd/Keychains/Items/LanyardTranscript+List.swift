@testable import EndToEndRig

extension LanyardTranscript {
    private static let several = """
        lanyard keychain create work
        printf s | lanyard set https://ada@example.com --stdin
        printf s | lanyard set https://bob@git.example.com:8443/a --stdin --group git
        printf s | lanyard set https://ada@notexample.com --stdin
        printf s | lanyard set backup ada --stdin
        printf s | lanyard set wi-fi --stdin --keychain work
        """

    /// The filters of list.
    static let lists = [
        Self(
            "--server means a host and those below it", before: several,
            "lanyard list --server Example.COM",
            output: """
                GROUP  NAME                            ACCOUNT  CHANGED
                git    https://git.example.com:8443/a  bob      TIME
                login  https://example.com             ada      TIME

                """),
        Self(
            "… a port is that of the item", before: several,
            "lanyard list --server git.example.com:8443; lanyard list --server git.example.com:443",
            output: """
                GROUP  NAME                            ACCOUNT  CHANGED
                git    https://git.example.com:8443/a  bob      TIME

                """),
        Self(
            "--account is to the letter, of every class", before: several,
            "lanyard list --account ada; lanyard list --account Ada",
            output: """
                GROUP  NAME                    ACCOUNT  CHANGED
                login  https://notexample.com  ada      TIME
                login  https://example.com     ada      TIME
                login  backup                  ada      TIME

                """),
        Self(
            "… and an empty one means items without", before: several,
            "lanyard list --keychain work --account ''",
            output: """
                GROUP  NAME   ACCOUNT  CHANGED
                login  wi-fi           TIME

                """),
        Self(
            "filters narrow together, with --json too", before: several,
            "lanyard list --json --group login --account ada --server example.com | "
                + "grep -o '\"name\":\"[^\"]*\"'",
            output: "\"name\":\"https://example.com\"\n"),
        Self(
            "--server needs a host", before: several, "lanyard list --server https://example.com",
            error: """
                lanyard: error: --server needs a host
                lanyard: hint: for example example.com, or localhost:5000

                """, status: 64),
        Self(
            "nothing that has expired is nothing", before: several, "lanyard list --expired"),
    ]
}
