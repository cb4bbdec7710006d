internal import JSONSyntax

/// The members of a JSON object, each declared once.
///
/// The same declaration is used for writing, for reading and for the JSON Schema.
struct ObjectShape<Whole: Sendable>: Sendable {
  /// The name in the definitions of a schema. Messages use it in phrases such as "'line' of the NAME".
  let name: String
  /// The value before any member is read; missing members keep what it contains.
  let empty: Whole
  /// The members, in the order in which they are written.
  var members: [ShapeMember<Whole>]

  /// Creates the shape of an object with these members.
  init(_ name: String, empty: Whole, _ members: [ShapeMember<Whole>]) {
    self.name = name
    self.empty = empty
    self.members = members
  }

  /// The JSON object of a value.
  ///
  /// - Parameter isTimed: whether members with the presence `.timed` are written
  func json(_ whole: Whole, isTimed: Bool) -> JSONValue {
    .object(
      JSONObject(
        distinct: members.compactMap { member in
          member.write(whole, isTimed).map { JSONObject.Member(name: member.name, value: $0) }
        }))
  }

  /// Reads the JSON that `json` writes; undeclared members are ignored.
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
  /// The condition under which a member is written.
  enum Presence: Sendable {
    /// In every object.
    case always
    /// In every object, except in objects of older versions of the program.
    ///
    /// When the member is missing, the default applies.
    case added
    /// In every object, unless times are left out.
    case timed
    /// In objects for which the condition is true.
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
  /// Returns the JSON of the member; nil when the member is not written.
  let write: @Sendable (Whole, _ isTimed: Bool) -> JSONValue?
  /// Stores the value of the member; the value is nil when the object has no such member.
  let read: @Sendable (JSONValue?, _ object: String, inout Whole) throws(ReportError) -> Void

  /// Creates a member for a property.
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

  /// Creates a member for a property that is written when it is not nil.
  init<Value>(
    ifAny name: String, _ path: any WritableKeyPath<Whole, Value?> & Sendable, _ shape: ValueShape<Value>,
    _ description: String? = nil
  ) {
    let optional = ValueShape<Value?>.orNull(shape)
    let member = Self(name, path, optional, nil, .when { $0[keyPath: path] != nil })
    self.init(name, shape.schema, description, member.presence, write: member.write, read: member.read)
  }

  /// Creates a member that is computed from the other properties; it is written but not read.
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
  /// The text of the document, ending with a line break.
  ///
  /// - Parameters:
  ///   - body: the schema of a whole document
  ///   - definitions: the objects that `$ref` refers to
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
