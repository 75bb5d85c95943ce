internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup

/// The data for the checks, gathered once to be the same for all of them.
struct DiagnosisContext: Sendable {
    /// The environment of the tools.
    let environment: SetupEnvironment
    /// The places of lanyard's files, nil if unknown.
    let places: Places?
    /// Why they are unknown.
    let placesFailure: KeychainError?
    /// The user's configuration, nil if it is invalid.
    let configuration: Configuration?
    /// Why it is invalid.
    let configurationFailure: KeychainError?
    /// The installed tools.
    let programs: [ToolProgram]
    /// The current time.
    let now: Timestamp
    let states = SealedKeychainStates()

    /// Gathers the data of this process.
    init() {
        let variables = SetupEnvironment.ofProcess()
        var places: Places?
        var placesFailure: KeychainError?
        do throws(KeychainError) {
            places = try Places()
        } catch {
            placesFailure = error
        }
        self.places = places
        self.placesFailure = placesFailure
        var configuration: Configuration?
        var configurationFailure: KeychainError?
        if let places {
            do throws(KeychainError) {
                configuration = try Configuration(places: places)
            } catch {
                configurationFailure = error
            }
        }
        self.configuration = configuration
        self.configurationFailure = configurationFailure
        var environment =
            (try? SetupEnvironment())
            ?? SetupEnvironment(variables: variables, stateFolder: "/nonexistent")
        environment.silent = SilentPrograms()
        self.environment = environment
        programs = ToolProgram.installed(environment)
        now = SystemCalls.now()
    }

    /// Whether a tool is installed and answers.
    func has(_ names: ToolProgram.Name...) -> Bool {
        let silent = silentPrograms
        return programs.contains { names.contains($0.name) && !silent.contains($0.path) }
    }

    /// The paths of the programs that did not answer a check.
    var silentPrograms: [String] { environment.silent?.paths ?? [] }

    /// The home folder, nil if unknown.
    var home: String? { try? environment.home() }
}
