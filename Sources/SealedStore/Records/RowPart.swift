/// Which of a row's two boxes is meant.
enum RowPart: UInt8 {
    case attributes = 1
    case secret = 2
}
