public import JSONSyntax
public import ReactorCore

/// One record of a declared flow: a dynamic model with typed access to its fields.
public struct Record: Mappable, Hashable {
  /// The fields in the order and format of the schema; any JSON value where records are persisted whole.
  public let json: JSONValue

  /// Creates a record from its fields.
  public init(_ json: JSONValue) { self.json = json }

  /// The value of a field; nil when the record has no such field.
  public subscript(_ field: String) -> JSONValue? { json[field] }

  /// The text of a field.
  public func string(_ field: String) throws(MappedError) -> String { try json.stringField(field) }

  /// The exact 64-bit integer of a field.
  public func integer(_ field: String) throws(MappedError) -> Int64 { try json.integerField(field) }

  /// The number of a field.
  public func number(_ field: String) throws(MappedError) -> Double { try json.numberField(field) }

  /// The boolean of a field.
  public func boolean(_ field: String) throws(MappedError) -> Bool { try json.booleanField(field) }

  /// Converts the record to a compiled type.
  public func model<Model: Mappable>(as type: Model.Type = Model.self) throws(MappedError) -> Model {
    try Model.mapToModel(json)
  }

  /// Accepts any JSON value; the `mapping` of a schema checks and converts a value.
  public static func mapToModel(_ json: JSONValue) throws(MappedError) -> Record { Record(json) }

  /// The JSON of the record, unchanged.
  public func mapToJSON() -> JSONValue? { json }
}

extension RecordSchema {
  /// The schema as a mapping between a JSON value and a record.
  ///
  /// It converts an element as a run does, with the same errors: `Parser.array(of: schema.mapping)` reads a response by
  /// the compiled schema, without a JSON value for each record. It also converts a record back. Computed fields are
  /// left out, because their expressions need more than the element.
  public var mapping: ModelMapping<Record> { MappingPlan(withoutComputed).mapping }
}

extension MappingPlan {
  /// The plan as a mapping of single elements. A run of a flow reads with the same plan.
  package var mapping: ModelMapping<Record> {
    ModelMapping(
      decode: { (json) throws(MappedError) -> Record in
        let scanner = RecordScanner(
          plan: self, selection: .lines, isStrict: false, limits: RecordLimits.rounds,
          rejections: RecordScanner.Rejections(areListed: true, needReasons: true))
        do throws(RecordError) {
          return Record(try scanner.record(of: json))
        } catch {
          throw error.error
        }
      },
      encode: { $0.json },
      elements: {
        RowReader(
          plan: self, isStrict: false, seeksFields: false, rejections: RecordScanner.Rejections(needReasons: true),
          stage: nil)
      })
  }
}
