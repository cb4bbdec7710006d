/// A file of a ConfigMap, and where a container has it.
struct MountedFile {
  /// The name in the ConfigMap, which may have only letters, digits, `-`, `_` and `.`.
  let key: String
  /// The path below the folder of the flow files, as on this machine below the working folder.
  let path: String

  /// The files of a job.
  ///
  /// - Throws: when a path leads out of the working folder, or cannot be written on a command line of `kubectl`
  static func files(of job: ExportedJob) throws(ExportError) -> [MountedFile] {
    var keys: Set<String> = []
    var files: [MountedFile] = []
    for path in job.files {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard !path.hasPrefix("/"), !parts.contains(".."), !path.contains("="),
        path.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
      else {
        throw ExportError(
          "'\(path)' cannot be in a ConfigMap", help: "call reactor in the folder of the project, with paths below it")
      }
      let plain = String(
        decoding: path.utf8.map { (byte: UInt8) in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
            byte
          default: UInt8(ascii: "-")
          }
        }, as: UTF8.self)
      var key = String(plain.suffix(240))
      var number = 2
      while !keys.insert(key).inserted {
        key = "\(plain.suffix(240))-\(number)"
        number += 1
      }
      files.append(MountedFile(key: key, path: parts.filter { $0 != "." }.joined(separator: "/")))
    }
    return files
  }
}
