internal import KeychainServices
internal import PlainTextFormats
internal import StrictJSON
internal import ToolProfiles

extension JSONWriter {
    /// Writes a profile as an object. Part of the stable output: see lanyard-profile(1), "JSON".
    mutating func write(_ profile: ToolProfile, isOwn: Bool) throws(KeychainError) {
        try writeObject { writer throws(KeychainError) in
            try writer.member("name", ByteString(profile.name))
            try writer.member("own", isOwn as Bool?)
            try writer.member("programs", texts: profile.programs)
            try writer.member("items") { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    for item in profile.items {
                        try writer.writeObject { writer throws(KeychainError) in
                            try writer.member("name", ByteString(item.name))
                            try writer.member("optional", item.isOptional as Bool?)
                        }
                    }
                }
            }
            try writer.member("variables") { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    for variable in profile.variables {
                        try writer.writeObject { writer throws(KeychainError) in
                            try writer.member("name", ByteString(variable.name))
                            try writer.members(of: variable.value)
                            try writer.member("optional", variable.isOptional as Bool?)
                        }
                    }
                }
            }
            try writer.member("files") { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    for file in profile.files {
                        try writer.writeObject { writer throws(KeychainError) in
                            switch file.place {
                            case .variable(let name):
                                try writer.member("variable", ByteString(name))
                            case .argument(let argument):
                                try writer.member("argument", ByteString(argument))
                            }
                        }
                    }
                }
            }
            try writer.member("plain_text") { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    for file in profile.plainText {
                        try writer.writeObject { writer throws(KeychainError) in
                            try writer.member("path", ByteString("~/\(file.path)"))
                            try writer.member("format", ByteString(file.format.rawValue))
                        }
                    }
                }
            }
            try writer.member("sign_in", profile.signIn)
            try writer.member("sources", texts: profile.sources)
        }
    }

    private mutating func members(of value: ProfileValue) throws(KeychainError) {
        switch value {
        case .secret: try member("value", "secret")
        case .account: try member("value", "account")
        case .part(let part):
            try member("value", "part")
            try member("part", ByteString(part))
        case .text(let text):
            try member("value", "text")
            try member("text", ByteString(text))
        }
    }

    private mutating func member(
        _ name: ByteString, texts: [String]
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for text in texts {
                    try writer.write(ByteString(text))
                }
            }
        }
    }
}
