internal import KeychainServices

/// Files in which other programs store the items of a Secret Service that does not run now.
enum KeyringFiles {
    /// Items in a folder.
    struct Items {
        /// How many; nil if a file does not tell.
        var count: Int? = 0
        let folder: String
    }

    /// Returns the items that a program would offer, nil if it has none here.
    ///
    /// - Parameter program: The name of the program.
    static func items(of program: String, _ environment: SetupEnvironment) -> Items? {
        guard let data = try? environment.userData() else {
            return nil
        }
        var items: Items
        if program.contains("keyring") || program.contains("oo7") {
            items = Items(folder: "\(data)/keyrings")
            for file in files(items.folder, ".keyring") {
                items.add(count((try? TargetFile(file))?.bytes ?? ""))
            }
            // oo7's own form.
            if !files("\(items.folder)/v1", ".keyring").isEmpty {
                items.add(nil)
            }
        } else if program.contains("kwallet") || program.contains("ksecret") {
            items = Items(folder: "\(data)/kwalletd")
            if !files(items.folder, ".kwl").isEmpty {
                items.add(nil)
            }
        } else {
            return nil
        }
        return items.count == 0 ? nil : items
    }

    private static func files(_ folder: String, _ suffix: String) -> [String] {
        FolderListing.names(folder).filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
    }

    /// Counts the items in a file of gnome-keyring's; nil if it has another form.
    ///
    /// An encrypted file has the number before the encrypted part (gnome-keyring, `docs/file-format.txt`); a
    /// file without a password is text with a section `[N]` for each item.
    static func count(_ bytes: FileBytes) -> Int? {
        guard bytes.starts(with: "GnomeKeyring\n\r\0\n".utf8) else {
            return bytes.starts(with: "[keyring]".utf8)
                ? bytes.split(separator: 0x0A).count(where: isItem) : nil
        }
        // Version, crypto and hash have a byte each, two in all for the version; then follows the name.
        var place = 16 + 4
        guard let length = number(bytes, at: place) else {
            return nil
        }
        place += 4 + (length == 0xFFFF_FFFF ? 0 : length)
        // Two dates, flags, a time-out, iterations, a salt and four reserved numbers.
        return number(bytes, at: place + 8 + 8 + 4 + 4 + 4 + 8 + 16)
    }

    private static func isItem(_ line: FileBytes) -> Bool {
        line.first == UInt8(ascii: "[") && line.last == UInt8(ascii: "]") && line.count > 2
            && line.dropFirst().dropLast().allSatisfy(\.isDigit)
    }

    private static func number(_ bytes: FileBytes, at place: Int) -> Int? {
        guard place <= bytes.count - 4 else {
            return nil
        }
        return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}

extension KeyringFiles.Items {
    fileprivate mutating func add(_ number: Int?) {
        count = count.flatMap { count in number.map { count + $0 } }
    }
}
