import KeychainServices
import Testing

@testable import SSHAgent

@Suite struct SessionBindingsTests {
    private func binding(_ session: ByteString, isForwarding: Bool) -> SessionBinding {
        SessionBinding(
            hostKey: "host", session: session, signature: "genuine", isForwarding: isForwarding)
    }

    private func add(_ binding: SessionBinding, to bindings: inout SessionBindings) -> Bool {
        bindings.add(binding) { $0.signature == "genuine" }
    }

    private func login(to session: String) -> ByteString {
        ByteString(Message().string(session).byte(50).string("ada").bytes)
    }

    @Test func bindingIsCheckedAndFinal() {
        var bindings = SessionBindings()
        let forged = SessionBinding(
            hostKey: "host", session: "a", signature: "forged", isForwarding: false)
        #expect(!add(forged, to: &bindings))
        #expect(!add(binding("", isForwarding: true), to: &bindings))
        #expect(add(binding("a", isForwarding: true), to: &bindings))
        #expect(!add(binding("a", isForwarding: true), to: &bindings))
        #expect(add(binding("b", isForwarding: false), to: &bindings))
        #expect(!add(binding("c", isForwarding: false), to: &bindings))
        #expect(!add(binding("c", isForwarding: true), to: &bindings))
    }

    @Test func connectionCountsAsForwardedAfterAFailure() {
        var bindings = SessionBindings()
        let forged = SessionBinding(
            hostKey: "host", session: "a", signature: "forged", isForwarding: false)
        #expect(!add(forged, to: &bindings))
        #expect(bindings.isForwarded)
        #expect(add(binding("a", isForwarding: false), to: &bindings))
        #expect(bindings.isForwarded)
    }

    @Test func hostsOnTheWayAreLimited() {
        var bindings = SessionBindings()
        let added = (0..<20).map { number in
            add(binding(ByteString("\(number)"), isForwarding: true), to: &bindings)
        }
        #expect(added == (0..<20).map { $0 < 16 })
    }

    @Test func connectionToLogInSignsThatLoginOnly() {
        var bindings = SessionBindings()
        #expect(bindings.permit("anything"))
        #expect(add(binding("a", isForwarding: false), to: &bindings))
        #expect(!bindings.isForwarded)
        #expect(bindings.permit(login(to: "a")))
        #expect(!bindings.permit(login(to: "b")))
        #expect(!bindings.permit("anything"))
        #expect(!bindings.permit(ByteString(Message().string("a").byte(51).bytes)))
        #expect(!bindings.permit(ByteString(Message().string("a").bytes)))
    }

    @Test func forwardedConnectionSignsEverything() {
        var bindings = SessionBindings()
        #expect(add(binding("a", isForwarding: true), to: &bindings))
        #expect(bindings.isForwarded)
        #expect(bindings.permit(login(to: "b")) && bindings.permit("anything"))
        #expect(add(binding("b", isForwarding: false), to: &bindings))
        #expect(bindings.isForwarded)
        #expect(bindings.permit(login(to: "b")) && !bindings.permit("anything"))
    }
}
