extension String {
    /// The text, or, if it takes more columns of a terminal than there are, its start and its end
    /// with `…` between them.
    ///
    /// - Parameter columns: At least 1.
    func cutInTheMiddle(to columns: Int) -> String {
        guard DisplayWidth.of(self) > columns else {
            return self
        }
        let room = max(columns - 1, 0)
        let end = String(reversed().prefix(fitting: room / 2).reversed())
        let start = String(prefix(fitting: room - DisplayWidth.of(end)))
        return start + "…" + end
    }
}

extension Sequence<Character> {
    /// The first characters, as many as fit.
    fileprivate func prefix(fitting columns: Int) -> [Character] {
        var rest = columns
        return Array(
            prefix { character in
                rest -= DisplayWidth.of(character)
                return rest >= 0
            })
    }
}
