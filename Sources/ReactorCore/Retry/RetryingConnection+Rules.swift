extension RetryingConnection {
  /// A response and the decision about it.
  struct Verdict {
    var response: Response
    /// The reason to send the request again; nil when it is not sent again.
    var reason: RetryReason?
    /// The error of the response when its request is not sent again; nil when the response is accepted.
    var failure: ReactorError?
    /// The wait that a rule sets; nil when the policy sets it.
    var wait: Duration?
    /// Whether the other requests to the host wait too.
    var holdsHost = false
  }

  /// Judges a response by the first rule that applies, else by its status.
  ///
  /// Reads the whole body when a rule needs it. Otherwise reads the first chunk, if the policy retries a request whose
  /// connection breaks before that chunk.
  func judged(_ response: Response, of method: Resource.Method) async throws(ReactorError) -> Verdict {
    var response = response
    if !rules.isEmpty {
      let body = try await holdBody(of: &response)
      let input = ResponseRule.Input(status: response.status, headers: response.headers, body: body)
      do throws(ReactorError) {
        for rule in rules where try rule.applies(input) { return verdict(of: rule, on: response, input, method) }
      } catch {
        response.body.cancel()
        throw error
      }
    }
    let reason = policy.reason(status: response.status, of: method)
    if reason == nil, policy.retries > 0, !rules.contains(where: \.needsBody) { try await begin(&response) }
    return Verdict(response: response, reason: reason, holdsHost: response.status == 429)
  }

  private func verdict(
    of rule: ResponseRule, on response: Response, _ input: ResponseRule.Input, _ method: Resource.Method
  ) -> Verdict {
    switch rule.action {
    case .skip: return verdict(.noRecords, on: response)
    case .stop: return verdict(.noRecordsAndEnd, on: response)
    case .cap: return verdict(.noRecordsAndCap, on: response)
    case .shrink: return verdict(.noRecordsAndShrink, on: response)
    case .fail, .retry, .wait:
      let failure = ReactorError.server(rule.message(input), status: input.status)
      let reason = rule.action == .fail ? nil : policy.reason(rule: input.status, of: method)
      return Verdict(
        response: response, reason: reason, failure: failure, wait: reason.flatMap { _ in rule.wait(input) },
        holdsHost: rule.action == .wait)
    }
  }

  private func verdict(_ meaning: ResponseMeaning, on response: Response) -> Verdict {
    var response = response
    response.body.cancel()
    response.body = ResponseBody(bytes: [])
    response.meaning = meaning
    return Verdict(response: response)
  }

  /// Reads the whole body for the rules; returns nil when no rule needs it.
  ///
  /// - Throws: `.server` for a body that is larger than `ResponseRule.bodyLimit`.
  private func holdBody(of response: inout Response) async throws(ReactorError) -> [UInt8]? {
    guard rules.contains(where: \.needsBody) else { return nil }
    let body = response.body
    var chunks: [[UInt8]] = []
    var count = 0
    do throws(ReactorError) {
      while let chunk = try await body.next() {
        chunks.append(chunk)
        count += chunk.count
        guard count <= ResponseRule.bodyLimit else { throw Self.tooLarge }
      }
    } catch {
      body.cancel()
      throw error
    }
    response.body = ResponseBody(HeldBody(chunks, then: nil))
    return Array(chunks.joined())
  }

  private static var tooLarge: ReactorError {
    var error = ReactorError.server(
      "a rule of 'errors' uses 'response', and the response has more than \(ResponseRule.bodyLimit >> 20) MiB")
    error.key = "errors"
    error.help = "request smaller pages, or use only 'status' and 'headers' in the rule"
    return error
  }

  /// Waits for the body's first chunk.
  private func begin(_ response: inout Response) async throws(ReactorError) {
    let body = response.body
    do throws(ReactorError) {
      let first = try await body.next()
      response.body = ResponseBody(HeldBody(first.map { [$0] } ?? [], then: first == nil ? nil : body))
    } catch {
      body.cancel()
      throw error
    }
  }
}
