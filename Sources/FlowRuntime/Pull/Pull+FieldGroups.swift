internal import ReactorCore
internal import Records

extension Pull {
  /// The responses to all groups of fields of a page as one response.
  struct JoinedResponse {
    let response: Response
    /// The size of the bodies that were received, in bytes.
    let receivedBytes: Int
  }

  /// Requests the other groups of fields of a page, and joins the records; nil for a request that has no other groups.
  ///
  /// The groups are requested one after the other. Status, headers and the values beside the records are those of the
  /// first response.
  ///
  /// - Throws: the error of a request or of a response, with its group; `.server` if the bodies are together larger
  ///   than 32 MiB.
  func joined(
    _ first: Response, to resource: Resource, page: Int
  ) async throws(ReactorError) -> JoinedResponse? {
    guard let fields = plan.fieldGroups, !resource.siblings.isEmpty else { return nil }
    let requests = [resource] + resource.siblings
    let network = network.withoutReachabilityCheck().with(quiet)
    var join = RecordJoin(
      fields, at: plan.records.path, mayLackRecords: ResponseRecords.Demands(plan, page: page).mayEnd)
    var responses: [Response] = []
    var timings = FlowTimings()
    var received = 0
    for (group, request) in requests.enumerated() {
      do throws(ReactorError) {
        if group > 0 { try checkDeadline() }
        let response = group == 0 ? first : try await network.response(for: request)
        responses.append(response)
        for step in FlowStep.allCases {
          if let time = response.timings[step] { timings[step] = (timings[step] ?? .zero) + time }
        }
        let body = try await content(of: response, to: request)
        // The page is too large, so it is requested again at a smaller size, with all its groups.
        if response.meaning == .noRecordsAndShrink {
          return JoinedResponse(response: response, receivedBytes: received)
        }
        if body == nil, response.meaning == .noRecordsAndEnd || response.meaning == .noRecordsAndCap {
          guard join.isEmpty else { throw Self.endAmidPage }
          return JoinedResponse(response: response, receivedBytes: received)
        }
        let bytes: [UInt8]? = if let body { try await Self.collect(body, after: received) } else { nil }
        received += bytes?.count ?? 0
        try join.add(bytes, of: group)
      } catch {
        throw error.ofGroup(group, of: requests.count, page: plan.pages == nil || page > 1 ? nil : page)
      }
    }
    var response = responses[join.baseGroup ?? 0]
    response.body = ResponseBody(bytes: try join.body())
    response.timings = timings
    return JoinedResponse(response: response, receivedBytes: received)
  }

  /// Reads a body.
  ///
  /// - Parameter received: the size of the bodies that are already held, in bytes
  private static func collect(
    _ body: ResponseBody, after received: Int
  ) async throws(ReactorError) -> [UInt8] {
    let limit = RecordLimits().heldBytes
    var bytes: [UInt8] = []
    while let chunk = try await body.next() {
      guard chunk.count <= limit - received - bytes.count else {
        body.cancel()
        var error = ReactorError.server("the responses of the page are together larger than \(limit >> 20) MiB")
        error.key = "field_groups"
        error.help = "request smaller pages"
        throw error
      }
      bytes += chunk
    }
    return bytes
  }

  private static var endAmidPage: ReactorError {
    var error = ReactorError.server(
      "an error rule ends the requests, but earlier field groups have records of this page")
    error.key = "errors"
    error.help = "use 'do: skip' or 'do: fail' for this response"
    return error
  }
}

extension ReactorError {
  /// The error with the number of the group before its message, and with the page number where there are several pages.
  ///
  /// - Parameter group: the index of the group, from 0
  fileprivate func ofGroup(_ group: Int, of count: Int, page: Int?) -> ReactorError {
    guard kind != .cancelled else { return self }
    var error = self
    error.message = (page.map { "page \($0): " } ?? "") + "field group \(group + 1) of \(count): \(message)"
    return error
  }
}
