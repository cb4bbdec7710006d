import FlowTesting
import Foundation
import Synchronization
import TestSupport

/// A server that gives only the listed fields of five people, two on a page.
final class FieldShop: Sendable {
  /// The names that a request lists, the page, and the whole target.
  struct Call {
    var fields: [String]
    var page: Int
    var target: String
  }

  typealias Person = [(name: String, json: String)]

  static let people: [Person] = (1...5).map { id in
    [
      ("id", "\(id)"), ("name", "\"P\(id)\""), ("city", "\"C\(id)\""), ("mail", "\"m\(id)\""), ("age", "\(20 + id)"),
    ]
  }

  /// The lines of a result with all fields.
  static let lines = people.map { "{" + $0.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}\n" }.joined()

  /// What a request lists, and its page.
  static func call(_ request: ScriptedServer.Request) -> Call {
    let items = URLComponents(string: request.target)?.queryItems ?? []
    let fields = items.filter { $0.name == "fields" }.compactMap(\.value).joined(separator: ",")
    let page = items.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
    return Call(fields: fields.split(separator: ",").map(String.init), page: page, target: request.target)
  }

  /// The people of a page, with the listed fields.
  static func objects(_ call: Call) -> [String] {
    people.dropFirst((call.page - 1) * 2).prefix(2).map { person in
      "{" + person.filter { call.fields.contains($0.name) }.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",")
        + "}"
    }
  }

  static func page(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
    let call = call(request)
    return ok(#"{"data":[\#(objects(call).joined(separator: ","))],"pages":3}"#)
  }
}

extension Rig {
  /// The targets of the requests so far, decoded.
  var targets: [String] { server.requests.map { $0.target.removingPercentEncoding ?? "" } }
}
