import FlowModel

extension Shape {
  /// The shape of a mapping whose keys are read into the properties of one value. Reading returns nil after an error.
  ///
  /// - Parameter start: creates the value before its keys are read; its argument is an empty text, which the required
  ///   properties have until they are read
  static func stored(
    _ name: ConstructName, _ keys: @escaping @autoclosure @Sendable () -> [Stored<Value>],
    from start: @escaping @Sendable (Located<Template>) -> Value
  ) -> Shape {
    .construct(name) { reader, value in
      let errors = reader.errorCount
      guard let nodes = reader.open(value, as: name) else { return nil }
      var whole = start(Located(Template([]), at: value.key))
      reader.fill(&whole, with: keys(), from: nodes)
      return errors == reader.errorCount && !nodes.hasError ? whole : nil
    }
  }
}

extension Shape<Located<Template>> {
  /// This shape, in which certain characters are errors. The values of templates are not checked.
  ///
  /// - Parameter message: makes the error message from the name of the key
  func refusing(
    _ isRefused: @escaping @Sendable (UInt8) -> Bool, help: String?,
    _ message: @escaping @Sendable (_ key: String) -> String
  ) -> Shape {
    Shape(kind, isTemplated: isTemplated) { reader, value in
      guard let template = read(&reader, value) else { return nil }
      for case .text(let text) in template.value.segments where text.utf8.contains(where: isRefused) {
        return reader.fail(.authValue, message(value.spec.name), at: template.range, help: help)
      }
      return template
    }
  }

  /// This shape, in which the given ASCII characters are errors. The values of templates are not checked.
  func without(_ characters: String, _ message: String, help: String? = nil) -> Shape {
    refusing({ characters.utf8.contains($0) }, help: help) { _ in message }
  }

  /// A user name; the help says why it cannot contain a colon.
  static func userName(_ shape: Shape, _ help: String) -> Shape {
    shape.without(":", "a user name cannot contain a colon", help: help)
  }

  /// A service, region or key ID of a signature for AWS. The signature joins them with slashes.
  static var scopePart: Shape {
    filledLine.refusing(
      { !SigV4<Value>.isScopeByte($0) },
      help: "write letters, digits, '-', '_' and '.' only, for example 'execute-api' or 'eu-central-1'"
    ) { "'\($0)' contains a character that a signature cannot contain" }
  }
}

extension Shape<[NamedTemplate]> {
  /// Additional fields of a token request. A field that has its own key in `oauth2` is an error.
  static var tokenParameters: Shape {
    let shape = templates(.parameter, .text)
    let own = [
      "grant_type", "client_id", "client_secret", "scope", "refresh_token", "assertion",
      "client_assertion", "client_assertion_type",
    ]
    return Shape(shape.kind, isTemplated: shape.isTemplated) { reader, value in
      shape.read(&reader, value)?.filter { param in
        guard own.contains(param.name.value) else { return true }
        reader.report(
          .authConflict, "'\(param.name.value)' is set by 'oauth2' itself", at: param.name.range,
          help: param.name.value == "grant_type" ? "see 'grant'" : "use the key of 'oauth2' that sets it")
        return false
      }
    }
  }
}
