/// What a flow reads and writes, as OpenLineage names it.
package struct LineageFlow: Sendable {
  /// A set of data.
  package struct Dataset: Sendable, Hashable {
    package let namespace: String
    package let name: String

    package init(namespace: String, name: String) { (self.namespace, self.name) = (namespace, name) }
  }

  /// The resource of the server.
  package let resource: Dataset
  /// The ids of the flows whose records it takes.
  package let parents: [String]
  /// The file or table of the result; nil when nothing is persisted.
  package let result: Dataset?

  package init(resource: Dataset, parents: [String], result: Dataset?) {
    (self.resource, self.parents, self.result) = (resource, parents, result)
  }
}
