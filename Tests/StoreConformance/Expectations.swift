import KeychainServices

/// Throws unless a condition holds.
func expect(
    _ condition: Bool, _ what: @autoclosure () -> String, fileID: StaticString = #fileID,
    line: Int = #line
) throws(ConformanceFailure) {
    guard condition else {
        throw ConformanceFailure(what(), fileID, line)
    }
}

/// Throws unless what was found is what was wanted.
func expectEqual<Value: Equatable>(
    _ found: Value, _ wanted: Value, _ what: @autoclosure () -> String = "found is not wanted",
    fileID: StaticString = #fileID, line: Int = #line
) throws(ConformanceFailure) {
    guard found == wanted else {
        throw ConformanceFailure("\(what()): \(found), wanted \(wanted)", fileID, line)
    }
}

/// Throws unless a closure throws an error with this status.
func expectStatus(
    _ status: Status, fileID: StaticString = #fileID, line: Int = #line,
    _ body: () throws -> Void
) throws {
    try expectStatus([status], fileID: fileID, line: line, body)
}

/// Throws unless a closure throws an error with one of these statuses.
func expectStatus(
    _ statuses: [Status], fileID: StaticString = #fileID, line: Int = #line,
    _ body: () throws -> Void
) throws {
    do {
        try body()
    } catch let error as KeychainError {
        guard statuses.contains(error.status) else {
            throw ConformanceFailure(
                "failed with '\(error)', wanted \(statuses.map(\.rawValue))", fileID, line)
        }
        return
    }
    throw ConformanceFailure("succeeded, wanted \(statuses.map(\.rawValue))", fileID, line)
}

extension Keychain {
    /// Throws unless a closure throws an error with this status and leaves the keychain as it was:
    /// items, attributes, dates, secrets and order.
    func expectRefusal(
        _ status: Status, fileID: StaticString = #fileID, line: Int = #line,
        _ body: () throws -> Void
    ) throws {
        try expectRefusal([status], fileID: fileID, line: line, body)
    }

    /// As ``expectRefusal(_:fileID:line:_:)``, with one of several statuses.
    func expectRefusal(
        _ statuses: [Status], fileID: StaticString = #fileID, line: Int = #line,
        _ body: () throws -> Void
    ) throws {
        let before = try contents()
        try expectStatus(statuses, fileID: fileID, line: line, body)
        let after = try contents()
        try expect(
            after == before, "the refused call changed the keychain", fileID: fileID, line: line)
    }
}
