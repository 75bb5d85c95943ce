internal import KeychainServices
internal import StrictJSON

extension JSONWriter {
    /// Writes a request: the common members, then its own.
    mutating func writeRequest(
        _ id: Int64, _ method: PluginMethod, _ terms: PluginConversation.Terms,
        _ parameters: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try writeObject { writer throws(KeychainError) in
            try writer.member("id", id)
            try writer.member("method", ByteString(method.rawValue))
            try writer.member("prompt", terms.isPromptAllowed)
            try writer.member("timeout", terms.milliseconds)
            try parameters(&writer)
        }
    }

    mutating func members(
        hello keychain: String, _ settings: [(name: String, value: String)]
    ) throws(KeychainError) {
        try member(array: "versions", of: [PluginProtocol.version]) {
            writer, version throws(KeychainError) in
            try writer.write(version)
        }
        try member("keychain", ByteString(keychain))
        try member(object: "settings") { writer throws(KeychainError) in
            for (index, setting) in settings.enumerated()
            where !settings[(index + 1)...].contains(where: { $0.name == setting.name }) {
                try writer.member(ByteString(setting.name), ByteString(setting.value))
            }
        }
    }

    mutating func members(_ status: PluginStatus) throws(KeychainError) {
        try member("isLocked", status.isLocked)
        try member("canPrompt", status.canPrompt)
        try member("place", ByteString(status.place))
        try member("outlastsReboot", status.outlastsReboot)
    }

    /// Writes as many items' names as an answer has room for.
    mutating func members(skipped names: [String]) throws(KeychainError) {
        try member(
            "names",
            names.prefix(PluginProtocol.nameCount).map {
                ByteString(String($0.unicodeScalars.prefix(200)))
            })
    }
}

// The content of the member `result`.
extension JSONReader {
    mutating func readHello() throws(KeychainError) -> PluginGreeting {
        var version: Int64?
        var hasTransactions = false
        var keepsDates = false
        var knowsAccessGroups = false
        var knowsQueryOptions = false
        try readObject { name, reader throws(KeychainError) in
            switch name {
            case "version": version = try reader.readInteger()
            case "transactions": hasTransactions = try reader.readBool()
            case "dates": keepsDates = try reader.readBool()
            case "accessGroups": knowsAccessGroups = try reader.readBool()
            case "queryOptions": knowsQueryOptions = try reader.readBool()
            default: break
            }
        }
        return PluginGreeting(
            version: try required(version, "version"), hasTransactions: hasTransactions,
            keepsDates: keepsDates, knowsAccessGroups: knowsAccessGroups,
            knowsQueryOptions: knowsQueryOptions)
    }

    mutating func readStatus() throws(KeychainError) -> PluginStatus {
        var isLocked: Bool?
        var canPrompt: Bool?
        var place: String?
        var outlastsReboot: Bool?
        try readObject { name, reader throws(KeychainError) in
            switch name {
            case "isLocked": isLocked = try reader.readBool()
            case "canPrompt": canPrompt = try reader.readBool()
            case "place": place = try reader.readWords()
            case "outlastsReboot": outlastsReboot = try reader.readBool()
            default: break
            }
        }
        return PluginStatus(
            isLocked: try required(isLocked, "isLocked"),
            canPrompt: try required(canPrompt, "canPrompt"),
            place: try required(place, "place"),
            outlastsReboot: try required(outlastsReboot, "outlastsReboot"))
    }

    mutating func readSkipped() throws(KeychainError) -> [String] {
        var names: [String] = []
        try readObject { name, reader throws(KeychainError) in
            if name == "names" {
                try reader.readArray { reader throws(KeychainError) in
                    names.append(try reader.readWords())
                }
            }
        }
        return names
    }

    mutating func readAdded() throws(KeychainError) -> ItemID {
        var id: ItemID?
        try readObject { name, reader throws(KeychainError) in
            if name == "reference" {
                id = try reader.readItemID()
            }
        }
        return try required(id, "reference")
    }

    mutating func readCount() throws(KeychainError) -> Int {
        var count: UInt32?
        try readObject { name, reader throws(KeychainError) in
            if name == "count" {
                count = try reader.readNumber()
            }
        }
        return Int(try required(count, "count"))
    }
}
