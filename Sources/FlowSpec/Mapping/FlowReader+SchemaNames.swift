import SourceDiagnostics

extension FlowReader {
  /// Reports a name that stands for no schema.
  mutating func reportUnknownSchema(_ name: Located<String>, in set: SchemaSet) {
    let help =
      set.isEmpty
      ? "define it under 'schemas' in this file, or in a file of a folder 'schemas' beside or above it"
      : "schemas are \(listed(set.allNames))"
    report(
      .unknownSchema, "there is no schema '\(printable(name.value))'", at: name.range,
      meant: nearest(to: name.value, in: set.allNames), help: help)
  }
}
