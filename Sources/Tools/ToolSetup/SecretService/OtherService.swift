package import KeychainServices

/// Another program that is the Secret Service, or that the bus would start as it.
struct OtherService {
    /// Its items, nil if it has none.
    var items: ItemsOfOtherService?
    /// What a setup means for it.
    var notes: [String] = []

    /// Finds the program.
    ///
    /// - Returns: Nil if Lanyard's is the only one.
    static func find(
        _ program: String, _ environment: SetupEnvironment
    ) throws(KeychainError) -> OtherService? {
        if let owner = try ServiceOwner.find(program, environment) {
            return owner.isLanyard ? nil : OtherService(owner)
        }
        guard let file = ActivationFile.all(environment).first, !file.isLanyards else {
            return nil
        }
        let items = KeyringFiles.items(of: file.name, environment)
        return OtherService(
            items: items.map {
                ItemsOfOtherService(program: file.name, count: $0.count, folder: $0.folder)
            },
            notes: file.isOfUser
                ? [] : ["'\(file.path)' starts \(file.name): the new file has precedence"])
    }

    private init(items: ItemsOfOtherService?, notes: [String]) {
        self.items = items
        self.notes = notes
    }

    private init(_ owner: ServiceOwner) {
        if owner.items != 0 {
            items = ItemsOfOtherService(program: owner.name, count: owner.items, folder: nil)
        }
        notes = [
            "\(owner.name) is the Secret Service until it ends: log out and in, or kill"
                + " \(owner.process)"
        ]
    }
}

/// The items of another program that is the Secret Service, or would be.
package struct ItemsOfOtherService: Sendable {
    /// The program's name.
    package let program: String
    /// How many; nil if that can't be told.
    package let count: Int?
    /// The folder of a program that does not run.
    let folder: String?

    /// Finds them. Nothing is started.
    ///
    /// - Returns: Nil if there are none.
    /// - Throws: ``Status/notAvailable`` without a bus that answers.
    package static func find(
        _ environment: SetupEnvironment
    ) throws(KeychainError) -> ItemsOfOtherService? {
        guard environment.hasSessionBus else {
            throw SecretServiceSetup.noBus
        }
        let program = try SecretServiceSetup(environment: environment).program()
        return try OtherService.find(program, environment)?.items
    }

    /// Names them: `3 items`.
    package var text: String {
        switch count {
        case 1?: "1 item"
        case let count?: "\(count) items"
        case nil: "items that can't be counted"
        }
    }

    /// Why a setup would hide them.
    var error: KeychainError {
        let place = folder.map { " in '\($0)'" } ?? ""
        return KeychainError(
            .duplicateKeychain,
            "\(program) is the Secret Service here and has \(text)\(place)",
            hint: "lanyard setup secret-service --copy-items copies them first;"
                + " --leave-items leaves them there")
    }
}
