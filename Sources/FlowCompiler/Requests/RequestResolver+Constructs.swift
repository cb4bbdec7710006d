internal import Expressions
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics
internal import TimeSyntax

/// Fills the values of variables into the constructs of a flow other than its request.
extension RequestResolver {
  /// Returns the path of the records, with variables filled in.
  ///
  /// Reports the variables without a value that expressions about records need.
  mutating func recordsPath(_ declaration: FlowDeclaration) -> JSONPath? {
    for (reference, range) in declaration.mappingReferences where reference.root == "vars" {
      guard let name = reference.firstMember, scope.variables[name] == nil else { continue }
      _ = resolve(Located(Template([.variable(name)]), at: range))
    }
    guard let template = declaration.pull.mapping.records else { return declaration.pull.records?.value }
    var isWhole = true
    do throws(PathTemplateError) {
      let path = try template.value.path { segment in
        guard let value = resolve(Located(Template([segment]), at: template.range)) else {
          isWhole = false
          return "x"
        }
        return value.text
      }
      return isWhole ? path : nil
    } catch {
      diagnostics.report(
        Diagnostic(FlowCode.invalidPath.code, error.message, at: template.range, help: error.help))
    }
    return nil
  }

  /// Returns the pages with the size that variables give; nil without pages, or after an error was reported.
  mutating func pages(_ declaration: FlowDeclaration) -> Pages? {
    guard var pages = declaration.pull.pages else { return nil }
    if let size = pages.size { pages.size?.count = filled(size.count, Pages.size) }
    return pages
  }

  /// Returns the flow's job with its requests as they are sent; nil without one, or after an error was reported.
  mutating func job(_ declaration: FlowDeclaration) -> Job<RequestPlan>? {
    guard let declared = declaration.pull.job,
      var job = declared.mapRequests({ request($0, of: declaration.id) })
    else { return nil }
    job.terms.identity = IdentityText.jobIdentity(declared.terms, of: declaration.id, in: scope)
    return job
  }

  /// Returns the cursor with the values that variables give; nil without a cursor.
  mutating func cursor(_ declaration: FlowDeclaration, _ zones: ZoneDatabase) -> Cursor? {
    guard var cursor = declaration.pull.cursor else { return nil }
    let kind = cursor.kind
    if let zone = cursor.zone {
      cursor.zone?.rules = zones.rules(zone.name.value)
      if cursor.zone?.rules == nil { diagnostics.report(zones.problem(with: zone.name, .cursorBounds)) }
    }
    if let start = cursor.start { cursor.start = filled(start, cursor) }
    if case .value(let end)? = cursor.end { cursor.end = .value(filled(end, cursor)) }
    if let lookback = cursor.lookback {
      cursor.lookback = filled(lookback) { (text) throws(SettingError) in
        try .parsing(text, of: kind, for: "lookback", canBeNone: true)
      }
    }
    if let slice = cursor.slice {
      cursor.slice = filled(slice) { (text) throws(SettingError) in try .parsing(text, of: kind) }
    }
    return cursor
  }

  /// The position from which this run begins; nil without one, or after an error was reported.
  ///
  /// - Parameter text: the start as the user wrote it
  mutating func since(_ text: String?, of cursor: Cursor?) -> Cursor.Value? {
    guard let text, let cursor else { return nil }
    if let value = cursor.bound(text) { return value }
    diagnostics.report(
      Diagnostic(
        FlowCode.cursorBounds.code,
        "'\(text)' is not a value of '\(cursor.field.value)', which is of type \(cursor.kind.rawValue)",
        at: cursor.field.range, help: "correct the value of --since"))
    return nil
  }

  /// A bound with its value; unchanged after an error was reported.
  private mutating func filled(_ bound: Cursor.Bound, _ cursor: Cursor) -> Cursor.Bound {
    guard let text = resolve(bound.text)?.text else { return bound }
    var bound = bound
    bound.value = cursor.bound(text)
    if bound.value == nil {
      diagnostics.report(
        Diagnostic(
          FlowCode.cursorBounds.code, "'\(text)' is not a value of type \(cursor.kind.rawValue)", at: bound.text.range))
    }
    return bound
  }

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

  /// The names, with values filled in where they are known now; nil without names.
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

  // MARK: - Settings

  /// A setting with its value; unchanged after an error was reported.
  mutating func filled<Value>(
    _ setting: Setting<Value>, _ parse: (String) throws(SettingError) -> Value
  ) -> Setting<Value> {
    guard case .template(let template) = setting, let resolved = resolve(template) else { return setting }
    do throws(SettingError) {
      return .value(Located(try parse(resolved.text), at: template.range))
    } catch {
      diagnostics.report(Diagnostic(error.code.code, error.message, at: template.range, help: error.help))
      return setting
    }
  }
}

extension Cursor {
  /// The value of a bound that a person wrote; nil for an invalid text. A day is a local day of the cursor's time zone.
  fileprivate func bound(_ text: String) -> Value? {
    guard let value = Value(text, of: kind) else { return nil }
    guard let rules = zone?.rules, kind == .timestamp, !text.contains(":"), case .instant(let day) = value,
      let start = ExpressionTimestamp(secondsSince1970: rules.instant(ofLocal: day.secondsSince1970))
    else { return value }
    return .instant(start)
  }
}
