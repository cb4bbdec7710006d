import Authorization
import Foundation
import ReactorCore
import Storage
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RefreshTokenTests {
  /// A temporary output root.
  private final class Root {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("auth-\(UUID().uuidString)").path
    deinit {
      chmod(path + "/.reactor/auth", 0o700)
      try? FileManager.default.removeItem(atPath: path)
    }
    func file(_ configured: String = "r0") -> RefreshTokenDocument {
      RefreshTokenDocument(in: LocalStateStore(path: path), name: "host-\(configured)")
    }
    func text(_ name: String = "host-r0") -> String? {
      FileManager.default.contents(atPath: "\(path)/.reactor/auth/\(name).json").map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    func mode(_ name: String) -> Int? {
      (try? FileManager.default.attributesOfItem(atPath: "\(path)/.reactor/auth\(name)")[.posixPermissions] as? NSNumber)?
        .intValue
    }
    /// Without the lock file, which goes a moment after its last user.
    var names: [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/.reactor/auth")) ?? []
      return names.filter { $0 != ".reactor.lock" }.sorted()
    }
  }

  /// A server whose refresh tokens are good for one use: `r0`, then what it gave last.
  private static func rotating(_ first: String = "r0") -> Scene {
    let current = Mutex(first)
    return Scene { resource, count in
      let sent = resource.text.split(separator: "&").first { $0.hasPrefix("refresh_token=") }?.dropFirst(14)
      return current.withLock { current in
        guard sent.map(String.init) == current else { return Scene.json(#"{"error":"invalid_grant"}"#, status: 400) }
        current = "r\(count)"
        return Scene.json(#"{"access_token":"t\#(count)","refresh_token":"\#(current)"}"#)
      }
    }
  }

  private func ask(_ scene: Scene, _ file: RefreshTokenDocument?, configured: String = "r0") async throws {
    let client = OAuth2Client(.refreshToken(configured, persisted: file), id: "me", secret: nil)
    _ = try await scene.connection(scene.session(client)).response(for: orders)
  }

  @Test func `each run begins with the token that the last one was given`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    for run in 1...4 {
      try await ask(scene, root.file())
      #expect(scene.seen.last == "Bearer t\(run)")
      #expect(root.text()?.contains("\"refresh_token\":\"r\(run)\"") == true)
    }
    #expect(root.mode("/host-r0.json") == 0o600 && root.mode("") == 0o700)
    #expect(root.names == [".reactor.stamps", "host-r0.json"])
    #expect(root.text()?.contains("\"r0\"") == false)
    #expect(Set(scene.learnt).isSuperset(of: ["r0", "r1", "r2", "r3", "r4", "t1", "t4"]))
  }

  @Test func `within a run a renewal takes the newest token`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    let session = scene.session(OAuth2Client(.refreshToken("r0", persisted: root.file()), id: "me", secret: nil))
    for _ in 0..<3 {
      _ = try await scene.connection(session).response(for: orders)
      let last = try #require(scene.seen.last).dropFirst(7)
      scene.good.tokens.withLock { $0 = ["t\((Int(last.dropFirst()) ?? 0) + 1)"] }
      #expect(try await scene.connection(session).response(for: orders).status == 200)
    }
    #expect(scene.asked.requests.count == 4)
  }

  @Test func `an access token is not used when the new refresh token cannot be persisted`() async throws {
    let root = Root()
    let file = "\(root.path)/.reactor/auth/host-r0.json"
    let scene = Scene { _, count in
      // A folder cannot be replaced by a file.
      if count == 2 { #expect(unlink(file) == 0 && mkdir(file, 0o700) == 0) }
      return Scene.json(#"{"access_token":"t\#(count)","refresh_token":"r\#(count)"}"#)
    }
    try await ask(scene, root.file())
    let error = await #expect(throws: ReactorError.self) { try await ask(scene, root.file()) }
    #expect(error?.kind == .persistence)
    #expect(error?.message.contains("the server has replaced the refresh token") == true, "\(error?.message ?? "")")
    #expect(scene.seen.count == 1)
  }

  @Test func `a refresh token is persisted also from a response without an access token`() async throws {
    let root = Root()
    let scene = Scene { _, count in Scene.json(#"{"access_token":7,"refresh_token":"r\#(count)"}"#) }
    let error = await #expect(throws: ReactorError.self) { try await ask(scene, root.file()) }
    #expect(
      error?.description == "no token: POST https://auth/token: expected a string, found number (at /access_token)")
    #expect(root.text()?.contains("\"r1\"") == true)
  }

  @Test func `a file without a stamp, as earlier versions wrote it, is used`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    try await ask(scene, root.file())
    #expect(unlink("\(root.path)/.reactor/auth/.reactor.stamps") == 0)
    try await ask(scene, root.file())
    #expect(scene.seen == ["Bearer t1", "Bearer t2"])
  }

  @Test func `without a folder for the new token the server is not asked`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    try Data().write(to: URL(fileURLWithPath: root.path))
    let error = await #expect(throws: ReactorError.self) { try await ask(scene, root.file()) }
    #expect(error?.kind == .persistence && scene.asked.requests.isEmpty)
  }

  @Test func `another configured token begins anew, and the old one is still known`() async throws {
    let root = Root()
    let scene = Self.rotating()
    try await ask(scene, root.file())
    let other = Self.rotating("x0")
    try await ask(other, root.file(), configured: "x0")
    #expect(other.asked.requests.first?.text.contains("refresh_token=x0") == true)
    let name = RefreshTokenDocument.name(host: "A.example", client: "me", configured: "r0")
    #expect(name.hasPrefix("a.example-") && name.count == 26)
    #expect(name != RefreshTokenDocument.name(host: "A.example", client: "me", configured: "x0"))
    #expect(name != RefreshTokenDocument.name(host: "A.example", client: "you", configured: "r0"))
    #expect(RefreshTokenDocument.name(host: "[::1]", client: "", configured: "").hasPrefix("---1--"))
  }

  @Test func `a token that is not single-use is always sent and nothing is written`() async throws {
    let root = Root()
    let scene = Scene { _, count in Scene.json(#"{"access_token":"t\#(count)","refresh_token":"r\#(count)"}"#) }
    for _ in 0..<2 { try await ask(scene, nil) }
    #expect(scene.asked.requests.allSatisfy { $0.text.contains("refresh_token=r0") })
    #expect(!FileManager.default.fileExists(atPath: root.path))
  }

  @Test func `a response without a new token keeps the old one`() async throws {
    let root = Root()
    let scene = Scene { _, count in Scene.json(#"{"access_token":"t\#(count)"}"#) }
    for _ in 0..<2 { try await ask(scene, root.file()) }
    #expect(scene.asked.requests.allSatisfy { $0.text.contains("refresh_token=r0") })
    #expect(root.text() == nil)
  }

  @Test func `the error of a refused persisted token names its file`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    try await ask(scene, root.file())
    let other = Self.rotating("unknown")
    let error = await #expect(throws: ReactorError.self) { try await ask(other, root.file()) }
    #expect(error?.message.contains("invalid_grant") == true && error?.message.contains("host-r0.json") == true)
  }

  @Test func `a file of a later form is an error with other words, and is not replaced`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    try await ask(scene, root.file())
    let path = "\(root.path)/.reactor/auth/host-r0.json"
    let content = #"{"v":2,"tokens":[]}"#
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    let error = await #expect(throws: ReactorError.self) { try await ask(scene, root.file()) }
    #expect(error?.message.contains("was written by a later version of reactor") == true, "\(error?.message ?? "")")
    #expect(error?.help?.contains("upgrade reactor") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
  }

  @Test(arguments: [
    "", "{}", #"{"v":0,"refresh_token":"a","configured":"b"}"#, "\u{0}", #"{"v":1,"refresh_token":"TOP-SECRET"#,
  ])
  func `a damaged file is an error and is not replaced`(content: String) async throws {
    let (root, scene) = (Root(), Self.rotating())
    try await ask(scene, root.file())
    let path = "\(root.path)/.reactor/auth/host-r0.json"
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    let error = await #expect(throws: ReactorError.self) { try await ask(scene, root.file()) }
    #expect(error?.message.contains("is damaged") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("SECRET") == false)
    #expect(scene.asked.requests.count == 1 && root.text() == content)
  }

  @Test func `a link in location of the file or the folder is not followed`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    try FileManager.default.createDirectory(atPath: root.path + "/elsewhere", withIntermediateDirectories: true)
    symlink("elsewhere", root.path + "/.reactor")
    await #expect(throws: ReactorError.self) { try await ask(scene, root.file()) }
    unlink(root.path + "/.reactor")
    try FileManager.default.createDirectory(atPath: root.path + "/.reactor/auth", withIntermediateDirectories: true)
    symlink("../../elsewhere/x", root.path + "/.reactor/auth/host-r0.json")
    await #expect(throws: ReactorError.self) { try await ask(scene, root.file()) }
    #expect(scene.asked.requests.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path + "/elsewhere").isEmpty)
  }

  @Test func `a file that others can read is closed to them with the next token`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    try await ask(scene, root.file())
    chmod("\(root.path)/.reactor/auth/host-r0.json", 0o644)
    try await ask(scene, root.file())
    #expect(root.mode("/host-r0.json") == 0o600)
  }

  @Test func `a file that others can write is refused`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    try await ask(scene, root.file())
    chmod("\(root.path)/.reactor/auth/host-r0.json", 0o666)
    let error = await #expect(throws: ReactorError.self) { try await ask(scene, root.file()) }
    #expect(error?.message.contains("can be written by others") == true)
  }

  @Test func `what a killed process left behind is no obstacle`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    try await ask(scene, root.file())
    let half = ".reactor-tmp.0000000000000001.0000000000000001"
    try Data("half".utf8).write(to: URL(fileURLWithPath: "\(root.path)/.reactor/auth/\(half)"))
    try await ask(scene, root.file())
    #expect(root.names == [".reactor.stamps", "host-r0.json"])
  }

  @Test func `many sessions on one file renew one after the other`() async throws {
    let (root, scene) = (Root(), Self.rotating())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { [file = root.file()] in try await self.ask(scene, file) } }
      try await group.waitForAll()
    }
    #expect(scene.asked.requests.count == 8)
    #expect(root.text()?.contains("\"r8\"") == true)
  }

  @Test func `a renewal under way is finished though nobody waits for it any more`() async throws {
    let root = Root()
    let (asked, goOn) = (Latch(), Latch())
    let slow = SlowConnection(asked, goOn)
    let session = TokenSession(
      OAuth2Client(.refreshToken("r0", persisted: root.file()), id: "a", secret: nil), shown: "x",
      wording: TokenWording(.header("Authorization")), secrets: KnownSecrets()
    ) { slow }
    let flow = Task { try await AuthorizedConnection(StubConnection(body: ""), .token(session)).response(for: orders) }
    await asked.wait()
    flow.cancel()
    await #expect(throws: ReactorError.cancelled) { _ = try await flow.value }
    goOn.open()
    await session.settle()
    #expect(root.text()?.contains("\"next\"") == true)
  }

  /// Responds when the latch is open.
  private struct SlowConnection: Connection {
    let baseURL = "http://slow.test"
    let asked: Latch
    let goOn: Latch

    init(_ asked: Latch, _ goOn: Latch) {
      self.asked = asked
      self.goOn = goOn
    }

    func response(for resource: Resource) async throws(ReactorError) -> Response {
      asked.open()
      await goOn.wait()
      return Scene.json(#"{"access_token":"t","refresh_token":"next"}"#)
    }
  }
}
