package import JSONSyntax
internal import ReactorCore

extension RunReport {
  /// The report as one JSON object; `docs/reference/run-summary.md` describes it.
  package var json: JSONValue {
    var members: [JSONObject.Member] = [
      .init(name: "v", value: .integer(Self.version)), .init(name: "tool", value: .string(tool)),
      .init(name: "complete", value: .bool(isComplete)), .init(name: "exit", value: .integer(Int64(exit))),
    ]
    if let shard { members.append(.init(name: "shard", value: .string(shard.text))) }
    let counts = Flow.Status.allCases.map { JSONObject.Member(name: $0.rawValue, value: Self.integer(count($0))) }
    members += [
      .init(
        name: "counts",
        value: .object(JSONObject([.init(name: "selected", value: Self.integer(flows.count))] + counts))),
      .init(name: "records", value: Self.integer(records)), .init(name: "rejected", value: Self.integer(rejected)),
      .init(name: "bytes", value: Self.integer(bytes)),
    ]
    if filtered > 0 { members.append(.init(name: "filtered", value: Self.integer(filtered))) }
    if hasTiming { members.append(.init(name: "duration_ms", value: duration.map { .integer($0) } ?? .null)) }
    members.append(.init(name: "problems", value: .array(problems.map(\.json))))
    members.append(.init(name: "flows", value: .array(flows.map { $0.json(hasTiming: hasTiming) })))
    return .object(JSONObject(members))
  }

  /// The object on one line, with a line end; nothing in it can drive a terminal or turn its text around.
  package var jsonLine: [UInt8] { PlainJSON.bytes(json) + [0x0A] }

  fileprivate static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
  fileprivate static func integer(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
  fileprivate static func integer(_ number: Int64?) -> JSONValue { number.map { .integer($0) } ?? .null }
  fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension RunReport.Flow {
  fileprivate typealias Report = RunReport

  func json(hasTiming: Bool) -> JSONValue {
    var members: [JSONObject.Member] = [
      .init(name: "id", value: .string(id)), .init(name: "file", value: .string(file)),
      .init(name: "line", value: Report.integer(line)), .init(name: "status", value: .string(status.rawValue)),
      .init(name: "source", value: Report.text(source)), .init(name: "miss", value: Report.text(miss)),
      .init(name: "retries", value: Report.integer(retries)),
      .init(name: "records", value: Report.integer(records)), .init(name: "rejected", value: Report.integer(rejected)),
      .init(name: "rejections", value: .array(rejections.map(\.json))),
      .init(name: "bytes", value: Report.integer(bytes)), .init(name: "path", value: Report.text(path)),
      .init(name: "rejected_path", value: Report.text(rejectedPath)), .init(name: "save", value: .string(save)),
    ]
    // Runs that leave no records out have none of this.
    if filtered > 0 { members.append(.init(name: "filtered", value: Report.integer(filtered))) }
    if isAdded { members.insert(.init(name: "added", value: .bool(true)), at: 3) }
    if hasTiming {
      let steps = steps.map { JSONObject.Member(name: $0.step.rawValue, value: .integer($0.duration)) }
      members += [
        .init(name: "started_ms", value: Report.integer(started)),
        .init(name: "duration_ms", value: Report.integer(duration)),
        .init(name: "steps_ms", value: .object(JSONObject(steps))),
      ]
    }
    members.append(.init(name: "error", value: failure?.json ?? .null))
    members.append(.init(name: "warnings", value: .array(warnings.map(\.json))))
    // Runs without fixtures have none of these.
    if let cassette { members.append(.init(name: "cassette", value: .string(cassette))) }
    if let golden { members.append(.init(name: "golden", value: .string(golden))) }
    if !differences.isEmpty || differencesLeftOut > 0 {
      members.append(.init(name: "diffs", value: .array(differences.map(\.json))))
      members.append(.init(name: "diffs_left_out", value: Report.integer(differencesLeftOut)))
    }
    if !details.isEmpty { members.append(.init(name: "details", value: .array(details.map { .string($0) }))) }
    return .object(JSONObject(members))
  }
}

extension RunReport.Flow.Difference {
  var json: JSONValue {
    .object([
      "path": .string(path), "key": RunReport.text(key), "json_path": .string(jsonPath),
      "expected": RunReport.text(expected), "actual": RunReport.text(actual), "mapping_file": .string(file),
      "mapping_line": .integer(Int64(line)), "response": RunReport.text(response),
    ])
  }
}

extension RunReport.Flow.Rejection {
  var json: JSONValue {
    .object(["index": .integer(Int64(index)), "pointer": .string(pointer), "reason": .string(reason)])
  }
}

extension RunReport.Flow.Warning {
  var json: JSONValue {
    RunReport.object(["kind": .string(kind), "message": .string(message), "path": RunReport.text(path)], at: place)
  }
}

extension RunReport.Flow.Failure {
  var json: JSONValue {
    RunReport.object(
      [
        "kind": .string(kind), "message": .string(message), "status": RunReport.integer(status),
        "record": RunReport.integer(record), "pointer": RunReport.text(pointer), "path": RunReport.text(path),
        "help": RunReport.text(help),
      ], at: place)
  }
}

extension RunReport {
  /// An object that ends with a place, where there is one.
  fileprivate static func object(
    _ members: KeyValuePairs<String, JSONValue>, at place: ReactorError.Location?
  ) -> JSONValue {
    var members = members.map { JSONObject.Member(name: $0.key, value: $0.value) }
    if let place {
      members.append(JSONObject.Member(name: "line", value: integer(place.line)))
      members.append(JSONObject.Member(name: "column", value: integer(place.column)))
    }
    return .object(JSONObject(members))
  }
}
