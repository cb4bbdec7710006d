internal import FieldTypes
internal import JSONSyntax
internal import TimeSyntax

/// A schema compiled for the walk over tokens: a tree of the names that lead to fields, in flat arrays of plain values.
///
/// Built once per flow. Unchecked, because the flat arrays are raw memory: they are filled in `init`, never written
/// again and freed in `deinit`, so any number of tasks may read them.
public final class MappingPlan: @unchecked Sendable {
  /// The schema it was made from.
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
  /// Field indices by node: those that read the node's value, then all below it.
  let fieldLists: UnsafeBufferPointer<Int32>
  /// The bytes of all names, and of all constants.
  let names: UnsafeBufferPointer<UInt8>
  let constants: UnsafeBufferPointer<UInt8>
  /// Of a record, the bytes before the value of each field, one behind the other, with `ByteBuffer.padding` bytes behind
  /// the last; and where those of each field end.
  let recordPrefixes: UnsafeBufferPointer<UInt8>
  let recordPrefixEnds: UnsafeBufferPointer<Int>
  /// Fields whose path is not a walk from the root; each is evaluated on the whole record.
  let queries: [Query]

  /// A location in the payload on the path to fields.
  struct Node {
    /// `children[firstChild..<firstChild + childCount]`: members to descend into.
    var firstChild: Int32 = 0
    var childCount: Int32 = 0
    /// `elements[firstElement..<…]`: array indices to descend into, rising.
    var firstElement: Int32 = 0
    var elementCount: Int32 = 0
    /// `fieldLists[firstField..<…]`: fields that read this value.
    var firstField: Int32 = 0
    var fieldCount: Int32 = 0
    /// `fieldLists[firstBelow..<…]`: fields anywhere below.
    var firstBelow: Int32 = 0
    var belowCount: Int32 = 0
    /// The only field that reads this value, where its type is a scalar and nothing is read below: most nodes are such
    /// leaves. -1 where it is not so.
    var leaf: Int32 = -1
    /// The leaf's type.
    var leafType = TypeCode(kind: .json)
  }

  /// A member to descend into.
  struct Child {
    /// The first eight bytes of the name, little-endian, padded with zeros.
    var word: UInt64
    /// Bytes of the name, and where they are in `names`.
    var length: Int32
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
    /// `computed`: the field is not in the payload; `ComputedFields` applies its policy.
    enum Policy: UInt8 { case required, optional, constant, computed }
    var type: Int32
    var policy: Policy
    /// Where the default is in `constants`.
    var constantStart: Int32 = 0
    var constantLength: Int32 = 0
    /// Evaluated as a query, not met on the walk.
    var isQuery = false

    /// The default.
    var constant: Cell {
      Cell(kind: .constant, length: UInt32(constantLength), value: Int64(constantStart))
    }
  }

  /// A type as a code and an index into what it needs.
  struct TypeCode {
    /// How a timestamp is written.
    enum TimestampForm: UInt8 {
      case iso8601, epochSeconds, epochMilliseconds, pattern
      var isEpoch: Bool { self == .epochSeconds || self == .epochMilliseconds }
    }
    var kind: FieldTypeName
    var form = TimestampForm.iso8601
    /// list: the element's type; object: index in `objects`; enumeration, pattern: index there.
    var detail: Int32 = 0

    /// Whether a value of it is one token.
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

  /// Fields of a record.
  var width: Int { Int(objects[0].fieldCount) }
}
