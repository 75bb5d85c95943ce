/// The first byte of an element of DER: X.690, section 8.1.2.
enum DERTag: UInt8 {
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case null = 0x05
    case objectIdentifier = 0x06
    case utf8String = 0x0C
    case sequence = 0x30
    case set = 0x31
    /// [1], primitive
    case implicitContext1 = 0x81
    /// [0], constructed
    case context0 = 0xA0
    /// [1], constructed
    case context1 = 0xA1
}
