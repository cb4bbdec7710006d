public import JSONSyntax

/// Reading the members of an object in a `Mappable`, with errors that say where they happened.
extension JSONValue {
  /// The value of a member.
  public func field(_ name: String) throws(MappedError) -> JSONValue {
    guard case .object(let object) = self else { throw MappedError("expected an object, found \(kindName)") }
    guard let value = object[name] else { throw MappedError("missing").inside(name) }
    return value
  }

  /// The text of a member.
  public func stringField(_ name: String) throws(MappedError) -> String {
    try field(name, "a string") { $0.string }
  }

  /// The exact 64-bit integer of a member.
  public func integerField(_ name: String) throws(MappedError) -> Int64 {
    try field(name, "a 64-bit integer", found: \.foundText) { $0.int64 }
  }

  /// The number of a member.
  public func numberField(_ name: String) throws(MappedError) -> Double {
    try field(name, "a number", found: \.foundText) { if case .number(let number) = $0 { number.double } else { nil } }
  }

  /// The boolean of a member; a number is none.
  public func booleanField(_ name: String) throws(MappedError) -> Bool {
    try field(name, "a boolean") { $0.bool }
  }

  /// The value of a member as another type; nil from `read` is an error that names what was expected.
  private func field<Value>(
    _ name: String, _ expected: String, found: (JSONValue) -> String = { $0.kindName }, _ read: (JSONValue) -> Value?
  ) throws(MappedError) -> Value {
    let value = try field(name)
    guard let result = read(value) else {
      throw MappedError("expected \(expected), found \(found(value))").inside(name)
    }
    return result
  }

  /// The model of a member.
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

  /// The models of a member that is an array; one that does not map fails them all.
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

  /// A member that may be absent or null: nil then, else what the reading gives.
  public func optionalField<Value>(
    _ name: String, _ read: (JSONValue) throws(MappedError) -> Value
  ) throws(MappedError) -> Value? {
    guard case .object(let object) = self else { throw MappedError("expected an object, found \(kindName)") }
    guard let value = object[name], value != .null else { return nil }
    return try read(self)
  }

  /// The kind, with the token of a number.
  private var foundText: String {
    if case .number(let number) = self { "the number \(number.text.prefix(40))" } else { kindName }
  }
}
