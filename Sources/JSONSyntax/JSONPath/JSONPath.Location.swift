extension JSONPath {
  /// The location of a node in its document: the steps from the root, without negative indices.
  public struct Location: Sendable, Hashable {
    /// The steps from the root.
    public let steps: [Step]

    init(steps: [Step]) { self.steps = steps }

    /// The RFC 9535 normalized path, such as `$['orders'][0]['id']`.
    public var normalizedPath: String {
      var text = "$"
      for step in steps {
        switch step {
        case .name(let name): text += "[\(JSONPath.quoted(name))]"
        case .index(let index): text += "[\(index)]"
        }
      }
      return text
    }

    /// The RFC 6901 pointer, such as `/orders/0/id`.
    public var pointer: JSONPointer {
      JSONPointer(
        tokens: steps.map { step in
          switch step {
          case .name(let name): name
          case .index(let index): String(index)
          }
        })
    }

    /// The query that selects exactly this node.
    public var path: JSONPath { JSONPath(singular: steps) }
  }

  /// A value with its location.
  public struct Node: Sendable, Hashable {
    /// The location of the value.
    public let location: Location
    /// The value.
    public let value: JSONValue
  }
}

extension JSONPath.Location: CustomStringConvertible {
  /// The normalized path.
  public var description: String { normalizedPath }
}
