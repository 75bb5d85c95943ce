package import LanyardSecrets

/// Combines the words of .netrc into entries.
package struct NetrcParser {
    /// All entries, in the file's order.
    package private(set) var entries: [NetrcEntry] = []

    /// What is wrong first: text outside of every entry that starts none, a machine without a name, or an
    /// unterminated quotation mark.
    package var problem: KeychainError? { scanner.problem }

    private var scanner = NetrcScanner()
    /// The machine or default that the current words belong to.
    private var current: NetrcEntry?
    /// Its last word or value.
    private var last: NetrcToken?
    /// Its first word.
    private var first: NetrcToken?

    /// Reads a file.
    package init(_ text: Span<UInt8>) {
        while let word = scanner.next(in: text, isValue: false) {
            let bytes = text.extracting(word.inner)
            if bytes.equalsIgnoringCase("machine") {
                finish(in: text, next: word)
                if let name = name(in: text, of: "a machine", word) {
                    begin(.machine(name), word, last: name)
                }
            } else if bytes.equalsIgnoringCase("default") {
                finish(in: text, next: word)
                begin(.default, word, last: word)
            } else if bytes.equalsIgnoringCase("macdef") {
                finishBeforeMacro()
                takeMacro(word, in: text)
            } else {
                takeField(word, in: text)
            }
        }
        finish(in: text, next: nil)
    }

    private mutating func name(
        in text: Span<UInt8>, of what: String, _ word: NetrcToken
    ) -> NetrcToken? {
        let name = scanner.next(in: text, isValue: true)
        if name == nil {
            scanner.note("line \(word.line) has \(what) without a name")
        }
        return name
    }

    private mutating func begin(_ kind: NetrcEntry.Kind, _ word: NetrcToken, last: NetrcToken) {
        current = NetrcEntry(kind: kind, line: word.line, range: word.range)
        first = word
        self.last = last
    }

    private mutating func takeField(_ word: NetrcToken, in text: Span<UInt8>) {
        guard current != nil else {
            scanner.note("line \(word.line) is outside any 'machine'")
            return
        }
        last = word
        let bytes = text.extracting(word.inner)
        let isLogin = bytes.equalsIgnoringCase("login")
        let isPassword = bytes.equalsIgnoringCase("password")
        let isAccount = bytes.equalsIgnoringCase("account")
        guard isLogin || isPassword || isAccount,
            let value = scanner.next(in: text, isValue: true)
        else {
            current?.hasOtherWords = true
            return
        }
        last = value
        if isLogin {
            current?.logins.append(value)
        } else if isPassword {
            current?.passwords.append(value)
        } else {
            current?.hasAccount = true
        }
    }

    private mutating func takeMacro(_ word: NetrcToken, in text: Span<UInt8>) {
        _ = name(in: text, of: "a macro", word)
        scanner.skipMacro(in: text)
        var end = scanner.position
        // The next line remains a separate line.
        if !word.startsLine, text[end - 1] == 0x0A {
            end -= 1
        }
        entries.append(
            NetrcEntry(kind: .macro, line: word.line, range: word.range.lowerBound..<end))
    }

    /// Ends the entry before a word that starts another one, or at the end of the file.
    ///
    /// If the entry starts a line, its range includes the spaces before it and all of its last line, even a
    /// comment, unless another entry starts on that line.
    private mutating func finish(in text: Span<UInt8>, next: NetrcToken?) {
        guard let first, let last else {
            return
        }
        let start =
            first.startsLine ? text.startOfLine(first.range.lowerBound) : first.range.lowerBound
        // Only up to the next word: otherwise, many entries on one line would take long.
        let limit = next?.range.lowerBound ?? text.count
        let rest = text.extracting(last.range.upperBound..<limit)
        let lineEnd = rest.firstIndex(of: 0x0A).map { last.range.upperBound + $0 }
        let end = lineEnd.map { first.startsLine ? $0 + 1 : $0 } ?? limit
        append(range: start..<end)
    }

    /// Ends the entry before a macro, which ftp takes as part of the machine. The machine's name remains;
    /// otherwise the macro would move to another machine.
    private mutating func finishBeforeMacro() {
        guard let first, let last, let current else {
            return
        }
        var name = first
        if case .machine(let token) = current.kind {
            name = token
        }
        // Without quotation marks it needs the space after it.
        let start = name.range.upperBound + (name.isQuoted ? 0 : 1)
        append(range: start..<max(start, last.range.upperBound))
    }

    private mutating func append(range: Range<Int>) {
        if var entry = current, entry.saysSomething {
            entry.range = range
            entries.append(entry)
        }
        current = nil
        first = nil
        last = nil
    }
}

extension Span where Element == UInt8 {
    /// Returns the start of a byte's line if only white space precedes the byte there.
    fileprivate func startOfLine(_ index: Int) -> Int {
        var start = index
        while start > 0, self[start - 1].isWhitespace, self[start - 1] != 0x0A {
            start -= 1
        }
        return start
    }
}
