public import JSONSyntax

/// Accessors for the members of an object in a `Mappable`; their errors have the path of the member.
extension JSONValue {
  /// Returns the value of a member.
  public func field(_ name: String) throws(MappedError) -> JSONValue {
    guard case .object(let object) = self else { throw MappedError("expected an object, found \(kindName)") }
    guard let value = object[name] else { throw MappedError("missing").inside(name) }
    return value
  }

  /// Returns the string of a member.
  public func stringField(_ name: String) throws(MappedError) -> String {
    try field(name, "a string") { $0.string }
  }

  /// Returns the exact 64-bit integer of a member.
  public func integerField(_ name: String) throws(MappedError) -> Int64 {
    try field(name, "a 64-bit integer", found: \.foundText) { $0.int64 }
  }

  /// Returns the number of a member.
  public func numberField(_ name: String) throws(MappedError) -> Double {
    try field(name, "a number", found: \.foundText) { if case .number(let number) = $0 { number.double } else { nil } }
  }

  /// Returns the Boolean value of a member; a number is not accepted.
  public func booleanField(_ name: String) throws(MappedError) -> Bool {
    try field(name, "a boolean") { $0.bool }
  }

  /// Returns the value of a member, converted by `read`. When `read` returns nil, throws an error with `expected`.
  private func field<Value>(
    _ name: String, _ expected: String, found: (JSONValue) -> String = { $0.kindName }, _ read: (JSONValue) -> Value?
  ) throws(MappedError) -> Value {
    let value = try field(name)
    guard let result = read(value) else {
      throw MappedError("expected \(expected), found \(found(value))").inside(name)
    }
    return result
  }

  /// Maps the value of a member to a model.
  public func modelField<Model: Mappable>(
    _ name: String, as type: Model.Type = Model.self
  ) throws(MappedError) -> Model {
    let value = try field(name)
    do throws(MappedError) {
      return try Model.mapToModel(value)
    } catch {
      throw error.inside(name)
    }
  }

  /// Maps the elements of an array member to models; one element that does not map fails the whole array.
  public func modelsField<Model: Mappable>(
    _ name: String, of type: Model.Type = Model.self
  ) throws(MappedError) -> [Model] {
    let elements = try field(name, "an array") { $0.array }
    var models: [Model] = []
    models.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(MappedError) {
        models.append(try Model.mapToModel(element))
      } catch {
        throw error.inside(index).inside(name)
      }
    }
    return models
  }

  /// Returns the result of `read`; nil when the member is absent or null.
  ///
  /// `read` is called with this object, not with the member's value.
  public func optionalField<Value>(
    _ name: String, _ read: (JSONValue) throws(MappedError) -> Value
  ) throws(MappedError) -> Value? {
    guard case .object(let object) = self else { throw MappedError("expected an object, found \(kindName)") }
    guard let value = object[name], value != .null else { return nil }
    return try read(self)
  }

  /// The kind of the value; for a number, also its text.
  private var foundText: String {
    if case .number(let number) = self { "the number \(number.text.prefix(40))" } else { kindName }
  }
}
