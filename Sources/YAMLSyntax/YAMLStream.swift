package import SourceDiagnostics

/// Reads all documents of a stream with as much of YAML as libyaml knows: for measuring, not for flows.
package enum YAMLStream {
  /// The roots in order, or nil after reporting at least one error.
  ///
  /// What the policy allows beyond a flow file's is kept as plainly as possible: tags as libyaml resolves them, a key
  /// that is a collection or nothing under the name `""`, repeated keys one after the other.
  package static func documents(
    _ file: SourceFile, limits: YAMLLimits = YAMLLimits(), policy: YAMLPolicy = .anyYAML,
    diagnostics: inout DiagnosticBag
  ) -> [YAMLNode]? {
    let reading = YAMLReading(file, limits: limits, policy: policy)
    diagnostics.merge(reading.problems)
    return reading.isWhole ? reading.documents : nil
  }
}
