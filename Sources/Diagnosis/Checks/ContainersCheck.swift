internal import KeychainServices
internal import ToolSetup

/// Checks the configuration of podman, skopeo and buildah.
struct ContainersCheck: SingleCheck {
    static let name = "podman's, skopeo's and buildah's configuration"

    func finding(_ context: DiagnosisContext) -> Finding? {
        guard context.has(.podman, .skopeo, .buildah), context.home != nil else {
            return nil
        }
        let setup = ContainersSetup(environment: context.environment)
        guard let setting = try? setup.settingInForce() else {
            return Finding(
                .containersNotSetUp, "podman, skopeo and buildah don't use Lanyard yet",
                command: context.setupDocker())
        }
        guard !setting.isLanyard else {
            return nil
        }
        let what: FindingText =
            "'\(path: setting.path)' names credential-helpers other than lanyard"
        // The setup must not overrule a drop-in after its own.
        let isOverruled = (setting.path.split(separator: "/").last ?? "") < "zz-lanyard.conf"
        return isOverruled
            ? Finding(.containersOtherHelper, what, command: context.setupDocker())
            : Finding(.containersOtherHelper, what, advice: "remove its line 'credential-helpers'")
    }
}
