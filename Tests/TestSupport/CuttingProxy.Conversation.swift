internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What passes on one connection, message by message, and where it is cut.
struct Conversation {
  /// Cut: nothing passes any more.
  private(set) var isOver = false
  private var client: [UInt8] = []
  private var server: [UInt8] = []
  /// The first packets of a client have no type, and the server refuses encryption with a single byte.
  private var isStarting = true
  private var refusals = 0
  /// Responses that the server owes. Each ends with ReadyForQuery; the first is that to the start.
  private var owed = 1
  private var endsWithSync = false
  /// The trigger that has fired, and how many responses come before that to its message.
  private var fired: (trigger: CuttingProxy.Trigger, earlier: Int)?

  private static let encryptionRequests: [Int] = [80_877_103, 80_877_104]

  /// What goes on to the server.
  mutating func fromClient(_ bytes: [UInt8], take: (ArraySlice<UInt8>) -> CuttingProxy.Trigger?) -> ArraySlice<UInt8> {
    client += bytes
    var end = 0
    while let next = client.end(ofMessageAt: end, hasType: !isStarting) {
      if isStarting {
        isStarting = Self.encryptionRequests.contains(client.number(at: end + 4) ?? 0)
        if isStarting { refusals += 1 }
      } else {
        if fired == nil, let trigger = take(client[end..<next]) {
          fired = (trigger, owed)
          isOver = trigger.moment == .before
          if isOver { break }
        }
        expectResponse(to: client[end])
      }
      end = next
    }
    defer { client.removeFirst(end) }
    return client[..<end]
  }

  private mutating func expectResponse(to type: UInt8) {
    // Query, Sync, FunctionCall.
    guard "QSF".utf8.contains(type) else { return }
    owed += 1
    endsWithSync = type == UInt8(ascii: "S")
  }

  /// What goes on to the client.
  mutating func fromServer(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    server += bytes
    var (end, passed) = (0, 0)
    while !isOver {
      if refusals > 0, end < server.count, server[end] == UInt8(ascii: "N") {
        refusals -= 1
        end += 1
        passed = end
        continue
      }
      guard let next = server.end(ofMessageAt: end, hasType: true) else { break }
      let isWithheld = fired?.earlier == 0 && fired?.trigger.moment == .during
      // CopyInResponse: a Sync that the server reads during COPY is ignored.
      if server[end] == UInt8(ascii: "G"), endsWithSync { owed -= 1 }
      if server[end] == UInt8(ascii: "Z") { completeResponse() }
      end = next
      if !isWithheld { passed = end }
    }
    defer { server.removeFirst(end) }
    return server[..<passed]
  }

  private mutating func completeResponse() {
    owed -= 1
    guard let earlier = fired?.earlier else { return }
    if earlier == 0 { isOver = true } else { fired?.earlier -= 1 }
  }
}

extension CuttingProxy.Trigger {
  enum Moment { case before, during, after }

  var moment: Moment {
    switch self {
    case .before: .before
    case .during: .during
    case .after: .after
    }
  }

  var text: String {
    switch self {
    case .before(let text), .during(let text), .after(let text): text
    }
  }
}

extension [UInt8] {
  func number(at index: Int) -> Int? {
    index + 4 <= count ? self[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) } : nil
  }

  /// Where the next one begins; nil while it is not complete. Its length does not count its type.
  func end(ofMessageAt index: Int, hasType: Bool) -> Int? {
    let start = index + (hasType ? 1 : 0)
    guard let length = number(at: start), start + Swift.max(4, length) <= count else { return nil }
    return start + Swift.max(4, length)
  }
}
