internal import FlowRuntime
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

extension RequestResolver {
  /// Returns the groups of fields; nil without `field_groups`, or after an error was reported.
  ///
  /// If all names are known now, names that fit into no group are reported.
  mutating func fieldGroups(_ declaration: FlowDeclaration) -> FieldGroups? {
    guard let declared = declaration.pull.fieldGroups else { return nil }
    var groups = FieldGroups(key: declared.key)
    groups.maxNames = declared.max
    groups.maxLength = declared.maxLength
    groups.keepsMissing = declared.keepsMissing
    do throws(ResolutionError) {
      groups.names =
        try declared.names.map { (names) throws(ResolutionError) in try values(names) }
        ?? [.texts(scope.schemaFields)]
      let keyFields = declared.names == nil ? declared.keyFields.filter { scope.schemaFields.contains($0) } : []
      groups.always =
        try declared.always.map { (names) throws(ResolutionError) in try values(names) }
        ?? [.texts(keyFields)]
    } catch {
      report(error, at: declared.range)
      return nil
    }
    guard let fixed = groups.fixedNames else { return groups }
    do throws(ReactorError) {
      _ = try groups.groups(of: fixed.names, always: fixed.always)
      return groups
    } catch {
      diagnostics.report(
        Diagnostic(FlowCode.fieldGroups.code, error.message, at: declared.range, help: error.help))
      return nil
    }
  }

  private func values(
    _ templates: [Located<Template>]
  ) throws(ResolutionError) -> [RequestProgram.Parameter.Value] {
    var values: [RequestProgram.Parameter.Value] = []
    for template in templates {
      values.append(
        template.value.isDynamic
          ? .template(try template.value.bound(in: scope))
          : .texts(try template.value.resolveEach(with: scope).map(\.text)))
    }
    return values
  }
}
