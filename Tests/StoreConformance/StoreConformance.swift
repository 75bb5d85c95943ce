/// The rules that every `KeychainStore` keeps, as cases to run. A backend is done when they pass:
///
///     @Test(arguments: StoreConformance.cases)
///     func conforms(_ rule: ConformanceCase) throws {
///         try rule.run { Keychain(try ExampleStore(in: scratchFolder()), accessGroups: .all()) }
///     }
///
/// The cases throw instead of calling Swift Testing: this is an ordinary library, which is also
/// built with a static standard library, and there is no module `Testing` there.
public enum StoreConformance {
    /// All cases, among them a short ``model(steps:seed:)``.
    public static let cases: [ConformanceCase] =
        addCases + roundTripCases + dataCases + identityCases + copyCases + limitCases + returnCases
        + orderCases + matchCases + caseInsensitiveCases + synchronizableCases + referenceCases
        + refusalCases + accessibleCases + dateCases + keptDateCases + updateCases
        + updateConflictCases
        + accessGroupCases + queryOptionCases + deleteCases + secretCases + transactionCases
        + walkCases
        + certificateCases + keyCases + certificateIdentityCases
        + secureStoreCases + [model()]
}
