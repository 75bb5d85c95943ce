/// A file descriptor that is closed at the end of this value.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(owning number: Int32) {
        self.number = number
    }

    deinit {
        SystemCalls.close(number)
    }
}
