import JSONSyntax
import TestSupport

extension GuideService {
  /// Exports that are done after the third look at them.
  static let jobs: Script = { call, memory in
    if call.steps.first == "files" {
      return .json(call.path == "/files/1.json" ? #"[{"id":1,"page":"/"}]"# : #"[{"id":2,"page":"/cart"}]"#)
    }
    switch (call.method, call.steps.count) {
    case ("POST", 1):
      let id = "e\(memory.received.count + 1)"
      memory.received.append(call.json)
      memory.notes[id] = call.json["of"]?.string
      if case .string(let from)? = call.json["from"] { memory.notes["\(id) from"] = from }
      return .json(#"{"id":"\#(id)"}"#, status: 201, ("Location", "/exports/\(id)"))
    case ("GET", 2):
      let looks = memory.counts[call.path] ?? 1
      if memory.events.last == "exports fail" { return .json(#"{"state":"failed","reason":"too many rows"}"#) }
      // The server is short of memory for a while.
      if call.steps[1] == "e1", memory.notes["e1"] == "refunds" { return .json(#"{"state":"failed"}"#) }
      guard looks > 2 else { return .json(#"{"state":"running"}"#) }
      return .json(#"{"state":"done","files":["\#(call.base)/files/1.json","/files/2.json"]}"#)
    case ("GET", 3) where call.steps[2] == "files":
      return .json(#"{"files":[{"url":"/files/1.json"},{"url":"/files/2.json"}]}"#)
    case ("POST", 3): return .json("{}")
    case ("GET", 3):
      if memory.events.last == "the files are not there" {
        return .json(#"{"error":"storage is down"}"#, status: 500)
      }
      let id = call.steps[1]
      let text =
        switch memory.notes[id] {
        case "totals": "orders,value\r\n3,120\r\n"
        case "days": "day,orders\r\n\(memory.notes["\(id) from"]?.prefix(7) ?? "2024-01")-15,7\r\n"
        default: "id,state\r\n1,paid\r\n2,open\r\n3,open\r\n"
        }
      return Reply(fields: [("Content-Type", "text/csv")], body: text)
    case ("DELETE", 2): return Reply(status: 204)
    default: return .notFound
    }
  }
}
