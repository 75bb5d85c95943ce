/// A descriptor of ours, closed when it ends.
package struct Descriptor: ~Copyable {
    package let number: Int32

    package init(owning number: Int32) {
        self.number = number
    }

    deinit {
        SystemCalls.close(number)
    }
}
