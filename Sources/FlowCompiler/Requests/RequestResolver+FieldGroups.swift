internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

extension RequestResolver {
  /// Returns the groups of fields; nil without `field_groups`, or after an error was reported.
  ///
  /// If all names are known now, names that fit into no group are reported.
  mutating func fieldGroups(_ declaration: FlowDeclaration) -> FieldGroups? {
    guard var groups = declaration.pull.fieldGroups else { return nil }
    let keyFields = groups.names == nil ? groups.keyFields.filter { scope.schemaFields.contains($0) } : []
    do throws(ResolutionError) {
      groups.names = try names(groups.names) ?? scope.schemaFields.map { Template(text: $0) }
      groups.always = try names(groups.always) ?? keyFields.map { Template(text: $0) }
    } catch {
      report(error, at: groups.range)
      return nil
    }
    guard let fixed = groups.fixedNames else { return groups }
    do throws(ReactorError) {
      _ = try groups.groups(of: fixed.names, always: fixed.always)
      return groups
    } catch {
      diagnostics.report(
        Diagnostic(FlowCode.fieldGroups.code, error.message, at: groups.range, help: error.help))
      return nil
    }
  }

  /// The names with texts in place of those that are known now; nil for no names.
  private func names(_ templates: [Template]?) throws(ResolutionError) -> [Template]? {
    guard let templates else { return nil }
    var names: [Template] = []
    for template in templates {
      if template.isDynamic {
        names.append(Template(try template.bound(in: scope)))
      } else {
        names += try template.resolveEach(with: scope).map { Template(text: $0.text) }
      }
    }
    return names
  }
}
