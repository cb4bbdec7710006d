extension StreamTranslator {
  /// Translates the error handler of a requester.
  func errors(_ requester: Component) {
    guard let handler = requester.child("error_handler", default: "DefaultErrorHandler") else { return }
    var handlers: [Component] = []
    collect(handler, &handlers, depth: 0)
    var rules: [OutputNode] = []
    var statuses: [String] = []
    var retry = OutputMapping()
    var wait: String?
    for handler in handlers {
      let own = handler.children("backoff_strategies").lazy.compactMap {
        headerWait($0) ?? responseWait($0) ?? configuredWait($0)
      }.first
      wait = wait ?? own
      for filter in handler.children("response_filters", default: "HttpResponseFilter") {
        rule(filter, wait: own, &rules, &statuses)
      }
      if let node = handler["max_retries"], retry["max"] == nil {
        if let count = node.integer ?? constant(node, of: handler).flatMap({ Int($0) }) {
          if count != 2 { retry["max"] = .integer(max(0, min(count, 100))) }
        } else if let count = number(node, of: handler), count.kind == .integer {
          retry["max"] = .scalar(OutputText.quoted("{{ \(count.text) }}"))
        } else {
          lose(.errors, "max_retries: \(node.scalar ?? "")", needs: "a number that is known before the run", at: node)
        }
      }
      for strategy in handler.children("backoff_strategies") { backoff(strategy, &retry) }
    }
    if let wait {
      // The responses after which Airbyte sends a request again even without a filter.
      rules.append(
        .map([
          ("when", .scalar(OutputText.expression("status == 429 || status >= 500"))), ("do", .scalar("retry")),
          ("for", .scalar(OutputText.expression(wait))),
        ]))
    }
    if !rules.isEmpty { draft.keys.set("errors", .list(rules), from: OutputMapping.Origin(handler)) }
    if !retry.isEmpty {
      retry.order(["max", "on", "backoff", "wait", "max_wait", "follow"])
      let isShort = retry.items.count == 1 && retry["max"] != nil
      let isNone = isShort && retry["max"]?.scalar == "0"
      draft.keys.set(
        "retry", isNone ? .scalar("none") : isShort ? retry["max"] ?? .mapping(retry) : .mapping(retry),
        from: OutputMapping.Origin(handler))
    }
    if !statuses.isEmpty {
      draft.keys.set(
        "expect", .map([("status", .list((["2xx"] + statuses).map { .scalar($0) }))]),
        from: OutputMapping.Origin(handler))
    }
  }

  private func collect(_ handler: Component, _ handlers: inout [Component], depth: Int) {
    guard depth < 10 else { return }
    switch handler.type {
    case "DefaultErrorHandler": handlers.append(handler)
    case "CompositeErrorHandler":
      for inner in handler.children("error_handlers", default: "DefaultErrorHandler") {
        collect(inner, &handlers, depth: depth + 1)
      }
    default: loseUnknown(handler, as: "error_handler")
    }
  }

  // MARK: - Rules

  private func rule(
    _ filter: Component, wait: String?, _ rules: inout [OutputNode], _ statuses: inout [String]
  ) {
    if filter.isCustom { return loseUnknown(filter, as: "response_filter") }
    let action = filter["action"]?.text?.uppercased() ?? "FAIL"
    let codes = (filter["http_codes"]?.list ?? []).compactMap(\.integer).filter { (100...599).contains($0) }
    if action == "SUCCESS", filter["predicate"] == nil, filter["error_message_contains"] == nil {
      statuses += codes.map(String.init).filter { !statuses.contains($0) }
      return
    }
    var actions = ["FAIL": "fail", "RETRY": "retry", "IGNORE": "skip", "RATE_LIMITED": "wait"]
    if draft.hasCap { (actions["RESET_PAGINATION"], actions["SPLIT_REQUEST_WINDOW"]) = ("cap", "cap") }
    if draft.shrinks { actions["REDUCE_PAGE_SIZE"] = "shrink" }
    guard let verb = actions[action] else {
      // A token is renewed after a response with status 401 anyway.
      if action == "REFRESH_TOKEN_THEN_RETRY", codes == [401] { return }
      return lose(.errors, "response_filter: \(action)", needs: "an action of 'errors' with this effect", at: filter)
    }
    var conditions: [FlowExpression] = []
    if codes.count == 1 {
      conditions.append(FlowExpression("status == \(codes[0])", .bool, .relation))
    } else if !codes.isEmpty {
      conditions.append(
        FlowExpression("status in [\(codes.map(String.init).joined(separator: ", "))]", .bool, .relation))
    }
    if let predicate = filter["predicate"], predicate.scalar?.isEmpty == false {
      guard let condition = condition(predicate, of: filter, as: "predicate", names: responseNames) else { return }
      if condition.text != "false" { conditions.append(condition) }
    }
    if let contained = filter["error_message_contains"], let text = constant(contained, of: filter), !text.isEmpty {
      conditions.append(
        FlowExpression(
          "status >= 400 && contains(to_json(response), \(FlowExpression.literal(text).text))", .bool, .and))
    }
    guard !conditions.isEmpty else { return }
    let whole =
      conditions.count == 1 ? conditions[0].text : conditions.map { $0.operand(.and) }.joined(separator: " || ")
    var rule = OutputMapping([("when", .scalar(OutputText.expression(whole))), ("do", .scalar(verb))])
    if !["skip", "cap", "shrink"].contains(verb), let message = filter["error_message"],
      message.scalar?.isEmpty == false,
      let template = self.message(message, of: filter)
    {
      rule["message"] = .scalar(OutputText.quoted(template.text.replacing("\n", with: " ")))
    }
    if let wait, ["retry", "wait"].contains(verb) { rule["for"] = .scalar(OutputText.expression(wait)) }
    rules.append(.mapping(rule))
  }

  /// The message of a rule; nil when it uses a value that is unknown in rules of `errors`. The rule then has the
  /// default message for its status.
  private func message(_ node: SourceNode, of filter: Component) -> FlowTemplate? {
    do throws(JinjaError) {
      return try TemplateTranslator(responseNames.of(filter)).template(node.scalar ?? "", canBeLeftOut: false)
    } catch {
      skip(
        "error_message: \(node.scalar ?? "")", reason: "\(error.message); only the message of the rule differs",
        at: node)
      return nil
    }
  }

  private var responseNames: JinjaNames {
    var names = names
    names.roots["response"] = FlowExpression("response", .any, isLookUp: true)
    names.roots["headers"] = FlowExpression("headers", .map, isLookUp: true)
    return names
  }

  // MARK: - Waits

  private func seconds(_ node: SourceNode?, _ component: Component) -> Double? {
    guard let node else { return nil }
    return node.scalar.flatMap { Double($0) } ?? constant(node, of: component).flatMap { Double($0) }
  }

  /// The expression for a wait that is read from a header, if only a part of the header is used or the wait has a
  /// minimum; nil for other strategies.
  private func headerWait(_ strategy: Component) -> String? {
    guard ["WaitTimeFromHeader", "WaitUntilTimeFromHeader"].contains(strategy.type),
      let name = constant(strategy["header"], of: strategy)?.lowercased(), !name.isEmpty
    else { return nil }
    let pattern = constant(strategy["regex"], of: strategy).flatMap { PatternText.of($0) }
    let least = number(strategy["min_wait"], of: strategy)
    guard pattern != nil || least != nil && strategy["regex"] == nil else { return nil }
    let header = FlowExpression("headers", .map).member(name).text
    let found = pattern.map { "extract(\(header), \(FlowExpression.literal($0).text))" } ?? header
    let isTime = strategy.type == "WaitUntilTimeFromHeader"
    let wait = isTime ? "timestamp(int(\(found)), 'epoch_s')" : "float(\(found))"
    guard let least else { return wait }
    let seconds = least.kind == .integer ? least.text : "int(\(least.text))"
    return "max([\(wait), \(isTime ? "add(now(), \(seconds), 'second')" : "float(\(least.text))")])"
  }

  /// The expression for a constant wait that is a value of the configuration; nil for other strategies.
  private func configuredWait(_ strategy: Component) -> String? {
    guard strategy.type == "ConstantBackoffStrategy", seconds(strategy["backoff_time_in_seconds"], strategy) == nil,
      let text = strategy["backoff_time_in_seconds"]?.scalar,
      let wait = try? TemplateTranslator(names.of(strategy)).expression(of: text),
      [.integer, .number].contains(wait.kind), !wait.mayBeMissing
    else { return nil }
    return wait.text
  }

  /// The expression for a wait whose seconds are read from the response; nil for other strategies, and after a loss.
  private func responseWait(_ strategy: Component) -> String? {
    guard strategy.type == "WaitTimeFromResponse", let node = strategy["wait_time_in_seconds"] else { return nil }
    do throws(JinjaError) {
      let wait = try TemplateTranslator(responseNames.of(strategy)).expression(of: node.scalar ?? "")
      return [.integer, .number].contains(wait.kind) ? wait.text : "float(\(wait.text))"
    } catch {
      lose(
        .errors, "WaitTimeFromResponse: \(node.scalar ?? "")", needs: "a translatable text: \(error.message)",
        at: strategy)
      return nil
    }
  }

  private static func duration(_ seconds: Double) -> OutputNode {
    let milliseconds = Int(min(max(seconds, 0.001), 86_400) * 1000)
    return .scalar(
      milliseconds % 1000 == 0
        ? ISODuration("PT\(milliseconds / 1000)S")?.text ?? "\(milliseconds / 1000)s" : "\(milliseconds)ms")
  }

  private func backoff(_ strategy: Component, _ retry: inout OutputMapping) {
    switch strategy.type {
    case "ConstantBackoffStrategy":
      if configuredWait(strategy) != nil { return }
      guard retry["wait"] == nil, let wait = seconds(strategy["backoff_time_in_seconds"], strategy) else {
        if retry["wait"] == nil {
          lose(
            .errors, "backoff_time_in_seconds: \(strategy["backoff_time_in_seconds"]?.scalar ?? "")",
            needs: "a number that is known before the run", at: strategy)
        }
        return
      }
      retry["backoff"] = .scalar("constant")
      retry["wait"] = Self.duration(wait)
      if wait > 60 { retry["max_wait"] = Self.duration(wait) }
    case "ExponentialBackoffStrategy":
      guard retry["wait"] == nil else { return }
      if strategy["factor"] != nil, number(strategy["factor"], of: strategy) == nil {
        return lose(
          .errors, "factor: \(strategy["factor"]?.scalar ?? "")", needs: "a number that is known before the run",
          at: strategy)
      }
      if let factor = number(strategy["factor"], of: strategy), Double(factor.text) == nil {
        let times = factor.kind == .integer ? (first: "2", longest: "16") : (first: "2.0", longest: "16.0")
        retry["wait"] = .scalar(OutputText.quoted("{{ \(times.first) * \(factor.operand(.product)) }}s"))
        retry["max_wait"] = .scalar(OutputText.quoted("{{ \(times.longest) * \(factor.operand(.product)) }}s"))
        return
      }
      let wait = 2 * (seconds(strategy["factor"], strategy) ?? 5)
      if wait != 1 { retry["wait"] = Self.duration(wait) }
      if wait > 60 { retry["max_wait"] = Self.duration(wait * 8) }
    case "WaitTimeFromHeader", "WaitUntilTimeFromHeader":
      let header = constant(strategy["header"], of: strategy)?.lowercased() ?? ""
      // Flows follow these headers even if they are not declared.
      let known =
        strategy.type == "WaitTimeFromHeader"
        ? ["retry-after", "ratelimit-reset"]
        : ["retry-after", "x-ratelimit-reset", "x-rate-limit-reset", "ratelimit-reset"]
      let isPart = headerWait(strategy) != nil
      guard strategy["regex"] == nil || isPart, !header.isEmpty else {
        return lose(
          .errors, "\(strategy.type): \(header)",
          needs: "a pattern that 'extract' supports: \(strategy["regex"]?.scalar ?? "")",
          at: strategy)
      }
      if strategy["min_wait"] != nil, !isPart || number(strategy["min_wait"], of: strategy) == nil {
        lose(
          .errors, "min_wait: \(strategy["min_wait"]?.scalar ?? "")", needs: "a number that is known before the run",
          at: strategy)
      }
      if !isPart, !known.contains(header), retry["follow"] == nil {
        var honour = OutputMapping([("header", .text(constant(strategy["header"], of: strategy) ?? header))])
        honour["format"] = .scalar(strategy.type == "WaitTimeFromHeader" ? "seconds" : "epoch_s")
        retry["follow"] = .mapping(honour)
      }
      if let limit = seconds(strategy["max_waiting_time_in_seconds"], strategy) {
        retry["max_wait"] = Self.duration(limit)
      }
    case "WaitTimeFromResponse":
      if let limit = seconds(strategy["max_waiting_time_in_seconds"], strategy), limit > 0 {
        retry["max_wait"] = Self.duration(limit)
      }
    default: loseUnknown(strategy, as: "backoff_strategy")
    }
  }
}
