/// A value in a plain-text file.
package struct PlainTextValue: Sendable {
    /// The names that lead to it; those of a list's elements are empty.
    package let path: [String]
    /// Its bytes, without quotation marks.
    package let range: Range<Int>
    /// Its line, from 1.
    package let line: Int
}
