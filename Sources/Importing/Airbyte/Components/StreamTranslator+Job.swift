/// Streams whose server creates the records in a job.
extension StreamTranslator {
  /// The download of an `AsyncRetriever` as a `SimpleRetriever`, with its keys renamed; nil for other retrievers.
  static func download(of retriever: Component) -> Component? {
    guard retriever.type == "AsyncRetriever" else { return nil }
    let renamed = [
      "requester": "creation_requester", "decoder": "download_decoder", "paginator": "download_paginator",
    ]
    var members: [SourceNode.Member] = []
    for member in retriever.node.members ?? [] {
      guard member.name != "type", member.name != "record_selector", renamed[member.name] == nil else { continue }
      let name = renamed.first { $0.value == member.name }?.key ?? member.name
      members.append(SourceNode.Member(name: name, value: member.value))
    }
    if let selector = selector(of: retriever) {
      members.append(SourceNode.Member(name: "record_selector", value: selector))
    }
    return retriever.sibling(
      SourceNode(.mapping(members), line: retriever.node.line, path: retriever.node.path), default: "SimpleRetriever")
  }

  /// The record selector of an `AsyncRetriever`, with the extractor of the download instead of its own.
  private static func selector(of retriever: Component) -> SourceNode? {
    let selector = retriever.node["record_selector"]
    // Rows of a table need no path.
    let extractor = retriever.node["download_extractor"].flatMap {
      $0["type"]?.text == "ResponseToFileExtractor" ? nil : $0
    }
    var members = (selector?.members ?? []).filter { $0.name != "extractor" }
    if let extractor { members.append(SourceNode.Member(name: "extractor", value: extractor)) }
    let node = selector ?? retriever.node
    return SourceNode(.mapping(members), line: node.line, path: node.path)
  }

  /// Translates everything about a job except the request that creates it and the records of its download.
  mutating func job(_ retriever: Component) {
    // The requests of a job can use values of the job, but not the token of a page, which belongs to the download.
    let own = names
    names.pageToken = nil
    let created = FlowExpression("job", .any, isLookUp: true)
    names.roots["creation_response"] = created
    // Its name before version 6 of the component schema.
    names.partitions["create_job_response"] = created
    defer { names = own }
    var job = OutputMapping()
    guard states(retriever, &job) else { return }
    if let poll = retriever.child("polling_requester", default: "HttpRequester") { job["poll"] = request(of: poll) }
    if let minutes = retriever["polling_job_timeout"].flatMap({
      $0.integer ?? constant($0, of: retriever).flatMap { Int($0) }
    }) {
      if minutes > 0, minutes <= 43_200 { job["deadline"] = .scalar("\(minutes)m") }
    }
    result(retriever, &job)
    if let delete = retriever.child("delete_requester", default: "HttpRequester") {
      job["remove"] = request(of: delete)
    }
    if let abort = retriever.child("abort_requester", default: "HttpRequester") {
      job["stop"] = request(of: abort)
      // For a flow, each of these states of the server ends the job, and a job that has ended is not stopped.
      if retriever["status_mapping"]?["timeout"]?.texts?.isEmpty == false {
        lose(
          .retriever, "abort_requester for the states of 'timeout'", needs: "a flow that stops a job in such a state",
          at: abort
        )
      }
    }
    if job["failed"] != nil { job["retry"] = moreJobs(retriever) }
    values(retriever, &job)
    guard job["id"] != nil, job["poll"] != nil else { return }
    job.order([
      "id", "values", "poll", "deadline", "failed", "retry", "empty", "done", "running", "locate", "download", "urls",
      "remove", "stop",
    ])
    draft.keys.set("job", .mapping(job), from: OutputMapping.Origin(retriever))
  }

  /// Allows two more jobs after a failed one, as Airbyte does; each is created immediately or after a wait.
  private mutating func moreJobs(_ retriever: Component) -> OutputNode {
    let max = OutputNode.scalar("2")
    guard let wait = retriever["failed_retry_wait_time_in_seconds"] else { return max }
    let seconds = wait.integer ?? constant(wait, of: retriever).flatMap { Int($0) }
    guard let seconds, (0...86_400).contains(seconds) else {
      lose(.retriever, "failed_retry_wait_time_in_seconds", needs: "a number of seconds, at most a day", at: wait)
      return max
    }
    return .map([("max", max), ("wait", .scalar(seconds == 0 ? "1ms" : "\(seconds)s"))])
  }

  // MARK: - States

  /// Translates the states of a job into conditions; returns false if the manifest does not declare them.
  private func states(_ retriever: Component, _ job: inout OutputMapping) -> Bool {
    guard let steps = retriever.child("status_extractor")?["field_path"]?.texts, !steps.isEmpty,
      !steps.contains(where: { $0 == "*" || $0 == "**" || $0.contains("{{") })
    else {
      lose(
        .retriever, "status_extractor", needs: "a 'field_path' that has only names, without '*' or templates",
        at: retriever["status_extractor"] ?? retriever.node)
      return false
    }
    guard let map = retriever["status_mapping"] else {
      lose(.retriever, "the states of a job", needs: "'status_mapping', which says what they mean", at: retriever.node)
      return false
    }
    // The table contains texts, so the value of the response is compared as a text.
    let state = "string(\(Self.lookUp(steps)))"
    for (key, lists) in [
      ("failed", ["failed", "timeout"]), ("empty", ["skipped"]), ("done", ["completed"]), ("running", ["running"]),
    ] {
      let words = lists.flatMap { map[$0]?.texts ?? [] }
      if words.isEmpty { continue }
      let list = words.map { FlowExpression.literal($0).text }.joined(separator: ", ")
      let text = words.count == 1 ? "\(state) == \(list)" : "\(state) in [\(list)]"
      job[key] = .scalar(OutputText.expression(text))
    }
    return job["done"] != nil
  }

  private static func lookUp(_ steps: [String]) -> String {
    steps.reduce("response") { FlowExpression($0, .any, isLookUp: true).member($1).text }
  }

  // MARK: - Requests

  /// Translates one of the requests for a job. It must be a request to the server of the flow.
  private func request(of requester: Component) -> OutputNode? {
    let saved = (draft.base, draft.method, draft.path, draft.params, draft.query, draft.headers, draft.body)
    let timeout = draft.timeout
    (draft.method, draft.path, draft.params) = ("GET", FlowTemplate(literal: "/"), OutputMapping())
    (draft.query, draft.headers, draft.body) = (OutputMapping(), OutputMapping(), .none)
    defer {
      (draft.base, draft.method, draft.path, draft.params, draft.query, draft.headers, draft.body) = saved
      draft.timeout = timeout
    }
    guard !requester.isCustom else {
      loseUnknown(requester, as: "a request of a job")
      return nil
    }
    request(requester)
    guard draft.base.text == saved.0.text else {
      lose(
        .retriever, "a request of a job to '\(draft.base.text)'", needs: "a request to the server that creates the job",
        at: requester)
      return nil
    }
    return draft.resource.withoutDefaults
  }

  private mutating func result(_ retriever: Component, _ job: inout OutputMapping) {
    guard let download = retriever.child("download_requester", default: "HttpRequester") else { return }
    names.roots["polling_response"] = FlowExpression("response", .any, isLookUp: true)
    guard let extractor = retriever.child("download_target_extractor") ?? retriever.child("urls_extractor") else {
      if let target = retriever.child("download_target_requester") {
        lose(.retriever, "download_target_requester", needs: "a 'download_target_extractor'", at: target)
      }
      job["download"] = request(of: download)
      return
    }
    if let target = retriever.child("download_target_requester", default: "HttpRequester") {
      job["locate"] = request(of: target)
    }
    let url = download["url"] ?? download["url_base"]
    let written = [url, download["path"]].map { ($0?.scalar ?? "").filter { !$0.isWhitespace && $0 != "/" } }.joined()
    let isTarget = ["{{download_target}}", "{{stream_slice['url']}}"].contains(written)
    guard isTarget, extractor.type.isEmpty || extractor.type == "DpathExtractor",
      let steps = extractor["field_path"]?.texts, let urls = Self.urls(steps)
    else {
      return lose(
        .retriever, "download_target_extractor", needs: "a 'field_path' to whole URLs, without '**' or templates",
        at: extractor)
    }
    job["urls"] = .scalar(OutputText.expression(urls))
  }

  /// The expression for the URLs at a path in the response; the path may contain one `*` for the elements of a list.
  /// Nil for other paths.
  private static func urls(_ steps: [String]) -> String? {
    guard !steps.isEmpty, !steps.contains(where: { $0 == "**" || $0.contains("{{") }) else { return nil }
    let parts = steps.split(separator: "*", omittingEmptySubsequences: false).map(Array.init)
    guard parts.count <= 2, !parts[0].isEmpty else { return nil }
    let list = lookUp(parts[0])
    guard let rest = parts.dropFirst().first, !rest.isEmpty else { return list }
    let url = rest.reduce("x") { FlowExpression($0, .any, isLookUp: true).member($1).text }
    return "\(list).filter(x, has(\(url))).map(x, \(url))"
  }

  // MARK: - Values

  /// Declares the values of the response that creates the job, as far as the other requests of the job use them.
  private func values(_ retriever: Component, _ job: inout OutputMapping) {
    var paths: Set<String> = []
    for key in ["poll", "locate", "download", "remove", "stop"] { job[key]?.collect(pathsIn: "job", into: &paths) }
    let sorted = paths.sorted()
    let id = sorted.first { $0 == "id" } ?? sorted.first { $0.lowercased().hasSuffix("id") } ?? sorted.first
    guard let id else {
      return lose(
        .retriever, "polling_requester", needs: "a value of the response that creates the job, such as its id",
        at: retriever["polling_requester"] ?? retriever.node)
    }
    func value(_ path: String) -> OutputNode {
      .scalar(OutputText.expression(path.hasPrefix("headers") ? path : "response.\(path)"))
    }
    job["id"] = value(id)
    var values = OutputMapping()
    for name in Set(paths.map { String($0.prefix { $0 != "." }) }).sorted() where name != "id" {
      values[name] = value(name)
    }
    if !values.isEmpty { job["values"] = .mapping(values) }
  }
}

extension OutputNode {
  /// The value without `coalesce(…, '')` around members of a response: with an empty id, a request for a job would be a
  /// different request.
  fileprivate var withoutDefaults: OutputNode {
    switch self {
    case .scalar(let text):
      .scalar(text.replacing(#/coalesce\(((?:job|response)(?:\.[A-Za-z0-9_]+)+), ''\)/#) { $0.output.1 })
    case .list(let elements): .list(elements.map(\.withoutDefaults))
    case .mapping(let mapping):
      .mapping(mapping.entries.reduce(into: OutputMapping()) { $0[$1.name] = $1.value.withoutDefaults })
    }
  }

  /// Adds the paths that follow a root and a dot in the value's scalars: `data.id` for `job.data.id`.
  fileprivate func collect(pathsIn root: String, into paths: inout Set<String>) {
    switch self {
    case .scalar(let text):
      for range in text.ranges(of: root + ".") {
        if let before = text[..<range.lowerBound].last,
          before.isLetter || before.isNumber || before == "_" || before == "."
        {
          continue
        }
        var path = text[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        while path.hasSuffix(".") { path.removeLast() }
        if !path.isEmpty { paths.insert(String(path)) }
      }
    case .list(let elements): for element in elements { element.collect(pathsIn: root, into: &paths) }
    case .mapping(let mapping): for entry in mapping.entries { entry.value.collect(pathsIn: root, into: &paths) }
    }
  }
}
