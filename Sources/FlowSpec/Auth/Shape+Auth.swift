import FlowModel

extension Shape {
  /// A mapping whose keys are all stored in one value; nil after an error.
  ///
  /// - Parameter start: creates the value; its argument is a temporary text for each required property
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
  /// The same shape, but some characters of the text are errors, except in the values of templates.
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

  /// The same shape, but some ASCII characters of the text are errors, except in the values of templates.
  func without(_ characters: String, _ message: String, help: String? = nil) -> Shape {
    refusing({ characters.utf8.contains($0) }, help: help) { _ in message }
  }

  /// A user name; the help says why it cannot contain a colon.
  static func userName(_ shape: Shape, _ help: String) -> Shape {
    shape.without(":", "a user name cannot contain a colon", help: help)
  }

  /// A part of the scope of a signature, whose parts are separated by slashes.
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
