internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import YAMLSyntax

/// The version of this program.
package enum ToolVersion {
  /// The version as reports contain it.
  package static let text = ReactorVersion.text

  /// The versions of the libraries, one on each line, for bug reports.
  static var libraries: String {
    """
    libyaml  \(YAMLDocument.libraryVersion)
    simdjson \(JSONIndexer.libraryVersion)
    libcurl  \(HTTPClient.libraryVersion)

    """
  }
}
