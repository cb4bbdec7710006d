/// A finished node that aliases may repeat.
struct BuiltNode {
  let node: YAMLNode
  let measure: NodeMeasure
}
