import FlowModel
import SourceDiagnostics

extension FlowReader {
  /// Reports a name that no schema has.
  mutating func reportUnknownSchema(_ name: Located<String>, in set: SchemaSet) {
    let help =
      set.isEmpty
      ? "define it under 'schemas' in this file, or in a file of a folder 'schemas' beside or above it"
      : "schemas are \(listed(set.allNames))"
    report(
      .unknownSchema, "schema '\(printable(name.value))' does not exist", at: name.range,
      suggestion: nearest(to: name.value, in: set.allNames), help: help)
  }
}
