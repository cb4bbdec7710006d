import Authorization
import Foundation
import JSONSyntax
import ReactorCore
import Synchronization
import TestSupport

/// An authorization server and an API in memory, with time that passes when told.
final class Scene: Sendable {
  let clock = ManualClock()
  /// What the authorization server was asked.
  let asked: StubConnection
  /// The API: takes the tokens that are in `good`.
  let api: StubConnection
  let good: Good
  private let told: Told
  let secrets: KnownSecrets

  /// Tokens that the API takes; nil takes all.
  final class Good: Sendable {
    let tokens = Mutex<Set<String>?>(nil)
  }

  init(_ answer: @escaping @Sendable (Resource, Int) throws -> Response) {
    let count = Mutex(0)
    let good = Good()
    self.good = good
    asked = StubConnection { resource in
      try answer(
        resource,
        count.withLock {
          $0 += 1
          return $0
        })
    }
    api = StubConnection { resource in
      let token = resource.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? ""
      let isGood = good.tokens.withLock { $0?.contains(token) ?? true }
      return Response(status: isGood ? 200 : 401, body: ResponseBody(bytes: Array("[]".utf8)))
    }
    let told = Told()
    secrets = KnownSecrets { told.add($0) }
    self.told = told
  }

  final class Told: Sendable {
    let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  /// Secrets that were told, in order.
  var learnt: [String] { told.texts.withLock { $0 } }

  /// Tokens `t1`, `t2`, … that are good for so long.
  static func counting(_ expires: String? = nil) -> Scene {
    Scene { _, count in
      Scene.json(
        #"{"access_token":"t\#(count)","token_type":"Bearer"\#(expires.map { ",\"expires_in\":\($0)" } ?? "")}"#)
    }
  }

  static func json(_ text: String, status: Int = 200) -> Response {
    Response(status: status, body: ResponseBody(bytes: Array(text.utf8)))
  }

  func session(_ client: OAuth2Client = OAuth2Client(.clientCredentials, id: "me", secret: "pw/&1")) -> TokenSession {
    TokenSession(
      client, shown: "https://auth/token", wording: TokenWording(.header("Authorization")), secrets: secrets,
      stopwatch: clock.stopwatch
    ) { [asked] in asked }
  }

  func connection(_ session: TokenSession) -> AuthorizedConnection { AuthorizedConnection(api, .token(session)) }

  /// The tokens that the API saw.
  var seen: [String] { api.requests.map { $0.headers["Authorization"] ?? "-" } }
}

/// A resource of the API.
let orders = Resource(path: "/orders", method: .GET)

extension Resource {
  var text: String { String(decoding: body ?? [], as: UTF8.self) }
}
