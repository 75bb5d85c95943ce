/// Builds cases from statements, for loops that make parameterised ones.
@resultBuilder
enum ConformanceCases {
    static func buildExpression(_ rule: ConformanceCase) -> [ConformanceCase] { [rule] }
    static func buildBlock(_ parts: [ConformanceCase]...) -> [ConformanceCase] {
        Array(parts.joined())
    }
    static func buildArray(_ parts: [[ConformanceCase]]) -> [ConformanceCase] {
        Array(parts.joined())
    }
}
