internal import KeychainServices
internal import PlainTextFormats
internal import StrictJSON
internal import ToolCatalog

extension JSONWriter {
    /// Writes a profile as an object. Part of the stable output: see lanyard-profile(1), "JSON".
    mutating func write(_ profile: ToolProfile, isOwn: Bool) throws(KeychainError) {
        try writeObject { writer throws(KeychainError) in
            try writer.member("name", ByteString(profile.name))
            try writer.member("own", isOwn)
            try writer.member("programs", profile.programs)
            try writer.member(objects: "items", of: profile.items) {
                writer, item throws(KeychainError) in
                try writer.member("name", ByteString(item.name))
                try writer.member("optional", item.isOptional)
            }
            try writer.member(objects: "variables", of: profile.variables) {
                writer, variable throws(KeychainError) in
                try writer.member("name", ByteString(variable.name))
                try writer.members(of: variable.value)
                try writer.member("optional", variable.isOptional)
            }
            try writer.member(objects: "files", of: profile.files) {
                writer, file throws(KeychainError) in
                switch file.place {
                case .variable(let name): try writer.member("variable", name)
                case .argument(let argument): try writer.member("argument", argument)
                }
            }
            try writer.member(objects: "plain_text", of: profile.plainText) {
                writer, file throws(KeychainError) in
                try writer.member("path", ByteString("~/\(file.path)"))
                try writer.member("format", ByteString(file.format.rawValue))
            }
            try writer.member("scope", profile.scope?.word)
            try writer.member("scope_names", profile.scope?.names ?? [])
            try writer.member("sign_in", profile.signIn)
            try writer.member("sources", profile.sources)
        }
    }

    private mutating func members(of value: ProfileValue) throws(KeychainError) {
        switch value {
        case .secret: try member("value", "secret")
        case .account: try member("value", "account")
        case .scope: try member("value", "scope")
        case .part(let part):
            try member("value", "part")
            try member("part", ByteString(part))
        case .text(let text):
            try member("value", "text")
            try member("text", ByteString(text))
        }
    }
}
