extension StreamTranslator {
  /// Translates a stream whose retriever requests pages of records, or the result of a job.
  mutating func translate(_ stream: Component, parent: ParentFlow) {
    guard let written = stream.child("retriever", default: "SimpleRetriever") else {
      return lose(.retriever, "a stream without a retriever", needs: "a request", at: stream)
    }
    let download = Self.download(of: written)
    let retriever = download ?? written
    guard let requester = retriever.child("requester", default: "HttpRequester") else {
      return lose(.request, "a retriever without a requester", needs: "a request", at: retriever)
    }
    sliceParameters = SliceParameters(retriever)
    partitions(retriever, parent: parent)
    schema(stream)
    let plan = plan(cursor: stream)
    cursorField = plan?.field
    names.pageToken = Self.pageToken(retriever)
    properties(requester, of: stream, parent: parent)
    request(requester)
    injectPartitions()
    authorization(requester)
    if download != nil { job(written) }
    let records = selector(retriever)
    let areTexts = decoder(retriever)
    transformations(stream)
    filter(retriever, of: stream)
    pages(retriever, records: records)
    if let plan { finish(cursor: plan) }
    cap(retriever)
    shrink(retriever)
    noteKey(stream)
    errors(requester)
    grantWishes()
    normalize(retriever, areTexts: areTexts)
    followChanges(retriever)
  }

  /// If `incremental_dependency` is true, limits the requests to those for new and changed records of the parent.
  private func followChanges(_ retriever: Component) {
    guard draft.followsChanges else { return }
    guard draft.outputMode == "merge", let each = draft.keys["each"] else {
      // All parents are requested: the result is the same.
      return
    }
    switch each {
    case .scalar: draft.keys["each"] = .map([("flow", each), ("only", .scalar("changed"))])
    case .mapping(var mapping):
      mapping["only"] = .scalar("changed")
      draft.keys["each"] = .mapping(mapping)
    case .list: break
    }
  }
}
