internal import ByteCodings
internal import CFileCalls
internal import Databases
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import Storage
internal import YAMLSyntax

/// The version of this program.
package enum ToolVersion {
  /// The version as reports contain it.
  package static let text = ReactorVersion.text

  /// The versions of the libraries by name, for bug reports.
  private static var libraries: KeyValuePairs<String, String> {
    [
      "libyaml": YAMLDocument.libraryVersion, "simdjson": JSONIndexer.libraryVersion,
      "sqlite": Database.libraryVersion, "libcurl": HTTPClient.libraryVersion,
    ]
  }

  /// The first 16 digits of the commit from which the program was built; nil for a program that was not packaged.
  private static var commit: String? {
    let number = reactor_commit()
    return number == 0 ? nil : Hex.text(number)
  }

  /// The versions of the program and the libraries, one on each line.
  static var lines: String {
    let lines = [commit.map { ("commit", $0) }].compactMap { $0 } + libraries.map { ($0.key, $0.value) }
    return "reactor \(text)\n" + lines.map { "\(Quantity.padded($0.0, to: 8)) \($0.1)\n" }.joined()
  }

  /// The same as a JSON object, with the numbers of the forms in which the program leaves state for later runs.
  static var json: JSONValue {
    .object(
      JSONObject([
        .init(name: "tool", value: .string(text)), .init(name: "commit", value: commit.map { .string($0) } ?? .null),
        .init(name: "swift", value: .string(_SwiftStdlibVersion.current.description)),
        .init(
          name: "libraries",
          value: .object(JSONObject(libraries.map { .init(name: $0.key, value: .string($0.value)) }))),
        .init(
          name: "state",
          value: .object(
            JSONObject(StateVersion.allCases.map { .init(name: $0.rawValue, value: .integer($0.number)) }))),
      ]))
  }
}
