import TestSupport

/// Improbable configuration files, put together at random from what means something.
enum OddFile {
    private static let pieces = [
        "[a]", "[A.b]", "[a \"b\"]", "[lanyard]", "[keychain \"w\"]", "[keychain.w]", "[", "]",
        "k = 1", "default=x", "K", "key", "-1", "=", " = ", "\"", "\"", "\\", "\\n", "\\t", "\\\"",
        "\\\\", "\\\n", "\\\r\n", "\n", "\n", "\n", "\n\t", "\r\n", "\r", "\t", " ", "  ", "#", ";",
        "# note", "; note\n", "ä", "𝄞", "v w", ".", "\u{B}", "\"q # q\"", "\u{FEFF}",
    ]

    private static let lines = [
        "[a]\n", "[lanyard]\n", "[lanyard] # ours\n", "[keychain \"w\"]\n", "[keychain.W]\r\n",
        "[A \"B\\\"c\"]\n", "\tk = 1\n", "\tdefault = x ; note\n", "default\n",
        "default=\"a b\" \n",
        "file = /a\\\n  b # c\n", "file = # none\n", "  # note\n", "; note\r\n", "\n", "\r\n",
        "[a] default = one\n", "[lanyard] default = two # note\n", "[a][lanyard]default=three\n",
        "\tkey\n", "\taccessible = ak\r\n", "k = a\\\n", "k = \"  \" \n",
    ]

    static func random(_ random: inout SeededRandom) -> [UInt8] {
        var text = random.element(of: ["", "", "", "\u{FEFF}"])
        text += random.element(of: ["[a]", "[a]\n", "[lanyard]\n", "# note\n[a]\r\n", ""])
        for _ in 0..<random.number(below: 12) {
            let isWhole = random.number(below: 3) > 0
            text += random.element(of: isWhole ? lines : pieces)
        }
        // As if the last newline, or more, had not been written.
        var bytes = Array(text.utf8)
        while !bytes.isEmpty,
            random.number(below: 3) == 0 || String(validating: bytes, as: UTF8.self) == nil
        {
            bytes.removeLast()
        }
        return bytes
    }
}
