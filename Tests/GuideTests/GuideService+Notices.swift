import Foundation
import JSONSyntax
import TestSupport

extension GuideService {
  /// A shop, and receivers of notices that refuse what the services of their names would refuse.
  static let notify: Script = { call, memory in
    guard call.method == "POST" else {
      if memory.events.last == "the shop is down" { return Reply(status: 503, body: "down") }
      return selection(call, &memory)
    }
    let isRight: Bool
    switch call.steps.first {
    case "slack": isRight = call.json["text"]?.string.map { !$0.isEmpty && !$0.contains("<") } ?? false
    case "teams": isRight = isCard(call.json)
    case "pagerduty": isRight = isEvent(call.json)
    default: return .notFound
    }
    return isRight ? Reply(body: "ok") : .json(#"{"error":"invalid payload"}"#, status: 400)
  }

  /// What workflows of Teams accept: a message with adaptive cards.
  private static func isCard(_ message: JSONValue) -> Bool {
    guard message["type"]?.string == "message", let card = message["attachments"]?.array?.first,
      card["contentType"]?.string == "application/vnd.microsoft.card.adaptive",
      card["content"]?["type"]?.string == "AdaptiveCard", card["content"]?["version"]?.string == "1.4",
      let blocks = card["content"]?["body"]?.array, !blocks.isEmpty
    else { return false }
    return blocks.allSatisfy { $0["type"]?.string == "TextBlock" && !($0["text"]?.string ?? "").isEmpty }
      && blocks.last?["text"]?.string?.contains("\n\n") == true
  }

  /// What version 2 of PagerDuty's events accepts.
  private static func isEvent(_ event: JSONValue) -> Bool {
    let payload = event["payload"]
    return event["routing_key"]?.string == "R0UT1NG-4711"
      && ["trigger", "resolve"].contains(event["event_action"]?.string) && event["dedup_key"]?.string != nil
      && (payload?["summary"]?.string?.utf8.count).map { (1...1024).contains($0) } ?? false
      && !(payload?["source"]?.string ?? "").isEmpty
      && ["critical", "error", "warning", "info"].contains(payload?["severity"]?.string)
      && (payload?["timestamp"]?.string?.hasSuffix("Z") ?? false)
  }
}
