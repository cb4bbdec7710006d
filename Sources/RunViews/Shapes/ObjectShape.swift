internal import JSONSyntax

/// The members of a JSON object, each declared once.
///
/// Writing, reading and the JSON Schema follow from the declaration.
struct ObjectShape<Whole: Sendable>: Sendable {
  /// The name among the definitions of a schema; messages say "'line' of the NAME".
  let name: String
  /// What is read begins as this.
  let empty: Whole
  /// In the order in which they are written.
  var members: [ShapeMember<Whole>]

  /// An object with these members.
  init(_ name: String, empty: Whole, _ members: [ShapeMember<Whole>]) {
    self.name = name
    self.empty = empty
    self.members = members
  }

  /// The object of a value.
  ///
  /// - Parameter isTimed: whether members of `.timed` are written
  func json(_ whole: Whole, isTimed: Bool) -> JSONValue {
    .object(
      JSONObject(
        distinct: members.compactMap { member in
          member.write(whole, isTimed).map { JSONObject.Member(name: member.name, value: $0) }
        }))
  }

  /// Reads what `json` writes; members that are not declared are ignored.
  func read(_ json: JSONValue) throws(ReportError) -> Whole {
    var whole = empty
    for member in members { try member.read(json[member.name], name, &whole) }
    return whole
  }

  /// The JSON Schema of the object.
  var schema: JSONObject {
    JSONObject([
      .init(name: "type", value: .string("object")), .init(name: "additionalProperties", value: .bool(false)),
      .init(
        name: "required", value: .array(members.filter { $0.presence.isRequired }.map { .string($0.name) })),
      .init(
        name: "properties",
        value: .object(JSONObject(members.map { .init(name: $0.name, value: .object($0.schema)) }))),
    ])
  }
}

/// One member of an object of the type `Whole`.
struct ShapeMember<Whole: Sendable>: Sendable {
  /// When a member is written.
  enum Presence: Sendable {
    /// In every object.
    case always
    /// In every object, but not in those of older versions of the program: without it the default holds.
    case added
    /// Unless times are left out.
    case timed
    /// Where the condition holds.
    case when(@Sendable (Whole) -> Bool)

    var isRequired: Bool { if case .always = self { true } else { false } }

    func holds(_ whole: Whole, isTimed: Bool) -> Bool {
      switch self {
      case .always, .added: true
      case .timed: isTimed
      case .when(let condition): condition(whole)
      }
    }
  }

  let name: String
  let presence: Presence
  let schema: JSONObject
  /// Gives nil where the member is not written.
  let write: @Sendable (Whole, _ isTimed: Bool) -> JSONValue?
  /// Takes the member's value; nil where the object has none.
  let read: @Sendable (JSONValue?, _ object: String, inout Whole) throws(ReportError) -> Void

  /// A property.
  init<Value>(
    _ name: String, _ path: any WritableKeyPath<Whole, Value> & Sendable, _ shape: ValueShape<Value>,
    _ description: String? = nil, _ presence: Presence = .always
  ) {
    self.init(name, shape.schema, description, presence) { whole, isTimed in
      presence.holds(whole, isTimed: isTimed) ? shape.write(whole[keyPath: path], isTimed) : nil
    } read: { (json, object, whole) throws(ReportError) in
      guard let json else {
        if presence.isRequired { throw ReportError(message: "'\(name)' of the \(object) is missing") }
        return
      }
      guard let value = try shape.read(json) else {
        throw ReportError(message: "'\(name)' of the \(object) cannot be \(json.excerpt(limit: 60))")
      }
      whole[keyPath: path] = value
    }
  }

  /// A property that is written where it is not nil.
  init<Value>(
    ifAny name: String, _ path: any WritableKeyPath<Whole, Value?> & Sendable, _ shape: ValueShape<Value>,
    _ description: String? = nil
  ) {
    let optional = ValueShape<Value?>.orNull(shape)
    let member = Self(name, path, optional, nil, .when { $0[keyPath: path] != nil })
    self.init(name, shape.schema, description, member.presence, write: member.write, read: member.read)
  }

  /// What follows from the rest of the value: written, and not read.
  init<Value>(
    computed name: String, _ path: any KeyPath<Whole, Value> & Sendable, _ shape: ValueShape<Value>,
    _ description: String? = nil, _ presence: Presence = .always
  ) {
    self.init(name, shape.schema, description, presence) { whole, isTimed in
      presence.holds(whole, isTimed: isTimed) ? shape.write(whole[keyPath: path], isTimed) : nil
    } read: { (_, _, _) throws(ReportError) in
    }
  }

  private init(
    _ name: String, _ schema: JSONObject, _ description: String?, _ presence: Presence,
    write: @escaping @Sendable (Whole, _ isTimed: Bool) -> JSONValue?,
    read: @escaping @Sendable (JSONValue?, _ object: String, inout Whole) throws(ReportError) -> Void
  ) {
    self.name = name
    self.presence = presence
    var described = schema
    if let description { described["description"] = .string(description) }
    self.schema = described
    self.write = write
    self.read = read
  }
}

/// A JSON Schema document (draft 7).
enum SchemaDocument {
  /// The text, ending with a line break.
  ///
  /// - Parameters:
  ///   - body: what a document that fits is
  ///   - definitions: the objects that `$ref` names
  static func text(
    title: String, _ description: String, _ body: JSONObject, definitions: [(name: String, schema: JSONObject)]
  ) -> String {
    let head: [JSONObject.Member] = [
      .init(name: "$schema", value: .string("http://json-schema.org/draft-07/schema#")),
      .init(name: "title", value: .string(title)), .init(name: "description", value: .string(description)),
    ]
    let objects = JSONObject(definitions.map { .init(name: $0.name, value: .object($0.schema)) })
    let document = JSONObject(head + body.members + [.init(name: "definitions", value: .object(objects))])
    return String(decoding: JSONWriter.bytes(.object(document), style: .pretty), as: UTF8.self) + "\n"
  }
}
