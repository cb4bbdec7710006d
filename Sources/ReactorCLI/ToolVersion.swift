/// The version of this program.
package enum ToolVersion {
  /// As reports carry it.
  package static let text = "0.1.0"
}
