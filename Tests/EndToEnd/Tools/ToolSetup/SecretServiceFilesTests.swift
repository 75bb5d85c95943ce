import Foundation
import KeychainServices
import Testing

@testable import ToolSetup
import TestSupport

struct SecretServiceFilesTests {
    /// Whoever enables the installed unit gets the same service.
    @Test func theUnitIsTheInstalledOne() throws {
        let installed = try Repository.text("helpers/lanyard-secret-service.service")
        #expect(
            SecretServiceSetup.unit("/usr/bin/lanyard-secret-service")
                == installed.replacing("@PREFIX@", with: "/usr"))
    }

    /// A keyring without a password is text; the tests of the programs have encrypted ones.
    @Test func itemsOfATextAreCounted() {
        let text =
            "[keyring]\ndisplay-name=x\n\n[1]\nitem-type=0\n\n[1:attribute0]\nname=a\n\n[23]\n"
        #expect(KeyringFiles.count(FileBytes(text)) == 2)
        #expect(KeyringFiles.count("[keyring]\ndisplay-name=x\n") == 0)
        #expect(KeyringFiles.count("GnomeKeyring\n\r\0\n") == nil)
        #expect(KeyringFiles.count("") == nil)
        let long = Array("GnomeKeyring\n\r\0\n\0\0\0\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFE]
        #expect(KeyringFiles.count(FileBytes(long)) == nil)
    }

    @Test func theOwnerIsReadFromTheReport() {
        #expect(ServiceOwner(report: "owner none\n") == nil)
        #expect(ServiceOwner(report: "") == nil)
        let lanyard = ServiceOwner(report: "owner lanyard\nprocess 1\n")
        #expect(lanyard?.isLanyard == true && lanyard?.items == nil)
        let other = ServiceOwner(report: "owner other\nprocess 0\nitems 3\n")
        #expect(other?.isLanyard == false && other?.items == 3 && other?.program == "process 0")
    }
}
