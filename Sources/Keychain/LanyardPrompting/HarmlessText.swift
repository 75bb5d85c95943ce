/// Returns the text with every character escaped that commands the terminal, is invisible or reorders the
/// text. Control characters, line separators, marks without a width and marks of writing direction appear
/// as their numbers, as in `\u{200B}`.
///
/// Names may come from anywhere, and users decide by what they see: two names that look alike must be
/// alike.
public func harmless(_ text: String) -> String {
    // Nearly all names are plain ASCII, and decomposing a text is slow.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
        return text
    }
    let scalars = Array(text.unicodeScalars)
    var shown = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
        if isHarmless(scalar) || isPartOfPictograph(index, scalars) {
            shown.append(scalar)
        } else {
            let number = String(scalar.value, radix: 16, uppercase: true)
            shown.append(contentsOf: "\\u{\(number)}".unicodeScalars)
        }
    }
    return String(shown)
}

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20...0x7E).contains(scalar.value) {
        return true
    }
    guard !invisible.contains(where: { $0.contains(scalar.value) }) else {
        return false
    }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
}

/// Invisible code points, including embeddings, overrides and isolates of a direction. They have the
/// property Default_Ignorable_Code_Point, Unicode Standard, section 5.21; the blank of Braille is added.
private let invisible: [ClosedRange<UInt32>] = [
    0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
    0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x2800...0x2800, 0x3164...0x3164,
    0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
    0x1D173...0x1D17A, 0xE0000...0xE0FFF,
]

/// Whether it joins two pictures into one, as in a family, or selects a picture's coloured form.
private func isPartOfPictograph(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    guard index > 0, isPictograph(scalars[index - 1]) else {
        return false
    }
    switch scalars[index].value {
    case 0xFE0F: return true
    case 0x200D: return index + 1 < scalars.count && isPictograph(scalars[index + 1])
    default: return false
    }
}

/// Whether it is in a block of arrows, symbols and pictures, or selects the form of one.
private func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2190...0x27BF, 0x2900...0x2BFF, 0x1F000...0x1FAFF, 0xFE0F: true
    default: false
    }
}
