/// Requests that each contain the values of several partitions.
extension StreamTranslator {
  /// Translates a `GroupingPartitionRouter` into a batch of partitions. As in Airbyte, the request options of its inner
  /// router are ignored.
  mutating func group(_ router: Component, _ parent: ParentFlow, isOnly: Bool) -> OutputMapping? {
    if isOnly, let size = router["group_size"]?.integer, (1...10_000).contains(size),
      let inner = router.child("underlying_partition_router"),
      let result = group(inner, size, isDistinct: router["deduplicate"]?.bool ?? true, parent)
    {
      return result
    }
    lose(
      .partitions, "partition_router: GroupingPartitionRouter",
      needs: "parent streams or a list, whose partitions form a batch", at: router)
    return nil
  }

  private mutating func group(
    _ inner: Component, _ size: Int, isDistinct: Bool, _ parent: ParentFlow
  ) -> OutputMapping? {
    switch inner.type {
    case "ListPartitionRouter":
      guard let field = constant(inner["cursor_field"], of: inner), let values = list(inner) else { return nil }
      names.partitions[field] = FlowExpression("batch", .list)
      draft.partitions = names.partitions
      return OutputMapping([("values", values), ("batch", .integer(size))])
    case "UnionPartitionRouter": return union(inner, parent, isOnly: true, batch: size)
    case "SubstreamPartitionRouter":
      let configs = inner.children("parent_stream_configs", default: "ParentStreamConfig")
      guard let config = configs.first else { return nil }
      // Records of one parent with different keys are different anyway.
      let isKey = config["stream"]?["primary_key"]?.scalar == config["parent_key"]?.scalar
      guard configs.count > 1 || isDistinct && !isKey else {
        return substream(config, parent, isOnly: true, batch: size)
      }
      return inTurn(configs, of: inner, parent, isOnly: true, isDistinct: isDistinct, batch: size)
    default: return nil
    }
  }
}
