import KeychainServices

@testable import LanyardCryptography
@testable import LanyardTransfer

/// An encrypted export: its passphrase never costs more than it may, and nothing comes out but what was
/// put in.
enum SealedExportTarget: FuzzTarget {
    static let name = "sealed-export"

    private static let key = [UInt8](0x20..<0x40)
    private static let header = ExportHeader(
        PassphraseStretching(salt: [UInt8](0x80..<0x90)))

    static func run(_ input: [UInt8]) {
        let header = attempt { () throws(KeychainError) in
            try ExportHeader(decoding: input.span)
        }
        if let header {
            check(
                input.starts(with: header.encoded), "what is accepted is not what would be written")
            let memory = UInt64(header.stretching.memory)
            let passes = UInt64(header.stretching.passes)
            check(
                (32768...262_144).contains(memory) && passes >= 1
                    && memory * passes <= 2 * 3 * 131_072,
                "the passphrase's key would take more than it may")
            check(
                SealedExport.isSealed(Secret(copying: input.span)), "it does not begin as it should"
            )
        }
        // Behind a valid start, to reach the chunks.
        let start = bytes(sealing: [])[..<(ExportHeader.size + ExportHeader.authenticationSize)]
        check(open(start + input) == nil, "bytes of anybody's authenticate")
        check(open(bytes(sealing: input)) == input, "what was put in does not come out")
    }

    private static func bytes(sealing document: [UInt8]) -> [UInt8] {
        let output = Output()
        _ = attempt { () throws(KeychainError) in
            let sealer = try ExportSealer(header, key: Secret(copying: key.span)) {
                piece throws(KeychainError) in output.bytes += piece.array()
            }
            try sealer.append(Secret(copying: document.span))
            try sealer.finish()
        }
        return output.bytes
    }

    private static func open(_ file: [UInt8]) -> [UInt8]? {
        attempt { () throws(KeychainError) in
            try SealedExport.open(file.span, header, under: Secret(copying: key.span)).array()
        }
    }

    private final class Output {
        var bytes: [UInt8] = []
    }
}
