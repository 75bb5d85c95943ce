public import KeychainServices

/// The time after which something ends automatically.
public enum TimeOut: Equatable, Sendable {
    /// It never ends.
    case never
    /// After this many seconds, from 1 to 2³¹ − 1.
    case seconds(UInt32)

    /// Reads a time such as `8h`, `30m`, `90s`, `2d` or `45`, which is in seconds, or `never`.
    ///
    /// - Throws: ``Status/param`` for anything else.
    public init(parsing text: String) throws(KeychainError) {
        guard text != "never" else {
            self = .never
            return
        }
        guard let seconds = TimeOut.seconds(in: text) else {
            throw KeychainError(.param, "'\(text)' is not a duration", hint: TimeOut.hint)
        }
        self = .seconds(seconds)
    }

    /// The number of seconds, nil for never.
    public var limit: UInt32? {
        switch self {
        case .never: nil
        case .seconds(let seconds): seconds
        }
    }

    /// The time in its largest whole unit, for example `8h`, `90s` or `never`.
    public var text: String {
        guard let seconds = limit else {
            return "never"
        }
        for (unit, size) in [("d", 86400), ("h", 3600), ("m", 60)] as [(String, UInt32)]
        where seconds.isMultiple(of: size) {
            return "\(seconds / size)\(unit)"
        }
        return "\(seconds)s"
    }

    /// Examples of valid times.
    static let hint = "for example 8h, 30m, 90s or never"

    private static func seconds(in text: String) -> UInt32? {
        let units: [UInt8: UInt32] = [
            UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600,
            UInt8(ascii: "d"): 86400,
        ]
        let unit = text.utf8.last.flatMap { units[$0] }
        let digits = text.utf8.dropLast(unit == nil ? 0 : 1)
        // UInt32.init would accept a sign.
        guard digits.allSatisfy({ $0.isDigit }),
            let number = UInt32(Substring(digits))
        else {
            return nil
        }
        let (seconds, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
        return !isTooLarge && (1...UInt32(Int32.max)).contains(seconds) ? seconds : nil
    }
}
