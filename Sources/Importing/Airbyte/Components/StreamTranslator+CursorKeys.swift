extension StreamTranslator {
  /// Puts the bounds of the range into the request, and writes the `cursor`.
  func finish(cursor plan: CursorPlan) {
    let cursor = plan.component
    let (startOption, endOption) = (
      cursor.child("start_time_option", default: "RequestOption")
        ?? cursor.child("start_value_option", default: "RequestOption"),
      cursor.child("end_time_option", default: "RequestOption")
    )
    let startName = cursor["partition_field_start"]?.scalar ?? "start_time"
    let endName = cursor["partition_field_end"]?.scalar ?? "end_time"
    guard plan.isCarried else {
      for (option, name) in [(startOption, startName), (endOption, endName)] {
        guard let option, let target = target(option), let value = names.intervals[name], value.text != "null" else {
          continue
        }
        injectSlice(value, into: target, at: option)
      }
      return
    }
    var result = OutputMapping([("field", .text(plan.field))])
    if let start = plan.start { result["start"] = start.node }
    if let end = plan.end { result["end"] = end.node }
    if let option = startOption, let target = target(option) {
      if case .query(let name) = target, case .ofAllPages = sliceParameters {
        result["query"] = .text(name)
        draft.query[name] = nil
      } else {
        injectSlice(FlowExpression("cursor.start", .any, mayBeMissing: plan.start == nil), into: target, at: option)
      }
    }
    var hasEnd = plan.end != nil
    if let option = endOption, let target = target(option) {
      if case .query(let name) = target, let start = result["query"] {
        result["query"] = .mapping(OutputMapping([("start", start), ("end", .text(name))]))
        draft.query[name] = nil
        hasEnd = true
      } else {
        injectSlice(FlowExpression("cursor.end", .any), into: target, at: option)
      }
    }
    if cursor["is_client_side_incremental"]?.bool ?? false { result["filter"] = .scalar("true") }
    if cursor["is_data_feed"]?.bool ?? false {
      // Without pages there is nothing to end early.
      let hasPages = draft.keys["pages"] != nil
      result["filter"] = hasPages ? nil : .scalar("true")
      result["order"] = hasPages ? .scalar("descending") : nil
    }
    // Possibly only a condition on records uses the range.
    let isUsed = result["query"] != nil || draft.uses("cursor.")
    if !isUsed, OutputNode.mapping(draft.keys).mentions("cursor."), result["order"] == nil {
      result["filter"] = .scalar("true")
    }
    guard
      result["filter"] != nil || result["order"] != nil || result["query"] != nil || draft.uses("cursor.start")
        || draft.uses("cursor.end")
    else {
      skip(
        "incremental_sync of '\(plan.field)'",
        reason: "no request uses its start, so all records are requested each time, as in the manifest", at: cursor.node
      )
      return
    }
    complete(plan)
    if let format = plan.format, format.name != "iso8601" { result["format"] = .text(format.name) }
    slice(cursor, plan, &result, hasEnd: &hasEnd)
    if draft.uses("cursor.end"), !hasEnd { result["end"] = .scalar("now") }
    lookback(cursor, plan, &result)
    // The last day is part of the range. If slices share a day, the server excludes the last day of a range.
    let isWholeDays = result["slice"] == nil && plan.format?.isDay ?? false
    if cursor["cursor_granularity"] != nil || isWholeDays, result["query"]?.mapping != nil || draft.uses("cursor.end") {
      result["bounds"] = .scalar("\"[]\"")
    }
    if let clamping = cursor["clamping"], clamping.members != nil {
      let period = constant(clamping["target"], of: cursor)?.lowercased() ?? ""
      let isMonday = clamping["target_details"]?["weekday"]?.text.map { $0.uppercased() == "MONDAY" } ?? true
      if ["day", "week", "month"].contains(period), isMonday, result["slice"] != nil {
        result["slice"] = .scalar(period)
      } else {
        lose(
          .incremental, "clamping to \(period)", needs: "slices that begin at the start of such a period",
          at: clamping)
      }
    }
    if draft.schema?[plan.field]?.isOptional ?? false { result["optional"] = .scalar("true") }
    result.order([
      "field", "start", "end", "query", "format", "lookback", "slice", "bounds", "filter", "order", "optional",
    ])
    draft.keys.set("cursor", .mapping(result), from: OutputMapping.Origin(cursor))
    draft.outputMode = "merge"
  }

  func slice(_ cursor: Component, _ plan: CursorPlan, _ result: inout OutputMapping, hasEnd: inout Bool) {
    guard let node = cursor["step"], let text = node.text, result["order"] == nil else { return }
    guard plan.start != nil else { return }
    guard usesBounds(of: cursor, plan.stream) else {
      return skip("step: \(text)", reason: "no request uses the bounds of a slice, so one slice is enough", at: node)
    }
    guard let duration = ISODuration(constant(node, of: cursor) ?? "") else {
      if let template = length(node, cursor, "step") {
        result["slice"] = template
        hasEnd = true
      }
      return
    }
    let isDate = draft.schema?[plan.field]?.type["type"]?.scalar == "date"
    if duration.months > 0 {
      guard duration.seconds == 0 else {
        return lose(.incremental, "step: \(text)", needs: "a length in months or in days, not in both", at: node)
      }
      result["slice"] = .scalar("P\(duration.months)M")
    } else if isDate {
      result["slice"] = .scalar("\(max(1, duration.seconds / 86_400))d")
    } else {
      result["slice"] = .scalar(duration.text)
    }
    hasEnd = true
  }

  /// Translates the length of a slice or of a lookback, which may contain variables. If it cannot be translated, reports a
  /// loss and returns nil.
  func length(_ node: SourceNode, _ cursor: Component, _ field: String) -> OutputNode? {
    guard let template = template(node, of: cursor, as: field) else { return nil }
    guard template.text.hasPrefix("P") || template.only != nil, !template.usesSecret else {
      lose(.incremental, "\(field): \(template.text)", needs: "a duration of ISO 8601, such as P30D", at: node)
      return nil
    }
    return template.node
  }

  func lookback(_ cursor: Component, _ plan: CursorPlan, _ result: inout OutputMapping) {
    guard let node = cursor["lookback_window"], node.text != nil else { return }
    guard let duration = ISODuration(constant(node, of: cursor) ?? "") else {
      result["lookback"] = length(node, cursor, "lookback_window")
      return
    }
    if duration.months > 0, duration.seconds == 0 {
      result["lookback"] = .scalar("P\(duration.months)M")
      return
    }
    let isDate = draft.schema?[plan.field]?.type["type"]?.scalar == "date"
    let seconds = duration.seconds + duration.months * 31 * 86_400
    guard seconds > 0 else { return }
    // Rounded up, so that the range is never shorter than in the manifest.
    result["lookback"] = .scalar(
      isDate ? "\((seconds + 86_399) / 86_400)d" : ISODuration("PT\(seconds)S")?.text ?? "\(seconds)s")
  }
}
