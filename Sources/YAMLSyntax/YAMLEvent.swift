/// One step of libyaml's reading, with byte offsets in the file.
struct YAMLEvent {
  enum Kind {
    case streamStart
    case streamEnd
    case documentStart(hasTagDirectives: Bool)
    case documentEnd
    case alias(String)
    case scalar(Properties, text: String, style: YAMLScalar.Style)
    case sequenceStart(Properties, isFlow: Bool)
    case mappingStart(Properties, isFlow: Bool)
    case collectionEnd
  }

  /// What may stand in front of a node.
  struct Properties {
    var anchor: String?
    var tag: String?
    var isEmpty: Bool { anchor == nil && tag == nil }
    var count: Int { (anchor == nil ? 0 : 1) + (tag == nil ? 0 : 1) }
  }

  let kind: Kind
  /// From its first byte (an anchor or tag included) to its end as libyaml sees it.
  let offsets: Range<Int>
}
