package import KeychainServices

/// Returns a file without some of its bytes.
///
/// - Parameters:
///   - ranges: The ranges to leave out, ascending and without overlap.
///   - file: All of its bytes.
package func removing(_ ranges: [Range<Int>], from file: borrowing Secret) -> Secret {
    file.withBytes { bytes in
        var left = SecretBuilder(capacity: bytes.count)
        var position = 0
        for range in ranges {
            precondition(range.lowerBound >= position, "ranges ascend and do not overlap")
            left.append(bytes.extracting(position..<range.lowerBound))
            position = range.upperBound
        }
        left.append(bytes.extracting(position...))
        return left.finish()
    }
}
