import Foundation

extension ScratchHome {
    /// The first file here that has a text; nil if none has.
    func file(with text: String) throws -> String? {
        let names = FileManager.default.enumerator(atPath: path)
        while let name = names?.nextObject() as? String {
            let file = "\(path)/\(name)"
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder),
                !isFolder.boolValue,
                let data = FileManager.default.contents(atPath: file)
            else {
                continue
            }
            if data.range(of: Data(text.utf8)) != nil {
                return file
            }
        }
        return nil
    }
}
