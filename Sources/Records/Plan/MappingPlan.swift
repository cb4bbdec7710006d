internal import FieldTypes
internal import JSONSyntax
internal import TimeSyntax

/// A schema compiled for the token walk: a tree of member names that lead to fields.
///
/// The tree is in flat arrays of plain values. It is built once per flow. The type is `@unchecked Sendable` because the
/// arrays are raw memory: `init` fills them, nothing writes them later, and `deinit` frees them. Any number of tasks
/// may read them.
public final class MappingPlan: @unchecked Sendable {
  /// The schema from which the plan was compiled.
  public let schema: RecordSchema
  /// The nodes; an object type's own tree begins at its `ObjectPlan.root`.
  let nodes: UnsafeBufferPointer<Node>
  let children: UnsafeBufferPointer<Child>
  let elements: UnsafeBufferPointer<Element>
  let fields: UnsafeBufferPointer<Field>
  let types: UnsafeBufferPointer<TypeCode>
  let objects: [ObjectPlan]
  let enumerations: [Set<[UInt8]>]
  let patterns: [StrptimePattern]
  /// For each timestamp type with several formats, these formats in the order in which they are tried.
  let alternatives: [[TypeCode]]
  /// Field indices by node.
  ///
  /// The fields that read the node's value are first, then all fields below the node.
  let fieldLists: UnsafeBufferPointer<Int32>
  /// The bytes of all names.
  let names: UnsafeBufferPointer<UInt8>
  /// The bytes of all constants.
  let constants: UnsafeBufferPointer<UInt8>
  /// For each field of a record, the bytes before its value, one field after the other.
  ///
  /// `ByteBuffer.padding` bytes follow the last prefix.
  let recordPrefixes: UnsafeBufferPointer<UInt8>
  /// The end offset of each field's prefix.
  let recordPrefixEnds: UnsafeBufferPointer<Int>
  /// Fields whose path cannot be followed from the root; each path is evaluated on the whole record.
  let queries: [Query]

  /// A location in the payload that is on the path of at least one field.
  struct Node {
    /// `children[firstChild..<firstChild + childCount]`: members to descend into.
    var firstChild: Int32 = 0
    var childCount: Int32 = 0
    /// `elements[firstElement..<…]`: array indices to descend into, in ascending order.
    var firstElement: Int32 = 0
    var elementCount: Int32 = 0
    /// `fieldLists[firstField..<…]`: fields that read this value.
    var firstField: Int32 = 0
    var fieldCount: Int32 = 0
    /// `fieldLists[firstBelow..<…]`: fields that read a value below this node.
    var firstBelow: Int32 = 0
    var belowCount: Int32 = 0
    /// The only field that reads this value; -1 if the node is not a leaf.
    ///
    /// A node is a leaf if the field's type is a scalar and no field reads a value below. Most nodes are leaves.
    var leaf: Int32 = -1
    /// The type of `leaf`.
    var leafType = TypeCode(kind: .json)
  }

  /// A member to descend into.
  struct Child {
    /// The first eight bytes of the name, little-endian, padded with zeros.
    var word: UInt64
    /// The length of the name in bytes.
    var length: Int32
    /// The offset of the name in `names`.
    var name: Int32
    var node: Int32
  }

  /// An array element to descend into.
  struct Element {
    var index: Int32
    var node: Int32
  }

  /// A field: its type and its missing policy.
  struct Field {
    /// The missing policy. `computed` means that the field is not read from the payload; `ComputedFields` applies the
    /// declared policy.
    enum Policy: UInt8 { case required, optional, constant, computed }
    var type: Int32
    var policy: Policy
    /// The offset of the default value in `constants`.
    var constantStart: Int32 = 0
    var constantLength: Int32 = 0
    /// Whether the field is evaluated as a query, because the token walk cannot follow its path.
    var isQuery = false

    /// The default value as a cell.
    var constant: Cell {
      Cell(kind: .constant, length: UInt32(constantLength), value: Int64(constantStart))
    }
  }

  /// A type as a code, with an index into the data of this type.
  struct TypeCode {
    /// The format of a timestamp.
    enum TimestampForm: UInt8 {
      case iso8601, iso8601InUTC, epochSeconds, epochMilliseconds, epochMicroseconds, pattern, several
      /// The number of units in a second, for formats that count since 1970; nil for other formats.
      var unitsPerSecond: Int? {
        switch self {
        case .epochSeconds: 1
        case .epochMilliseconds: 1000
        case .epochMicroseconds: 1_000_000
        case .iso8601, .iso8601InUTC, .pattern, .several: nil
        }
      }
    }
    var kind: FieldTypeName
    var form = TimestampForm.iso8601
    /// The index of the type's data.
    ///
    /// It is the element type of a list, the entry of an object type in `objects`, or the index of an enumeration, a
    /// pattern or a list of alternative formats in the plan's array of them.
    var detail: Int32 = 0
    /// Whether values of other types are converted, if nothing is lost.
    var coerces = false

    /// Whether a value of the type is exactly one token.
    var isScalar: Bool {
      switch kind {
      case .list, .object, .json: false
      default: true
      }
    }
  }

  /// An object type: its tree and its fields.
  struct ObjectPlan {
    var root: Int32
    var firstField: Int32
    var fieldCount: Int32
    /// The field declarations, for names and messages.
    var mappings: [FieldMapping]
    /// For each field the bytes before its value in JSON: `{"id":`, then `,"name":`.
    var prefixes: [[UInt8]]
  }

  struct Query {
    var object: Int32
    var field: Int32
    var path: JSONPath
  }

  /// Compiles a schema.
  public convenience init(_ schema: RecordSchema) {
    var builder = MappingPlanBuilder()
    let fields =
      schema.keepsWholeRecords
      ? [FieldMapping(name: "", from: JSONPath(singular: []), type: .json)] : schema.fields
    _ = builder.object(fields)
    self.init(schema: schema, builder)
  }

  private init(schema: RecordSchema, _ builder: MappingPlanBuilder) {
    self.schema = schema
    nodes = Self.frozen(builder.nodes)
    children = Self.frozen(builder.children)
    elements = Self.frozen(builder.elements)
    fields = Self.frozen(builder.fields)
    types = Self.frozen(builder.types)
    objects = builder.objects
    enumerations = builder.enumerations
    patterns = builder.patterns
    alternatives = builder.alternatives
    fieldLists = Self.frozen(builder.fieldLists)
    names = Self.frozen(builder.names)
    constants = Self.frozen(builder.constants)
    let prefixes = builder.objects[0].prefixes
    recordPrefixes = Self.frozen(prefixes.flatMap { $0 } + Array(repeating: 0, count: ByteBuffer.padding))
    var end = 0
    recordPrefixEnds = Self.frozen(
      prefixes.map { prefix in
        end += prefix.count
        return end
      })
    queries = builder.queries
  }

  deinit {
    nodes.deallocate()
    children.deallocate()
    elements.deallocate()
    fields.deallocate()
    types.deallocate()
    fieldLists.deallocate()
    names.deallocate()
    constants.deallocate()
    recordPrefixes.deallocate()
    recordPrefixEnds.deallocate()
  }

  private static func frozen<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeBufferPointer<Value> {
    let memory = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count)
    _ = memory.initialize(from: values)
    return UnsafeBufferPointer(memory)
  }

  /// The number of fields of a record.
  var width: Int { Int(objects[0].fieldCount) }
}
