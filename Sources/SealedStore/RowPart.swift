/// Which of a row's two boxes is meant.
enum RowPart: UInt8 {
    case attributes = 1
    case secret = 2

    /// What its key is for.
    var use: StaticString { self == .attributes ? "lanyard attributes" : "lanyard secret" }
}
