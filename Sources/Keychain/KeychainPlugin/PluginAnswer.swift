internal import KeychainServices
internal import LinuxSystem
internal import StrictJSON

/// A plugin's answer in one line. This type does not check which members go together.
struct PluginAnswer<Result> {
    private(set) var id: Int64?
    private(set) var result: Result?
    private(set) var error: KeychainError?
    /// Whether it reports that the user is being asked.
    private(set) var isPrompting = false

    /// - Throws: ``Status/decode``, or what the closure throws.
    init(
        _ text: Span<UInt8>,
        _ readResult: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(KeychainError) {
        var answer = PluginAnswer()
        try JSONReader.readObject(text, limit: LineChannel.lineLimit) {
            name, reader throws(KeychainError) in
            switch name {
            case "id": answer.id = try reader.readInteger()
            case "result": answer.result = try readResult(&reader)
            case "error": answer.error = try reader.readError()
            case "prompting": answer.isPrompting = try reader.readBool()
            default: break
            }
        }
        self = answer
    }

    private init() {}
}
